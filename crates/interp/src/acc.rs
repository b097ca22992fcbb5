//! Accumulators: arrays that are only written, from wherever the accumulator gets to.
//!
//! The operator that combines writes is a lambda of the function that made the accumulator, but a
//! write may happen in a function that it calls. So the accumulator has locals of its own for
//! the operator, with the variables around the lambda as they were. The cell is needed because all holders
//! of an accumulator write to the same arrays; nobody keeps it borrowed while code runs.

use crate::code::AccOp;
use crate::locals::Locals;
use crate::view::View;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

#[derive(Clone)]
pub struct Acc(pub(crate) Rc<RefCell<AccState>>);

pub(crate) struct AccState {
    pub(crate) dests: Vec<View>,
    pub(crate) op: Option<(Rc<AccOp>, Locals)>,
}

impl fmt::Debug for Acc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Acc({} arrays)", self.0.borrow().dests.len())
    }
}
