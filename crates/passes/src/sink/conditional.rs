//! The host reads an element for a condition only where the rest of the condition leaves it open.
//!
//! ```text
//! let f: bool = index flags [p]                   let small: bool = lt.i64 square n
//! let small: bool = lt.i64 square n         ==>   let both: bool = if small {
//! let both: bool = and.bool f small                 let f: bool = index flags [p]
//!                                                   in f
//!                                                 } else {
//!                                                   in false
//!                                                 }
//! ```
//!
//! `&&` of cheap operands has become one operator, which wants both; here it is a branch again, on the operand that the host knows. So a sieve, whose steps
//! ask for an element and for its square being small, waits for the device only at small numbers.
//!
//! Keeps: results, and failures, since checks stay where they are. Refuses: operands that both need the device, and elements that are needed
//! elsewhere, too, or that are overwritten before the condition.

use super::late::reads_element;
use crate::nest::memory::{Signature, consumed};
use crate::nest::mentions;
use crate::nest::subst::Names;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{ArrayExp, Atom, BinOp, Body, Exp, Prim, ScalarExp, Stm, Var};
use std::collections::HashSet;

/// In all bodies of the host.
pub fn read_if_open(names: &Names, signatures: &[Signature], body: &mut Body) {
    let mut at = 0;
    while at < body.stms.len() {
        at = branch_on_known(names, signatures, body, at) + 1;
    }
    for stm in body.stms.iter_mut().filter(|stm| stm.exp.op().is_none()) {
        stm.for_each_part_mut(&mut |part| {
            if let PartMut::Body(body) = part {
                read_if_open(names, signatures, body);
            }
        });
    }
}

/// Where the statement is afterwards.
fn branch_on_known(names: &Names, signatures: &[Signature], body: &mut Body, at: usize) -> usize {
    let Exp::Scalar(ScalarExp::Bin(op, Prim::Bool, x, y)) = &body.stms[at].exp else { return at };
    // What the result is if the operand that is known decides.
    let decided = match op {
        BinOp::And => false,
        BinOp::Or => true,
        _ => return at,
    };
    let operands = [(*x, *y), (*y, *x)];
    for (read, known) in operands {
        let (Atom::Var(read), true) = (read, is_known(names, &body.stms[..at], known)) else { continue };
        let Some(moved) = needed_only_by(names, signatures, body, at, read) else { continue };
        let mut inner = Vec::with_capacity(moved.len());
        for place in moved.iter().rev() {
            inner.insert(0, body.stms.remove(*place));
        }
        let at = at - moved.len();
        let open = Body { stms: inner, result: vec![read.into()] };
        let closed = Body { stms: Vec::new(), result: vec![Atom::bool(decided)] };
        let (then, els) = if decided { (closed, open) } else { (open, closed) };
        body.stms[at].exp = Exp::if_(known, then, els);
        return at;
    }
    at
}

/// Whether the host computes it without the device, as far as these statements tell.
fn is_known(names: &Names, stms: &[Stm], atom: Atom) -> bool {
    let Atom::Var(var) = atom else { return true };
    let mut needed = vec![var];
    for stm in stms.iter().rev() {
        if !stm.vars.iter().any(|var| needed.contains(var)) {
            continue;
        }
        if !matches!(stm.exp, Exp::Scalar(_)) {
            return false;
        }
        mentions::in_stm(&names.vars, stm, &mut needed);
    }
    true
}

/// The statements that compute an operand of the one at a place and that nothing else needs, if they read an element; and may be done there.
fn needed_only_by(
    names: &Names,
    signatures: &[Signature],
    body: &Body,
    at: usize,
    operand: Var,
) -> Option<Vec<usize>> {
    let mut elsewhere: HashSet<Var> = body.result.iter().filter_map(|atom| atom.var()).collect();
    let note = |stm: &Stm, elsewhere: &mut HashSet<Var>| {
        let mut needed = Vec::new();
        mentions::in_stm(&names.vars, stm, &mut needed);
        mentions::certs(stm, &mut needed);
        elsewhere.extend(needed);
    };
    body.stms[at + 1..].iter().for_each(|stm| note(stm, &mut elsewhere));
    let mut operands = Vec::new();
    mentions::in_stm(&names.vars, &body.stms[at], &mut operands);
    if operands.iter().filter(|var| **var == operand).count() > 1 {
        return None;
    }
    elsewhere.extend(operands.into_iter().filter(|var| *var != operand));
    let mut sources: HashSet<Var> = HashSet::from([operand]);
    let mut overwritten = HashSet::new();
    let (mut moved, mut reads) = (Vec::new(), false);
    for (place, stm) in body.stms[..at].iter().enumerate().rev() {
        let own = |var: &Var| sources.contains(var) && !elsewhere.contains(var);
        let element = match &stm.exp {
            Exp::Array(ArrayExp::Index { array, .. }) if reads_element(names, stm) => Some(*array),
            _ => None,
        };
        let stays = element.is_some_and(|array| overwritten.contains(&names.memory.class(array)));
        let may_move = element.is_some() || matches!(stm.exp, Exp::Scalar(_));
        if !may_move || stays || !stm.vars.iter().all(own) {
            note(stm, &mut elsewhere);
            let consumed = consumed(&names.vars, stm, signatures);
            overwritten.extend(consumed.iter().map(|var| names.memory.class(*var)));
            continue;
        }
        reads |= element.is_some();
        let mut needed = Vec::new();
        mentions::in_stm(&names.vars, stm, &mut needed);
        sources.extend(needed);
        moved.insert(0, place);
    }
    reads.then_some(moved)
}
