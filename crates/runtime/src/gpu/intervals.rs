//! Sets of bytes of a block, as intervals.

use std::ops::Range;

/// Intervals in order, none of which is empty or touches another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Intervals(Vec<Range<u64>>);

impl Intervals {
    pub fn insert(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        let touches = |other: &Range<u64>| other.start <= range.end && range.start <= other.end;
        let start = self.0.iter().filter(|other| touches(other)).map(|other| other.start).min();
        let end = self.0.iter().filter(|other| touches(other)).map(|other| other.end).max();
        let joined = start.unwrap_or(range.start).min(range.start)..end.unwrap_or(range.end).max(range.end);
        self.0.retain(|other| !touches(other));
        let at = self.0.partition_point(|other| other.start < joined.start);
        self.0.insert(at, joined);
    }

    pub fn remove(&mut self, range: &Range<u64>) {
        let rest = |own: &Range<u64>| {
            let before = own.start..own.end.min(range.start);
            let behind = own.start.max(range.end)..own.end;
            [before, behind].into_iter().filter(|rest| !rest.is_empty())
        };
        if !range.is_empty() {
            self.0 = self.0.iter().flat_map(rest).collect();
        }
    }

    /// Those of these bytes that are in the set.
    pub fn within(&self, range: &Range<u64>) -> Vec<Range<u64>> {
        let common = |own: &Range<u64>| own.start.max(range.start)..own.end.min(range.end);
        self.0.iter().map(common).filter(|common| !common.is_empty()).collect()
    }

    /// Those of these bytes that are not.
    pub fn missing(&self, range: &Range<u64>) -> Vec<Range<u64>> {
        let mut missing = Intervals::default();
        missing.insert(range.clone());
        self.0.iter().for_each(|own| missing.remove(own));
        missing.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against sets of single bytes, for all pairs of short ranges after each other.
    #[test]
    fn intervals_are_sets_of_bytes() {
        let ranges: Vec<Range<u64>> = (0..6).flat_map(|a| (a..7).map(move |b| a..b)).collect();
        for first in &ranges {
            for second in &ranges {
                for third in &ranges {
                    let mut all = Intervals::default();
                    all.insert(first.clone());
                    all.insert(second.clone());
                    all.remove(third);
                    let has = |at: u64| (first.contains(&at) || second.contains(&at)) && !third.contains(&at);
                    let found = all.within(&(0..7));
                    assert!((0..7).all(|at| found.iter().any(|own| own.contains(&at)) == has(at)));
                    let missing = all.missing(&(0..7));
                    assert!((0..7).all(|at| missing.iter().any(|own| own.contains(&at)) != has(at)));
                    assert!(found.windows(2).all(|pair| pair[0].end < pair[1].start), "{found:?}");
                }
            }
        }
    }
}
