//! Where tasks are cut into parts. Whatever the choice, a program yields the same; so tests try all of these.

use crate::freedom::Freedom;

/// Each part may have as many bins as there are rows.
const MOST_PARTS: usize = 100;

#[derive(Default)]
pub enum Cuts {
    /// One part, whatever the width.
    #[default]
    Whole,
    /// Parts of so many rows, of which the last may have fewer. They have more where there would be too many parts.
    Rows(usize),
    /// So many parts, as equal as can be: some are empty where there are fewer rows.
    Parts(usize),
    /// Chosen at random, from this state on: some parts are empty, and sometimes there are more of them than rows.
    Random(u64),
}

impl Cuts {
    /// The parts of a task of this width: from which row, and how many.
    pub(crate) fn parts(&mut self, width: usize) -> Vec<(usize, usize)> {
        match self {
            Cuts::Whole => vec![(0, width)],
            Cuts::Rows(rows) => {
                let rows = (*rows).max(width.div_ceil(MOST_PARTS)).max(1);
                (0..width.div_ceil(rows)).map(|part| (part * rows, rows.min(width - part * rows))).collect()
            }
            Cuts::Parts(parts) => {
                let at = |part: usize| (width as u128 * part as u128 / *parts as u128) as usize;
                (0..*parts).map(|part| (at(part), at(part + 1) - at(part))).collect()
            }
            Cuts::Random(state) => {
                let mut choice = Freedom::new(*state);
                let count = choice.choose(2 + 2 * width.min(8) as u64);
                let mut at: Vec<usize> =
                    (0..count).map(|_| choice.choose(width as u64 + 1) as usize).collect();
                *state = choice.choose(u64::MAX);
                at.extend([0, width]);
                at.sort_unstable();
                at.windows(2).map(|ends| (ends[0], ends[1] - ends[0])).collect()
            }
        }
    }
}
