//! A device of another kind that helps the others: the processor, which may be a hundred times slower than they are, or faster, where they have to get first what it has.
//!
//! - Until it is known how fast it is, it has a trial: few rows, of tasks that have many. The others go on as if it were not there.
//! - Then it has as many rows as make it and the others end at the same time, if that saves enough; else none. Rates are those with all that has to be moved whenever the rows are done, so that
//!   this is known of both.
//! - Cuts stay as they are while that costs little, as they do without it.

use super::policy::KEPT;
use super::{Finish, Part, Policy, Standing, Work};

/// A trial has one of so many rows.
const TRIAL: u64 = 128;
/// With fewer rows, a trial would say nothing.
const LEAST: u64 = 64;
/// What the time with its help has to be, relative to that without.
const WORTH: f64 = 0.95;

/// The parts of a task whose last device is the helper.
pub fn cut(work: Work, devices: &[Standing], before: &[Part]) -> Vec<Part> {
    let Some((helper, others)) = devices.split_last() else { return Vec::new() };
    let Work { width, .. } = work;
    // The others begin behind it, at a multiple of what their groups of threads do at once.
    let own = work.nearest(match helper.rate {
        None => Some(width / TRIAL).filter(|rows| *rows >= LEAST).unwrap_or(0),
        Some(rate) => share(work, others, Standing { rate: Some(rate), ..*helper }),
    });
    let times = |parts: &[Part]| longest(work, devices, parts);
    let parts = joined(work, others, own, before);
    let helps = |parts: &[Part]| parts.iter().any(|part| part.device == others.len());
    match (times(&parts), times(before)) {
        (Some(found), Some(kept)) if kept <= KEPT * found && helps(&parts) == helps(before) => {
            before.to_vec()
        }
        _ => parts,
    }
}

/// How many rows the helper has, whose rate is known, if all are to end at the same time.
fn share(work: Work, others: &[Standing], helper: Standing) -> u64 {
    let (Some(rate), Some(rates)) = (helper.rate, all_rates(others)) else { return 0 };
    let busy = others.iter().map(|other| other.delay.max(0.0)).fold(0.0, f64::max);
    let width = work.width as f64;
    let alone = width / rates + if others.len() > 1 { busy } else { 0.0 };
    let rows = (alone - helper.delay.max(0.0)) / (1.0 / rates + 1.0 / rate);
    let time = alone - rows / rates;
    let is_worth_it = rows >= 1.0 && time <= WORTH * alone;
    if is_worth_it { (rows as u64).min(work.width) } else { 0 }
}

/// How many rows all of them do in a second; none if that is not known.
fn all_rates(devices: &[Standing]) -> Option<f64> {
    let rates: Option<Vec<f64>> = devices.iter().map(|device| device.rate).collect();
    rates.map(|rates| rates.into_iter().map(|rate| rate.clamp(1e-9, 1e18)).sum())
}

/// The first rows are the helper's, and the others divide the rest.
fn joined(work: Work, others: &[Standing], own: u64, before: &[Part]) -> Vec<Part> {
    let rest = Work { width: work.width - own, has_helper: false, ..work };
    let without: &[Part] =
        if own == 0 && before.iter().all(|part| part.device < others.len()) { before } else { &[] };
    let rest = if rest.width == 0 { Vec::new() } else { Finish.cut(rest, others, without) };
    let helper = Some(Part { device: others.len(), rows: 0..own }).filter(|_| own > 0);
    let moved =
        rest.into_iter().map(|Part { device, rows }| Part { device, rows: rows.start + own..rows.end + own });
    helper.into_iter().chain(moved).collect()
}

/// How long the slowest device takes for its parts; none if that is not known, or if there are no parts.
fn longest(work: Work, devices: &[Standing], parts: &[Part]) -> Option<f64> {
    let covers = parts.last().is_some_and(|part| part.rows.end == work.width);
    let mut times = vec![0.0; devices.len()];
    for Part { device, rows } in parts {
        let Standing { rate, delay } = devices[*device];
        times[*device] += (rows.end - rows.start) as f64 / rate?;
        if *device > 0 {
            times[*device] += delay.max(0.0);
        }
    }
    covers.then(|| times.into_iter().fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_helper(width: u64) -> Work {
        Work { has_helper: true, ..Work::of(width) }
    }

    fn standing(rate: f64) -> Standing {
        Standing { rate: Some(rate), delay: 0.0 }
    }

    fn rows(parts: &[Part], device: usize) -> u64 {
        parts.iter().filter(|part| part.device == device).map(|part| part.rows.end - part.rows.start).sum()
    }

    #[test]
    fn a_trial_has_few_rows() {
        let parts = Finish.cut(with_helper(128_000), &[standing(1e9), Standing::default()], &[]);
        assert_eq!((rows(&parts, 0), rows(&parts, 1)), (127_000, 1000));
        let parts = Finish.cut(with_helper(1000), &[standing(1e9), Standing::default()], &[]);
        assert_eq!((rows(&parts, 0), rows(&parts, 1)), (1000, 0));
        let parts = Finish.cut(with_helper(128_000), &[Standing::default(); 2], &[]);
        assert_eq!(rows(&parts, 1), 1000, "nothing is known of anybody");
    }

    #[test]
    fn all_end_at_the_same_time_if_that_is_worth_it() {
        let parts = Finish.cut(with_helper(4000), &[standing(3.0), standing(1.0)], &[]);
        assert_eq!((rows(&parts, 0), rows(&parts, 1)), (3000, 1000));
        let parts = Finish.cut(with_helper(4000), &[standing(100.0), standing(1.0)], &[]);
        assert_eq!((rows(&parts, 0), rows(&parts, 1)), (4000, 0));
        // It is faster, but what it lacks takes longer than the others do.
        let late = Standing { rate: Some(10.0), delay: 1e6 };
        let parts = Finish.cut(with_helper(4000), &[standing(1.0), late], &[]);
        assert_eq!((rows(&parts, 0), rows(&parts, 1)), (4000, 0));
    }

    #[test]
    fn cuts_stay_with_it_while_that_costs_little() {
        let before = Finish.cut(with_helper(4000), &[standing(3.0), standing(1.0)], &[]);
        assert_eq!(Finish.cut(with_helper(4000), &[standing(3.0), standing(1.02)], &before), before);
        assert_ne!(Finish.cut(with_helper(4000), &[standing(3.0), standing(2.0)], &before), before);
    }

    #[test]
    fn others_begin_at_multiples_of_the_grain() {
        let work = Work { grain: 128, ..with_helper(100_000) };
        for helper in [Standing::default(), standing(1.0)] {
            let parts = Finish.cut(work, &[standing(3.0), standing(2.9), helper], &[]);
            assert!(parts.iter().all(|part| part.rows.start % 128 == 0), "{parts:?}");
            assert_eq!((parts.len(), parts[2].rows.end), (3, 100_000));
        }
    }

    #[test]
    fn several_others_divide_the_rest() {
        let parts = Finish.cut(with_helper(6000), &[standing(2.0), standing(2.0), standing(2.0)], &[]);
        assert_eq!([0, 1, 2].map(|device| rows(&parts, device)), [2000; 3]);
        assert!(parts.windows(2).all(|pair| pair[0].rows.end == pair[1].rows.start));
    }
}
