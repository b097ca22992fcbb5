//! Ending calls from another thread.

use norn_interp::Interp;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends the call that runs, from any thread.
#[derive(Clone)]
pub struct Canceller(How);

#[derive(Clone)]
enum How {
    Interp(Arc<AtomicBool>),
    Device(norn_runtime::cpu::Canceller),
}

impl Canceller {
    pub(super) fn of_interp(interp: &Interp) -> Canceller {
        Canceller(How::Interp(interp.cancel_flag().clone()))
    }

    pub(super) fn of_device(canceller: norn_runtime::cpu::Canceller) -> Canceller {
        Canceller(How::Device(canceller))
    }

    pub fn cancel(&self) {
        match &self.0 {
            How::Interp(flag) => flag.store(true, Ordering::Relaxed),
            How::Device(canceller) => canceller.cancel(),
        }
    }
}
