//! Who does which rows of a task, and in which order: the scheduler. It knows no kernels and no memory, only how many rows a task has, and how its devices
//! stand.
//!
//! A task is cut into parts (`Part`) by a [`Policy`], from what is known of each device (`Standing`): how many rows of this task it does in a second, and how long its
//! part keeps the host busy; and then from how many bytes of what a part reads each device has (`Present`). Parts follow each other and cover all rows. What was measured is kept by
//! task and device (`rates`), from run to run.
//!
//! The team of devices that works for a program (`gpu::team`) runs plans; `simulate` runs the same policies on virtual time, with devices that are only
//! numbers, so that it is known what they do with a thousand devices.

pub mod policy;
pub mod rates;
pub mod simulate;
pub mod turns;

pub use policy::{Affinity, Finish, Policy, Random, Static, policy_named};
pub use rates::Rates;
pub use turns::Turns;

use std::ops::Range;

/// A task that is to be cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// How many rows it has.
    pub width: u64,
    /// Whether a thread of the host serves each device, so that what keeps it busy with one of them keeps none of the others waiting.
    pub has_threads: bool,
}

impl Work {
    /// Work of which one thread of the host is in charge.
    pub fn of(width: u64) -> Work {
        Work { width, has_threads: false }
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

/// Parts from how many rows each device gets, the first of which is done by the second device, and the last by the first: a program has its memory on the first device, from which others
/// take what they need before that is busy.
fn parts_of(rows: &[u64]) -> Vec<Part> {
    let order = (1..rows.len()).chain([0]);
    let mut from = 0;
    let mut parts = Vec::with_capacity(rows.len());
    for device in order.filter(|device| rows[*device] > 0) {
        parts.push(Part { device, rows: from..from + rows[device] });
        from += rows[device];
    }
    parts
}

/// Each part as several, of which the first is the largest: whoever is done sooner can take over some of them.
fn shrinking(parts: Vec<Part>) -> Vec<Part> {
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
            let to = rows.start + count / 10 * end + count % 10 * end / 10;
            pieces.push(Part { device, rows: from..to });
            from = to;
        }
    }
    pieces
}

/// So many rows, divided in proportion to these weights; the first gets all of them, unless weights are numbers of which one is positive.
fn divide(width: u64, weights: &[f64]) -> Vec<u64> {
    let sum: f64 = weights.iter().filter(|weight| **weight > 0.0).sum();
    let mut rows = vec![0; weights.len()];
    if !sum.is_finite() || sum <= 0.0 {
        rows[0] = width;
        return rows;
    }
    let (mut before, mut given) = (0.0, 0);
    for (rows, weight) in rows.iter_mut().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        before += weight;
        // Rounding must leave no row over, nor give one twice.
        let until = ((before / sum * width as f64).round() as u64).clamp(given, width);
        *rows = until - given;
        given = until;
    }
    if let (true, Some(last)) = (given < width, weights.iter().rposition(|weight| *weight > 0.0)) {
        rows[last] += width - given;
    }
    rows
}
