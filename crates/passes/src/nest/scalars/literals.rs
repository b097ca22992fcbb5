//! Small constants are computed at compile time.
//!
//! Before:
//! ```text
//! fun weights () -> i64, [#0]f32 {
//!   let xs: [3]f32 = array (1f32, 2f32, 1f32)
//!   let ys: [3]f32 = map 3i64 (xs) \(x: f32) {
//!     let y: f32 = mul.f32 x 0.25f32
//!     in y
//!   }
//!   in 3i64, ys
//! }
//! ..
//! let n: i64, ws: [n]f32 = const weights
//! ```
//! After:
//! ```text
//! fun weights () -> i64, [3]f32 {
//!   let ys: [3]f32 = array (0.25f32, 0.5f32, 0.25f32)
//!   in 3i64, ys
//! }
//! ..
//! let n: i64, ws: [3]f32 = const weights
//! ```
//!
//! So a stencil, the states of an automaton or a neutral element is as good as a literal, whether it is written as one or computed by a map, and however often the
//! constant is used: scalar replacement knows its elements, and its size is known wherever it is used.
//!
//! Needs: calls inlined, sizes simplified. Gives: constants of numbers and of small arrays of numbers (`SMALL`) that nothing but arithmetic on literals computes are literals, with sizes
//! that are numbers in types. Keeps: results bit by bit, since `simplify` folds as the interpreter computes. Refuses: constants with anything left that is not known, such as a
//! check, a loop, or a call, or with an effect; these stay as they were.
//! Method: callees first, each constant is written out like the body of an operator and simplified; only if all of it is known then, that is kept.
//! Cost: linear in the size of the constants and of the program; a constant yields at most `ROOM` statements on the way.

use super::{ROOM, Scalars};
use crate::nest::memory::{Signature, memory, signatures};
use crate::nest::simplify::simplify_one;
use crate::nest::subst::{Names, Subst};
use norn_ir::nest::calls::call_groups;
use norn_ir::nest::normalise::{normalise, normalise_fun};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Atom, Body, ConstId, ControlExp, Exp, Fun, FunId, Prog, Stm, VarInfo};
use std::collections::HashMap;

/// Numbers, which are their only element, and small arrays of numbers, of each constant of which all results are known.
pub type Literals = HashMap<ConstId, Vec<Vec<Atom>>>;

pub fn literals(prog: &mut Prog) {
    let signatures = signatures(prog);
    let mut found = Literals::new();
    for fun in call_groups(prog).into_iter().flatten() {
        let Some(number) = prog.consts.iter().position(|constant| constant.fun == fun) else { continue };
        use_numbers(&mut prog.funs[fun.0 as usize], &found);
        let before = prog.funs[fun.0 as usize].clone();
        let values = elements(&before, &signatures, &found).or_else(|| {
            write_out(prog, fun, &signatures, &found);
            elements(&prog.funs[fun.0 as usize], &signatures, &found)
        });
        let Some(values) = values else {
            prog.funs[fun.0 as usize] = before;
            continue;
        };
        make_literal(&mut prog.funs[fun.0 as usize], &values, &signatures);
        found.insert(ConstId(number as u32), values);
    }
    prog.funs.iter_mut().for_each(|fun| use_numbers(fun, &found));
    normalise(prog);
}

/// The constants of a program that are literals.
pub fn of_constants(prog: &Prog, signatures: &[Signature]) -> Literals {
    let nothing = Literals::new();
    let known = prog.consts.iter().enumerate().filter_map(|(number, constant)| {
        let values = elements(&prog.funs[constant.fun.0 as usize], signatures, &nothing)?;
        Some((ConstId(number as u32), values))
    });
    known.collect()
}

/// The body of a constant, number by number.
fn write_out(prog: &mut Prog, id: FunId, signatures: &[Signature], found: &Literals) {
    let fun = &mut prog.funs[id.0 as usize];
    let memory = memory(signatures, fun);
    let names = Names { vars: std::mem::take(&mut fun.vars), memory };
    let mut scalars = Scalars { is_constant: true, room: ROOM, ..Scalars::new(names, found) };
    scalars.body(&mut fun.body);
    fun.vars = scalars.names.vars;
    normalise_fun(fun);
    simplify_one(prog, id, signatures, false);
}

/// What a constant yields, if nothing in it has to be computed.
fn elements(fun: &Fun, signatures: &[Signature], found: &Literals) -> Option<Vec<Vec<Atom>>> {
    if !fun.params.is_empty() {
        return None;
    }
    let names = Names { vars: fun.vars.clone(), memory: memory(signatures, fun) };
    let mut scalars = Scalars::new(names, found);
    for stm in &fun.body.stms {
        // What binds nothing is there for its effect: it shows something.
        if stm.vars.is_empty() {
            return None;
        }
        scalars.note_constants(stm);
        if !stm.vars.iter().all(|var| scalars.known.contains_key(var)) {
            let elements = scalars.elements_of(stm)?;
            scalars.known.insert(stm.vars[0], elements);
        }
    }
    let is_number = |atom: &Atom| atom.constant().is_some();
    let known = |result: &Atom| {
        let elements = match result {
            Atom::Const(_) => vec![*result],
            Atom::Var(var) => scalars.known.get(var)?.clone(),
        };
        elements.iter().all(is_number).then_some(elements)
    };
    fun.body.result.iter().map(known).collect()
}

/// A constant yields these elements, and does nothing else.
fn make_literal(fun: &mut Fun, values: &[Vec<Atom>], signatures: &[Signature]) {
    let memory = memory(signatures, fun);
    let nothing = Literals::new();
    let names = Names { vars: std::mem::take(&mut fun.vars), memory };
    let mut scalars = Scalars::new(names, &nothing);
    let results = std::mem::take(&mut fun.body).result;
    for ((result, elements), ret) in results.into_iter().zip(values).zip(&mut fun.ret) {
        let array = result.var().filter(|var| scalars.is_small(*var));
        let value = match array {
            Some(array) => {
                let (name, ty) = (scalars.names.name(array), scalars.names.ty(array).clone());
                let var = scalars.names.fresh(&name, ty.clone());
                let at = Stm::new(Vec::new(), Exp::atom(elements[0]), fun.span);
                scalars.assemble(var, elements.clone(), &at, &mut fun.body.stms);
                ret.ty = ty;
                var.into()
            }
            None => elements[0],
        };
        fun.body.result.push(value);
    }
    fun.vars = scalars.names.vars;
}

/// Whoever uses such a constant knows the numbers among its results, which may be the sizes of the others.
fn use_numbers(fun: &mut Fun, found: &Literals) {
    let mut numbers = Subst::default();
    note_numbers(&fun.vars, &fun.body, found, &mut numbers);
    if !numbers.is_empty() {
        numbers.body(&mut fun.body);
        numbers.types(fun);
    }
}

fn note_numbers(vars: &[VarInfo], body: &Body, found: &Literals, numbers: &mut Subst) {
    for stm in &body.stms {
        if let Exp::Control(ControlExp::Const(id)) = &stm.exp
            && let Some(values) = found.get(id)
        {
            let scalars = stm.vars.iter().zip(values).filter(|(var, _)| vars[var.0 as usize].ty.is_scalar());
            scalars.for_each(|(var, value)| numbers.set(*var, value[0]));
        }
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => note_numbers(vars, body, found, numbers),
            Part::Lambda(lambda) => note_numbers(vars, &lambda.body, found, numbers),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
}
