//! The instances of a program: each call has one for itself.
//!
//! On the processor there are as many as calls run at the same time, each with constants and memory of its own. What a program has on a GPU
//! is one, since the GPU does one thing after the other anyway: there, calls of one program wait for each other.

use norn_runtime::cpu::{Instance, Origin};
use norn_runtime::{Canceller, Stock};

pub struct Instances {
    pub origin: Origin,
    stock: Stock<Instance>,
}

impl Instances {
    pub fn new(origin: Origin) -> Instances {
        let most = if origin.gpu().is_some() { 1 } else { usize::MAX };
        Instances { stock: Stock::new(origin.instance(), most), origin }
    }

    /// Does something with an instance that nobody else has. None if it was cancelled while it waited.
    pub fn with<R>(&self, canceller: &Canceller, work: impl FnOnce(&mut Instance) -> R) -> Option<R> {
        self.stock.with(canceller, || self.origin.instance(), work)
    }

    /// Those that no call has.
    pub fn for_idle(&self, work: impl FnMut(&mut Instance)) {
        self.stock.for_idle(work);
    }
}
