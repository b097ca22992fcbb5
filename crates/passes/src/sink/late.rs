//! The host reads an element when it needs it, behind all that it can launch before.
//!
//! ```text
//! let x: i64 = index xs [i]                       let ys: [n]i64 = map n ..
//! let ys: [n]i64 = map n ..               ==>     let s: i64 = reduce n (ys) ..
//! let s: i64 = reduce n (ys) ..                   let x: i64 = index xs [i]
//! let z: i64 = add.i64 x s                        let z: i64 = add.i64 x s
//! ```
//!
//! So it waits once, for both numbers, and the kernels are launched without a pause. A read moves behind statements that do not need what it yields
//! and do not overwrite what it reads, if there is a kernel among them.

use crate::nest::memory::{Signature, consumed};
use crate::nest::mentions;
use crate::nest::subst::Names;
use crate::place::able::{Able, Way};
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{ArrayExp, Body, ControlExp, DimIndex, Exp, Stm};

/// In all bodies of the host.
pub fn read_late(names: &Names, able: &Able, signatures: &[Signature], body: &mut Body) {
    for at in (0..body.stms.len()).rev() {
        let stm = &body.stms[at];
        if !reads_element(names, stm) {
            continue;
        }
        let after = &body.stms[at + 1..];
        let passed = after.iter().take_while(|later| can_pass(names, signatures, stm, later)).count();
        if after[..passed].iter().any(|stm| launches(names, able, stm)) {
            body.stms[at..=at + passed].rotate_left(1);
        }
    }
    for stm in body.stms.iter_mut().filter(|stm| stm.exp.op().is_none()) {
        stm.for_each_part_mut(&mut |part| {
            if let PartMut::Body(body) = part {
                read_late(names, able, signatures, body);
            }
        });
    }
}

pub fn reads_element(names: &Names, stm: &Stm) -> bool {
    let Exp::Array(ArrayExp::Index { array: _, slice }) = &stm.exp else { return false };
    slice.iter().all(|at| matches!(at, DimIndex::Fix(_)))
        && stm.vars.iter().all(|var| names.ty(*var).is_scalar())
}

/// Whether a read may as well happen after the other statement.
fn can_pass(names: &Names, signatures: &[Signature], read: &Stm, other: &Stm) -> bool {
    let mut needed = Vec::new();
    mentions::in_stm(&names.vars, other, &mut needed);
    let is_needed = read.vars.iter().any(|var| needed.contains(var));
    let Exp::Array(ArrayExp::Index { array, .. }) = &read.exp else { return false };
    let class = names.memory.class(*array);
    let overwrites =
        consumed(&names.vars, other, signatures).iter().any(|var| names.memory.class(*var) == class);
    // What ends the program should do so before the host waits.
    let ends = matches!(other.exp, Exp::Control(ControlExp::Check(_)));
    !is_needed && !overwrites && !ends
}

fn launches(names: &Names, able: &Able, stm: &Stm) -> bool {
    let mut found = stm.exp.op().is_some() && able.way(&names.vars, stm) == Way::Device;
    stm.for_each_part(&mut |part| {
        if let Part::Body(body) = part {
            found = found || body.stms.iter().any(|stm| launches(names, able, stm));
        }
    });
    found
}
