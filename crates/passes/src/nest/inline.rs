//! Replace calls by the bodies of the functions they call.
//!
//! Before:
//! ```text
//! let ok: cert = check size m n
//! let r: [m]f32 = <ok> call scale (m, 2f32, xs)
//! ```
//! After:
//! ```text
//! let ok: cert = check size m n
//! let mapped: [m]f32 = <ok> map m (xs) \(x: f32) { .. }
//! let r: [m]f32 = mapped
//! ```
//!
//! Needs: a valid program. Gives: calls only of functions that are recursive, large, or marked `noinline`.
//! Keeps: results and failures. What a call relied on, the statements that take its place rely on.
//! Of a failure in a function that was inlined, the trace of calls lacks the inlined call: the place of
//! the check itself is what it was, unless the function is marked `library`. What such a function does has the place
//! of the call by code that is not of a library, since nobody reads the library for their own mistakes.
//! Refuses: functions that call themselves, one function at least of those that call each other, the functions of
//! constants, which are computed once, and the function that shows values.
//! Method: callees before callers, so what is inlined is final. A function is inlined if it is small, or called in one
//! place, or marked `inline`; others as long as the program stays below a multiple of what it was. Parameters
//! become the arguments, all other variables get new ones at the end of the caller's table.
//! Cost: linear in the size of the result.

use super::effects::{Effects, effects};
use norn_base::FileId;
use norn_ir::nest::calls::{call_groups, callees};
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::splice::{is_library, library_files, splice_seen};
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{Body, ControlExp, Exp, Fun, FunId, Operator, Prog, VarInfo};
use std::collections::HashSet;

/// As many statements cost no more than the call does.
const SMALL: usize = 12;
/// Larger functions that are called in several places stay.
const LARGE: usize = 150;
/// A sort becomes as much code as so many statements that compute a number.
const SORT: usize = 400;
/// How many times its size a program may grow to.
const GROWTH: usize = 4;
/// Small programs may grow to this many statements in any case.
const ROOM: usize = 4000;

pub fn inline(prog: &mut Prog) {
    let effects = effects(prog);
    let mut sizes: Vec<usize> = prog.funs.iter().map(|fun| size(&fun.body)).collect();
    let total: usize = sizes.iter().sum();
    let calls: Vec<Vec<usize>> = prog.funs.iter().map(|fun| callees(prog, &fun.body)).collect();
    let fixed = fixed(prog, &effects, &sizes, &calls);
    let order = order(prog, &fixed, &calls);
    let mut inliner = Inliner {
        budget: (total * (GROWTH - 1)).max(ROOM),
        calls: count_calls(prog),
        fixed,
        library: library_files(prog),
        caller_is_library: false,
    };
    for index in order {
        let mut fun = std::mem::replace(&mut prog.funs[index], Fun::nothing());
        inliner.caller_is_library = is_library(&fun);
        let mut body = std::mem::take(&mut fun.body);
        inliner.body(prog, &sizes, &mut fun.vars, &mut body);
        fun.body = body;
        sizes[index] = size(&fun.body);
        prog.funs[index] = fun;
    }
    normalise(prog);
}

/// How many statements there are, those inside others included.
fn size(body: &Body) -> usize {
    let mut count = body.stms.len();
    for stm in &body.stms {
        if matches!(stm.exp, Exp::Op(Operator::Sort { .. })) {
            count += SORT;
        }
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => count += size(body),
            Part::Lambda(lambda) => count += size(&lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
    count
}

fn count_calls(prog: &Prog) -> Vec<usize> {
    let mut calls = vec![0; prog.funs.len()];
    prog.funs.iter().for_each(|fun| count_calls_in(&fun.body, &mut calls));
    // An entry point is called from outside, too.
    prog.entries.iter().for_each(|entry| calls[entry.fun.0 as usize] += 1);
    calls
}

fn count_calls_in(body: &Body, calls: &mut [usize]) {
    for stm in &body.stms {
        if let Exp::Control(ControlExp::Call { fun, args: _ }) = &stm.exp {
            calls[fun.0 as usize] += 1;
        }
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => count_calls_in(body, calls),
            Part::Lambda(lambda) => count_calls_in(&lambda.body, calls),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
}

/// Functions that are never inlined. Of functions that call each other, enough that the others do not: those that call
/// themselves, and then the largest of each circle.
fn fixed(prog: &Prog, effects: &Effects, sizes: &[usize], calls: &[Vec<usize>]) -> Vec<bool> {
    let is_marked = |fun: &Fun| fun.is_show() || fun.attrs.iter().any(|attr| attr == "noinline");
    let mut fixed: Vec<bool> = prog.funs.iter().map(is_marked).collect();
    prog.consts.iter().for_each(|constant| fixed[constant.fun.0 as usize] = true);
    for group in call_groups(prog).into_iter().filter(|group| effects.is_recursive(group[0])) {
        let mut left: Vec<usize> = Vec::new();
        for FunId(id) in group {
            let index = id as usize;
            fixed[index] |= calls[index].contains(&index);
            if !fixed[index] {
                left.push(index);
            }
        }
        while let Some(circle) = circle(&left, calls) {
            let largest = circle.into_iter().max_by_key(|index| (sizes[*index], *index)).unwrap_or(0);
            fixed[largest] = true;
            left.retain(|index| *index != largest);
        }
    }
    fixed
}

/// Those of these functions that lie on a circle of calls among them, or lead to one.
fn circle(among: &[usize], calls: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut left = among.to_vec();
    while !left.is_empty() {
        let before = left.clone();
        left.retain(|index| calls[*index].iter().any(|callee| before.contains(callee)));
        if left.len() == before.len() {
            return Some(left);
        }
    }
    None
}

/// Callees first; of those that call each other, the ones that can be inlined come before the ones that cannot, and
/// after the ones that they call.
fn order(prog: &Prog, fixed: &[bool], calls: &[Vec<usize>]) -> Vec<usize> {
    let mut sorted = Vec::new();
    for group in call_groups(prog) {
        let (mut left, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        group
            .iter()
            .map(|id| id.0 as usize)
            .for_each(|index| if fixed[index] { last.push(index) } else { left.push(index) });
        while !left.is_empty() {
            let waits = |index: &usize| calls[*index].iter().any(|callee| left.contains(callee));
            let (later, now): (Vec<usize>, Vec<usize>) = left.iter().copied().partition(waits);
            sorted.extend(&now);
            // There is no circle among them.
            left = if now.is_empty() { Vec::new() } else { later };
        }
        sorted.append(&mut last);
    }
    sorted
}

struct Inliner {
    /// How many statements may be added.
    budget: usize,
    calls: Vec<usize>,
    fixed: Vec<bool>,
    /// The files of functions of a library.
    library: HashSet<FileId>,
    caller_is_library: bool,
}

impl Inliner {
    fn body(&mut self, prog: &Prog, sizes: &[usize], vars: &mut Vec<VarInfo>, body: &mut Body) {
        let mut stms = Vec::with_capacity(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            match &stm.exp {
                Exp::Control(ControlExp::Call { fun, args })
                    if self.should_inline(prog, sizes, *fun, &stm.attrs) =>
                {
                    let callee = &prog.funs[fun.0 as usize];
                    let library = (!self.caller_is_library).then_some(&self.library);
                    splice_seen(vars, &mut stms, callee, args, &stm, library);
                }
                _ => {
                    stm.for_each_part_mut(&mut |part| match part {
                        PartMut::Body(body) => self.body(prog, sizes, vars, body),
                        PartMut::Lambda(lambda) => self.body(prog, sizes, vars, &mut lambda.body),
                        PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
                    });
                    stms.push(stm);
                }
            }
        }
        body.stms = stms;
    }

    fn should_inline(&mut self, prog: &Prog, sizes: &[usize], fun: FunId, attrs: &[String]) -> bool {
        let index = fun.0 as usize;
        if self.fixed[index] || attrs.iter().any(|attr| attr == "noinline") {
            return false;
        }
        let size = sizes[index];
        if size <= SMALL
            || self.calls[index] == 1
            || prog.funs[index].attrs.iter().any(|attr| attr == "inline")
        {
            return true;
        }
        if size > LARGE || size > self.budget {
            return false;
        }
        self.budget -= size;
        true
    }
}
