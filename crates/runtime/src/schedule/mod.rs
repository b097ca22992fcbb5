//! Who does which rows of a task, and in which order: the scheduler. It knows no kernels and no memory, only how many rows a task has, and how its devices
//! stand.
//!
//! A task is cut into parts (`Part`) by a [`Policy`], from what is known of each device (`Standing`): how many rows of this task it does in a second, and how long its
//! part keeps the host busy; and then from how many bytes of what a part reads each device has (`Present`). Parts follow each other and cover all rows. What was measured is kept by
//! task and device (`rates`), from run to run.
//!
//! The processor is a device of another kind, which helps the others (`helper`) where that pays. Calls for which nothing pays are made by the first device alone (`calls`).
//!
//! The team of devices that works for a program (`gpu::team`) runs plans; `simulate` runs the same policies on virtual time, with devices that are only
//! numbers, so that it is known what they do with a thousand devices.

pub mod calls;
mod helper;
pub mod policy;
pub mod rates;
pub mod simulate;
pub mod simulate_calls;
pub mod turns;

pub use calls::{Call, Calls, Who};
pub use policy::{Affinity, Finish, Policy, Random, Recorded, Static, policy_named};
pub use rates::{Rates, SizedTask};
pub use turns::Turns;

use std::ops::Range;

/// A task that is to be cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// How many rows it has.
    pub width: u64,
    /// How many of them a group of threads does at once: cuts are at multiples of this, since a group that has fewer takes as long.
    pub grain: u64,
    /// Whether a thread of the host serves each device, so that what keeps it busy with one of them keeps none of the others waiting.
    pub has_threads: bool,
    /// Whether the last device is of another kind than the others, which it helps.
    pub has_helper: bool,
    /// Whether rows go down a recursion, so that some take much longer than others.
    pub is_uneven: bool,
}

/// What a program says of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskKind {
    Usual,
    /// The processor can do parts, too.
    Helped,
    /// Rows go down a recursion, so that some take much longer than others.
    Uneven,
}

impl Work {
    /// Work of which one thread of the host is in charge.
    pub fn of(width: u64) -> Work {
        Work { width, grain: 1, has_threads: false, has_helper: false, is_uneven: false }
    }
}

/// Neighbouring rows, and who does them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub device: usize,
    pub rows: Range<u64>,
}

/// What is known of a device before a task begins.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Standing {
    /// How many rows of this task it does in a second; none if it has done none yet.
    pub rate: Option<f64>,
    /// How many seconds the host has spent on its part, when this task was last split: on moving to it what it lacked, on launches, on waiting for others. The host does that for one device after
    /// the other, unless it has a thread for each.
    pub delay: f64,
}

/// What a part reads, as far as devices have it: the bytes that each device has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Present(pub Vec<u64>);

impl Work {
    /// Where to cut instead of at this row; the end stays where it is.
    fn nearest(self, row: u64) -> u64 {
        if row >= self.width {
            return self.width;
        }
        (row.saturating_add(self.grain / 2) / self.grain).saturating_mul(self.grain).min(self.width)
    }

    /// A part for each device, in proportion to these weights. The first is done by the second device, and the last by the first: a program has its memory on the first device, from which
    /// others take what they need before that is busy.
    fn divided(self, weights: &[f64]) -> Vec<Part> {
        let order: Vec<usize> = (1..weights.len()).chain([0]).collect();
        let weights: Vec<f64> = order.iter().map(|device| weights[*device]).collect();
        let (mut grains, mut from) = (0, 0);
        let mut parts = Vec::with_capacity(order.len());
        for (device, more) in order.into_iter().zip(divide(self.width.div_ceil(self.grain), &weights)) {
            grains += more;
            let end = grains.saturating_mul(self.grain).min(self.width);
            if from < end {
                parts.push(Part { device, rows: from..end });
            }
            from = end;
        }
        parts
    }

    /// Each part as several, of which the first is the largest: whoever is done sooner can take over some of them.
    fn shrinking(self, parts: Vec<Part>) -> Vec<Part> {
        /// In tenths of a part.
        const ENDS: [u64; 4] = [4, 7, 9, 10];
        /// What has fewer rows is not worth it.
        const LEAST: u64 = 64;
        let mut pieces = Vec::with_capacity(ENDS.len() * parts.len());
        for Part { device, rows } in parts {
            let count = rows.end - rows.start;
            let ends: &[u64] = if count < LEAST { &ENDS[3..] } else { &ENDS };
            let mut from = rows.start;
            for end in ends {
                let to = self.nearest(rows.start + count / 10 * end + count % 10 * end / 10);
                if from < to {
                    pieces.push(Part { device, rows: from..to });
                    from = to;
                }
            }
        }
        pieces
    }
}

/// So much, divided in proportion to these weights; the last gets all of it, unless weights are numbers of which one is positive.
fn divide(all: u64, weights: &[f64]) -> Vec<u64> {
    let sum: f64 = weights.iter().filter(|weight| **weight > 0.0).sum();
    let mut shares = vec![0; weights.len()];
    let is_fine = sum.is_finite() && sum > 0.0;
    let (mut before, mut given) = (0.0, 0);
    for (share, weight) in shares.iter_mut().zip(weights).filter(|(_, weight)| is_fine && **weight > 0.0) {
        before += weight;
        // Rounding must leave nothing over, nor give anything twice.
        let until = ((before / sum * all as f64).round() as u64).clamp(given, all);
        *share = until - given;
        given = until;
    }
    let last = weights.iter().rposition(|weight| is_fine && *weight > 0.0).unwrap_or(weights.len() - 1);
    shares[last] += all - given;
    shares
}
