//! What many run times say: their median, their mean, and how sure one can be.
//!
//! The confidence interval is that of the median, by order statistics: it holds whatever the
//! distribution of the times is (they are never normal: nothing makes a run faster than it can be, and
//! much makes it slower).

/// Times of the same work. The unit is that of the times.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    pub runs: usize,
    pub median: f64,
    pub mean: f64,
    pub least: f64,
    /// The median lies in here with a probability of 95 %; of few runs this is all there is.
    pub confidence: (f64, f64),
}

/// None if there are no times.
pub fn summarise(times: &[f64]) -> Option<Summary> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (least, most) = (*sorted.first()?, *sorted.last()?);
    let runs = sorted.len();
    let median = (sorted[(runs - 1) / 2] + sorted[runs / 2]) / 2.0;
    let mean = sorted.iter().sum::<f64>() / runs as f64;
    let confidence = match confident_rank(runs) {
        Some(rank) => (sorted[rank], sorted[runs - 1 - rank]),
        None => (least, most),
    };
    Some(Summary { runs, median, mean, least, confidence })
}

impl Summary {
    /// Half the width of the interval, in relation to the median.
    pub fn uncertainty(&self) -> f64 {
        let (low, high) = self.confidence;
        if self.median > 0.0 { (high - low) / 2.0 / self.median } else { 0.0 }
    }
}

/// The largest rank `r`, counted from 0, such that the median is between the values of rank `r` from
/// below and from above with a probability of at least 95 %. None if even the least and the
/// greatest are too close.
///
/// How many of `n` values are below the median is binomially distributed with p = 1/2; the interval
/// misses it if at most `r` are, or at most `r` are not.
fn confident_rank(n: usize) -> Option<usize> {
    const MISSED_ON_ONE_SIDE: f64 = 0.025;
    // In logarithms, as 2^-n is no number of ours for large n.
    let mut log_probability = -(n as f64) * std::f64::consts::LN_2;
    let (mut missed, mut found) = (0.0, None);
    for rank in 0..n / 2 {
        missed += log_probability.exp();
        if missed > MISSED_ON_ONE_SIDE {
            break;
        }
        found = Some(rank);
        log_probability += ((n - rank) as f64 / (rank + 1) as f64).ln();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_times_does_not_matter() {
        let summary = summarise(&[4.0, 1.0, 2.0, 9.0]).unwrap();
        assert_eq!((summary.runs, summary.median, summary.mean, summary.least), (4, 3.0, 4.0, 1.0));
        assert_eq!(summary.confidence, (1.0, 9.0));
        assert_eq!(summarise(&[]), None);
    }

    /// The ranks that tables of the sign test have.
    #[test]
    fn ranks_are_those_of_the_binomial_distribution() {
        let ranks = [(5, None), (6, Some(0)), (8, Some(0)), (9, Some(1)), (20, Some(5)), (100, Some(39))];
        for (n, rank) in ranks {
            assert_eq!(confident_rank(n), rank, "of {n} values");
        }
        let many = confident_rank(100_000).unwrap();
        assert!((49_600..49_700).contains(&many), "{many}");
    }

    #[test]
    fn outliers_do_not_widen_the_interval_of_many_runs() {
        let mut times = vec![10.0; 50];
        times.extend([1000.0; 5]);
        let summary = summarise(&times).unwrap();
        assert_eq!((summary.median, summary.confidence), (10.0, (10.0, 10.0)));
        assert_eq!(summary.uncertainty(), 0.0);
    }
}
