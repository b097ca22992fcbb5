//! Group what a host asks of a device into tasks, which can be done in parts, each on another device.
//!
//! Before:
//! ```text
//! let ys: [n]f32 = grid 0i64 map n (xs) \(x: f32) { .. }
//! let s: f32 = grid 0i64 reduce n (ys) neutral (0f32) \(a: f32, b: f32) { .. }
//! ```
//! After:
//! ```text
//! let ys: [n]f32, s: f32 = task n (xs) do \(from: i64, count: i64, xs.2: [count]f32) {
//!   let ys.2: [count]f32 = grid 0i64 map count (xs.2) \(x: f32) { .. }
//!   let s.2: f32 = grid 0i64 reduce count (ys.2) neutral (0f32) \(a: f32, b: f32) { .. }
//!   in ys.2, s.2
//! } rows partial neutral (0f32) \(a.2: f32, b.2: f32) { .. }
//! ```
//!
//! Needs: a scheduled program whose operators have been placed (`place`). Gives: the same with tasks in functions of the host; what is left outside
//! of tasks is not split. No scalar is `@device` afterwards. Keeps: results, and which check fails first.
//!
//! Method. This is fission (Newton, Holk and McDonell: Exploiting Fine-Grained Parallelism in Multi-Device Accelerate, FHPC 2015, section 3), but the number of parts is not
//! in the text: the paper splits each operator in two, and a task is split at run time. A group grows statement by statement, as long as what the next one takes
//! from the group are rows of parts (`rows`): then parts need nothing of each other. So the group is as large as dependences allow, and what it makes and nobody else
//! needs never leaves its device. Loops and branches over rows are in the group as they are. A statement with another width, or one that needs all rows of what
//! the group has made, begins the next group. What the host computes meanwhile comes before the task.
//!
//! | statement | in a part | joined |
//! |---|---|---|
//! | map; views, loops and branches of rows | the same | rows; those of different lengths as lengths and elements |
//! | reduce | the same | partial |
//! | scan | the same, then combined with the carry; totals are reductions | rows |
//! | filter | the same | kept |
//! | partition | the same, cut where those that do not satisfy begin | kept twice, and both one after the other |
//! | hist | into neutral bins | partial, by bins; combined with the destination at the end |
//! | sort | as many runs as there are devices (`runs`) | merged, by a map |
//! | call of a lifted function with many rows | a call of a copy without tasks (`calls`) | rows |
//!
//! Refuses: scatters, cells, other functions, and all that is no kernel. An array that a lambda reads at indices which grow with the row is
//! read in windows (`windows`); other reads are of the whole array.
//!
//! Cost: linear, but for scans, whose totals repeat what the group computes for their inputs.

mod calls;
mod group;
mod hist;
mod making;
mod operators;
mod part;
mod rows;
mod runs;
mod windows;

use crate::nest::memory::signatures;
use crate::nest::mentions;
use crate::nest::subst::Names;
use calls::Lifted;
use group::TaskGroup;
use norn_ir::nest::grids::{HOST, IN_PARTS};
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{ArrayExp, Atom, Body, ControlExp, Elem, Exp, Fun, Prim, Prog, Stm, Type, Var};
pub use part::kernel;
pub use runs::Runs;
use std::collections::{HashMap, HashSet};

pub fn fission(prog: &mut Prog) {
    // For tests: few keys are sorted in runs, too, and pairs of these do not come out even.
    fission_in_runs(prog, Runs { count: 3, least: 8 }, 3);
}

/// With sorts in so many runs, and calls of lifted functions in parts if they have so many rows.
pub fn fission_in_runs(prog: &mut Prog, runs: Runs, rows_of_calls: i64) {
    let mut lifted = Lifted::of(prog, rows_of_calls);
    let signatures = signatures(prog);
    let is = |fun: &Fun, attr: &str| fun.attrs.iter().any(|given| given == attr);
    for fun in prog.funs.iter_mut().filter(|fun| is(fun, HOST) && !is(fun, IN_PARTS)) {
        fun.vars.iter_mut().for_each(|info| info.side = None);
        let mut body = std::mem::take(&mut fun.body);
        let mut remade = HashMap::new();
        remakable(&body, &mut remade);
        let mut fission = Fission { names: Names::of(&signatures, fun), remade, runs, lifted };
        fission.body(&mut body);
        lifted = fission.lifted;
        fun.vars = fission.names.vars;
        fun.body = body;
        normalise_fun(fun);
    }
}

/// An array that a part makes itself rather than taking rows of it.
#[derive(Clone, Copy)]
enum Remade {
    Range { prim: Prim, start: Atom, step: Atom },
    Replicate(Atom),
}

struct Fission {
    names: Names,
    /// Looked up only, never enumerated.
    remade: HashMap<Var, Remade>,
    runs: Runs,
    lifted: Lifted,
}

impl Fission {
    fn body(&mut self, body: &mut Body) {
        let last = last_mentions(&self.names, body);
        let mut out = Vec::with_capacity(body.stms.len());
        let mut group: Option<TaskGroup> = None;
        for (at, mut stm) in std::mem::take(&mut body.stms).into_iter().enumerate() {
            let is_needed = |var: Var| last.get(&var).is_some_and(|last| *last > at);
            if let Some(open) = &mut group {
                if open.takes(&self.names, &stm, &is_needed) {
                    continue;
                }
                if open.is_apart_from(&self.names, &stm) {
                    out.push(stm);
                    continue;
                }
                self.close(group.take(), &last, at, &mut out);
            }
            group = TaskGroup::begin(&self.names, &stm, &is_needed);
            if group.is_none() {
                if let Some(call) = self.call(&stm, &mut out) {
                    out.push(call);
                    continue;
                }
                match self.runs.sort(&mut self.names, &mut out, &stm) {
                    Some(sorted) => {
                        stm = sorted;
                        if let Exp::Control(ControlExp::If { els, .. }) = &mut stm.exp {
                            remakable(els, &mut self.remade);
                            self.body(els);
                        }
                    }
                    None => self.inside(&mut stm),
                }
                out.push(stm);
            }
        }
        self.close(group, &last, usize::MAX, &mut out);
        body.stms = out;
    }

    /// What the host runs inside a statement that is in no task.
    fn inside(&mut self, stm: &mut Stm) {
        if matches!(stm.exp, Exp::Control(_)) {
            stm.for_each_part_mut(&mut |part| {
                if let PartMut::Body(body) = part {
                    self.body(body);
                }
            });
        }
    }

    fn close(&mut self, group: Option<TaskGroup>, last: &HashMap<Var, usize>, at: usize, out: &mut Vec<Stm>) {
        let Some(group) = group else { return };
        let at = at.min(usize::MAX - 1);
        let is_needed = |var: Var| last.get(&var).is_some_and(|last| *last >= at);
        group.close(&mut self.names, &self.remade, &self.lifted, &is_needed, out);
    }
}

/// Where each variable is mentioned last in a body; at the end, if the body yields it.
fn last_mentions(names: &Names, body: &Body) -> HashMap<Var, usize> {
    let mut last = HashMap::new();
    let mut found = Vec::new();
    for (at, stm) in body.stms.iter().enumerate() {
        found.clear();
        mentions::in_stm(&names.vars, stm, &mut found);
        mentions::certs(stm, &mut found);
        last.extend(found.iter().map(|var| (*var, at)));
    }
    last.extend(body.result.iter().filter_map(|atom| atom.var()).map(|var| (var, usize::MAX)));
    last
}

/// Ranges, and copies of a scalar, wherever they are in a function of the host.
fn remakable(body: &Body, found: &mut HashMap<Var, Remade>) {
    for stm in &body.stms {
        match &stm.exp {
            Exp::Array(ArrayExp::Range { prim, count: _, start, step }) => {
                found.insert(stm.vars[0], Remade::Range { prim: *prim, start: *start, step: *step });
            }
            Exp::Array(ArrayExp::Replicate { count: _, value }) => {
                found.insert(stm.vars[0], Remade::Replicate(*value));
            }
            Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. } | ControlExp::Loop { .. }) => {
                stm.for_each_part(&mut |part| {
                    if let Part::Body(body) = part {
                        remakable(body, found);
                    }
                });
            }
            _ => {}
        }
    }
}

/// Cells are in one region, which is on one device.
fn has_cells(ty: &Type) -> bool {
    *ty == Type::Region || matches!(ty.elem(), Some(Elem::Ref(..)))
}

/// Whether none of these variables is in the set.
fn are_outside(found: &[Var], made: &HashSet<Var>) -> bool {
    found.iter().all(|var| !made.contains(var))
}
