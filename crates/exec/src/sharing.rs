//! A program for several devices, beside the same one for the first device alone: who makes a call.
//!
//! What is small would take longer with several devices, however little they do. So such calls are made as if there were one, and others by whoever was faster before
//! (`norn_runtime::schedule::calls`). Where all combine floats in blocks, it is the same program in which the first device does all parts, so that the bits do not depend on who was faster. Calls are alike that have the same entry point, arrays of about the same size in the same memory, and whole numbers of about the same size.

use crate::column::{Column, Elements, Values};
use crate::failure::Ended;
use crate::memory::data_bytes;
use crate::{Exec, Outcome};
use norn_ir::imp::Scalar;
use norn_runtime::gpu::Program;
use norn_runtime::schedule::{Call, Who};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub struct Sharing {
    /// The program for several devices. None if that is who has this: then the first device makes calls alone in the same program.
    pub exec: Option<Exec>,
    has_peers: bool,
    was_last: AtomicBool,
}

/// Why a call has no result, and whether devices caused that, so that others may have one.
pub struct Unmade {
    pub ended: Ended,
    pub is_of_device: bool,
}

/// Arrays of so many bytes and numbers of this size may stand for much work.
const LARGE_ARRAY: u64 = 1 << 14;
const LARGE_NUMBER: u64 = 1 << 12;

impl Sharing {
    /// With a program for several devices.
    pub fn with(exec: Exec) -> Sharing {
        let sharing = Sharing::of(&exec);
        Sharing { exec: Some(exec), ..sharing }
    }

    /// Of a program for several devices.
    pub fn of(exec: &Exec) -> Sharing {
        let has_peers = exec.instances.origin.gpu().is_some_and(|program| program.has_peers());
        Sharing { exec: None, has_peers, was_last: AtomicBool::new(false) }
    }

    /// Whether all devices have made the last call.
    pub fn was_last(&self) -> bool {
        self.was_last.load(Relaxed)
    }

    /// The program for several devices, if it is another one and has made the last call.
    pub fn last_used(&self) -> Option<&Exec> {
        self.exec.as_ref().filter(|_| self.was_last())
    }

    /// Makes a call with all devices or the first, and remembers what it took. What all have no memory for, or cannot do since one of them fails, the first does alone.
    pub fn run(
        &self,
        own: &Exec,
        entry: usize,
        values: &Values,
        run: &dyn Fn(&Exec, Who) -> Result<Outcome, Unmade>,
    ) -> Result<Outcome, Unmade> {
        let all = self.exec.as_ref().unwrap_or(own);
        let Some(program) = all.instances.origin.gpu() else { return run(own, Who::First) };
        let program: &Program = program;
        let call = self.call(entry, values);
        let Some(who) = program.choose(call) else {
            self.was_last.store(false, Relaxed);
            return run(own, Who::First);
        };
        let make = |who: Who| {
            self.was_last.store(who == Who::All, Relaxed);
            let outcome = run(if who == Who::All { all } else { own }, who);
            if let Ok(outcome) = &outcome {
                program.note_call(call, who, outcome.whole, outcome.arrival);
            }
            outcome
        };
        // What a call may overwrite it has only once.
        let gives =
            values.columns.iter().any(|column| matches!(column, Column::Held(held) if held.is_alone()));
        match make(who) {
            Err(Unmade { is_of_device: true, .. }) if who == Who::All && !gives => {
                program.note_failed_call(call);
                make(Who::First)
            }
            outcome => outcome,
        }
    }

    fn call(&self, entry: usize, values: &Values) -> Call {
        // FNV-1a.
        let mut key = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |word: u64| key = (key ^ word).wrapping_mul(0x100_0000_01b3);
        add(entry as u64);
        let mut is_small = values.cells.is_empty();
        for column in &values.columns {
            let (place, size, large) = match column {
                Column::Scalar(scalar) => (0, whole(*scalar), LARGE_NUMBER),
                Column::Ref(_) => (1, 0, 1),
                Column::Array(array) => {
                    let bytes = match array.elements() {
                        Elements::Prim(data) => data_bytes(data).1 as u64,
                        Elements::Ref(cells) => size_of_val(&cells[..]) as u64,
                    };
                    (2, bytes, LARGE_ARRAY)
                }
                Column::Held(held) => (if held.gpu().is_some() { 3 } else { 2 }, held.bytes(), LARGE_ARRAY),
            };
            is_small &= size < large;
            add(place);
            add(class(size));
        }
        Call { key, has_peers: self.has_peers, is_small }
    }
}

impl Unmade {
    pub fn by_device(ended: Ended) -> Unmade {
        Unmade { ended, is_of_device: true }
    }
}

impl From<Ended> for Unmade {
    fn from(ended: Ended) -> Unmade {
        Unmade { ended, is_of_device: false }
    }
}

/// Of a number that may be how much there is to do; else 0.
fn whole(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::I8(number) => number.unsigned_abs().into(),
        Scalar::I16(number) => number.unsigned_abs().into(),
        Scalar::I32(number) => number.unsigned_abs().into(),
        Scalar::I64(number) => number.unsigned_abs(),
        Scalar::U8(number) => number.into(),
        Scalar::U16(number) => number.into(),
        Scalar::U32(number) => number.into(),
        Scalar::U64(number) => number,
        Scalar::F16(_) | Scalar::F32(_) | Scalar::F64(_) | Scalar::Bool(_) => 0,
    }
}

/// The same for sizes that differ by less than a fifth: there are four classes between a power of two and the next.
fn class(size: u64) -> u64 {
    let bits = u64::from(size.checked_ilog2().unwrap_or(0));
    let next = if bits < 2 { size } else { size >> (bits - 2) };
    4 * bits + (next & 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_one_class_are_near_each_other() {
        assert_eq!([0, 1, 2, 3].map(class), [0, 1, 6, 7]);
        for size in [16, 1000, 1 << 20, 123_456_789, 1 << 62] {
            assert_eq!(class(size), class(size + size / 100));
            assert!(class(size + size / 3) > class(size) && class(size * 2 / 3) < class(size), "{size}");
        }
    }
}
