//! Elements of short arrays that the host wrote down itself: it knows them, and need not read them from the device.
//!
//! ```text
//! let stages: [3]f32 = array (3f32, 2f32, 1f32)
//! loop (..) for i: i64 < 3 {                          let stage: f32 = switch i { 0 => 3f32, 1 => 2f32, _ => 1f32 }
//!   let stage: f32 = index stages [i]          ==>
//! ```

use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{ArrayExp, Atom, Body, ControlExp, DimIndex, Exp, Fun, Stm, Var, VarInfo};
use std::collections::{HashMap, HashSet};

/// Longer arrays are looked up on the device.
const SHORT: usize = 16;

/// In all that the host of a function does; arrays that nobody needs any more are not made.
pub fn know_literals(fun: &Fun, body: &mut Body) {
    let mut known = HashMap::new();
    look_up(fun, body, &mut known);
    if known.is_empty() {
        return;
    }
    let mut needed = HashSet::new();
    super::outline::mentions_in(fun, body, &mut |var| _ = needed.insert(var));
    forget(body, &|stm| stm.vars.iter().any(|var| known.contains_key(var) && !needed.contains(var)));
}

/// Whether the host knows the elements of the array that the statement makes.
pub fn is_known_literal(vars: &[VarInfo], stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Array(ArrayExp::ArrayLit(elements)) => {
            elements.len() <= SHORT && vars[stm.vars[0].0 as usize].ty.rank() == 1
        }
        _ => false,
    }
}

fn look_up(fun: &Fun, body: &mut Body, known: &mut HashMap<Var, Vec<Atom>>) {
    for stm in &mut body.stms {
        match &stm.exp {
            Exp::Array(ArrayExp::ArrayLit(elements)) if is_known_literal(&fun.vars, stm) => {
                known.insert(stm.vars[0], elements.clone());
            }
            Exp::Array(ArrayExp::Index { array, slice }) => {
                let ([DimIndex::Fix(index)], Some(elements)) = (&slice[..], known.get(array)) else {
                    continue;
                };
                let only = |element: &Atom| Body { stms: Vec::new(), result: vec![*element] };
                let Some((last, others)) = elements.split_last() else { continue };
                let cases =
                    others.iter().enumerate().map(|(at, element)| (at as i64, only(element))).collect();
                stm.exp = Exp::Control(ControlExp::Switch { scrutinee: *index, cases, default: only(last) });
            }
            _ => for_each_body(&mut stm.exp, &mut |body| look_up(fun, body, known)),
        }
    }
}

fn forget(body: &mut Body, is_lost: &dyn Fn(&Stm) -> bool) {
    body.stms.retain(|stm| !is_lost(stm));
    body.stms.iter_mut().for_each(|stm| for_each_body(&mut stm.exp, &mut |body| forget(body, is_lost)));
}

/// The bodies that run where the statement does.
fn for_each_body(exp: &mut Exp, f: &mut dyn FnMut(&mut Body)) {
    exp.for_each_part_mut(&mut |part| match part {
        PartMut::Body(body) => f(body),
        PartMut::Lambda(_) | PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
    });
}
