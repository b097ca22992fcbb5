//! Tasks: work on the host of devices that can be done in parts, each of them anywhere.
//!
//! A task has a width, and its lambda does the work for `count` neighbouring rows of it, the first of which is `from`. Whoever runs it chooses
//! the *cuts*: it may run the lambda once for all rows, or once for each of several parts, which follow each other and cover all rows. Parts may be empty, and
//! there may be more parts than rows. Parts do not depend on each other, so that they can run at the same time, on different devices. The
//! interpreter runs tasks with whatever cuts it is asked for (`Interp::cut`), and this defines what they mean.
//!
//! What a part reads of an array is one of:
//! - *rows*: of an input the lambda takes the rows of its part, as an array of `count` rows;
//! - *window*: neighbouring rows that a small lambda computes from `from` and `count`. The lambda of the task takes the first of them, how many they are, and these
//!   rows of each array of the window. So the halo of a stencil is read, and no more;
//! - *whole*: whatever else the lambda mentions. A lambda sees the variables around it, as everywhere.
//!
//! What becomes of the results of parts, in order, is what the *joins* say:
//! - `rows`: arrays of `count` rows, which are listed one after the other;
//! - `kept K`: a number, then `K` arrays of so many rows, listed one after the other. The numbers are added up. This is a filter;
//! - `partial`: values that an associative operator combines in the order of parts. No part at all would yield the neutral element, which a
//!   part without rows yields, too. The operator may combine arrays: the bins of histograms, or rows of sums.
//!
//! A *carry* is what a part has to know about those before it, as in a scan. Its first lambda takes what the task's own takes (but carries) and
//! yields the total of a part. Totals are combined in the order of parts, and the lambda of the task takes, behind `from` and `count`, what
//! the parts before yield together: the neutral element, for the first. So a scan reads its input twice, unless there is one part only.
//!
//! Indices are global: a part that counts rows begins at `from`. A task has no idea of devices, of how many there are, or of where its operands
//! are: that is for whoever runs it. Bits of integers do not depend on cuts; those of floats may where `partial` and carries combine them.
//!
//! Absent on purpose: consumption. The lambda of a task overwrites nothing that it has not made, as no lambda does.
//!
//! # Invariants (the verifier cites these numbers)
//!
//! - T1. A task belongs to a schedule (N13) and stands in no lambda, neither that of another operator nor that of a task.
//! - T2. In the lambda of a window are nothing but scalars, so that it can be computed wherever cuts are decided.
//!
//! Its lambdas take and yield what is said above (N8).
//!
//! # Example
//!
//! Differences of neighbours, their sum, and those that are positive:
//! ```text
//! let s: i32, m: i64, kept: [m]i32 = task n () window (xs) \(from: i64, count: i64) {
//!   let before: i64 = sub.i64 from 1i64
//!   let first: i64 = max.i64 before 0i64
//!   let end: i64 = add.i64 from count
//!   let size: i64 = sub.i64 end first
//!   in first, size
//! } do \(from.2: i64, count.2: i64, first.2: i64, size.2: i64, xs.2: [size.2]i32) {
//!   ..
//!   in s.2, m.2, kept.2
//! } partial neutral (0i32) \(x: i32, y: i32) {
//!   let z: i32 = add.i32 x y
//!   in z
//! } kept 1
//! ```

use super::{Atom, Lambda, Reduction, Var};

#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    pub width: Atom,
    /// As long as the width; a part takes its rows.
    pub inputs: Vec<Var>,
    pub windows: Vec<Window>,
    pub carries: Vec<Carry>,
    /// Takes `from`, `count`, the carries, the part of each input, and for each window the first row, how many, and these of each array.
    pub lambda: Lambda,
    pub joins: Vec<Join>,
}

/// Arrays of which parts read the same neighbouring rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Window {
    pub arrays: Vec<Var>,
    /// From `from` and `count` to the first row and how many.
    pub need: Lambda,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Carry {
    /// The total of a part, from what the task's lambda takes but carries.
    pub total: Lambda,
    pub op: Reduction,
}

/// What becomes of results of parts.
#[derive(Clone, PartialEq, Debug)]
pub enum Join {
    Rows,
    /// So many arrays, and before them how long those of a part are.
    Kept(usize),
    /// As many values as the reduction has neutral elements.
    Partial(Reduction),
}

impl Join {
    /// How many results of the lambda it is about.
    pub fn results(&self) -> usize {
        match self {
            Join::Rows => 1,
            Join::Kept(arrays) => 1 + arrays,
            Join::Partial(op) => op.neutral.len(),
        }
    }

    /// What combines the results of parts, if something does.
    pub fn operator(&self) -> Option<&Lambda> {
        match self {
            Join::Rows | Join::Kept(_) => None,
            Join::Partial(op) => Some(&op.lambda),
        }
    }

    pub fn operator_mut(&mut self) -> Option<&mut Lambda> {
        match self {
            Join::Rows | Join::Kept(_) => None,
            Join::Partial(op) => Some(&mut op.lambda),
        }
    }
}
