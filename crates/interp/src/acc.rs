//! Accumulators: arrays that are only written, from wherever the accumulator gets to.
//!
//! The operator that combines writes is a lambda of the function that made the accumulator, but a
//! write may happen in a function that it calls. So the accumulator has locals of its own for
//! the operator, with the variables around the lambda as they were. The lock is needed because all holders
//! of an accumulator write to the same arrays; nobody keeps it while code runs.

use crate::code::AccOp;
use crate::locals::Locals;
use crate::view::View;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Clone)]
pub struct Acc(pub(crate) Arc<Mutex<AccState>>);

pub(crate) struct AccState {
    pub(crate) dests: Vec<View>,
    pub(crate) op: Option<(Arc<AccOp>, Locals)>,
}

impl Acc {
    pub(crate) fn lock(&self) -> MutexGuard<'_, AccState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Acc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Acc({} arrays)", self.lock().dests.len())
    }
}
