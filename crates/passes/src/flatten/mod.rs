//! Distribute maps over the operators inside them (flattening), so that each operator can be a kernel.
//!
//! Before:
//! ```text
//! let yss: [n][m]f32 = map n (xss) \(xs: [m]f32) {
//!   let s: f32 = reduce m (xs) ..
//!   let t: f32 = sqrt.f32 s
//!   let ys: [m]f32 = map m (xs) \(x: f32) { .. x .. t .. }
//!   in ys
//! }
//! ```
//! After:
//! ```text
//! let enough: bool = ..                      // n is as much as the device can run, or m is little
//! let yss: [n][m]f32 = if enough {
//!   .. the nest as it was ..
//! } else {
//!   let ss: [n]f32 = map n (xss) \(xs: [m]f32) {
//!     let s: f32 = reduce m (xs) ..
//!     in s
//!   }
//!   let yss.2: [n][m]f32 = map n (xss, ss) \(xs: [m]f32, s: f32) {
//!     let t: f32 = sqrt.f32 s
//!     let ys: [m]f32 = map m (xs) \(x: f32) { .. x .. t .. }
//!     in ys
//!   }
//!   in yss.2
//! }
//! ```
//!
//! Needs: nest, optimised. Gives: nest with `workers` in it, so that it obeys the rules of flat. Every operator outside all maps is
//! - an operator whose lambda holds nothing worth running in parallel, or
//! - a *perfect nest*: a `map` of known width whose lambda consists of a perfect nest or such an operator, yields what that does, and has in
//!   front of it only what is cheap (scalars, elements, views), since every thread does that again; or
//! - one of these again in the lambda of a `map` as wide as the rows of an irregular array are long: a segmented operator;
//! - or `copy`, `replicate`, `concat` or `array` of rows in place of the operator.
//!
//! What writes to rows (scatter, histograms, updates) writes to the array of all rows instead, outside all maps (`writes`).
//!
//! What could not be distributed stays in the lambda of a map, and runs in one thread.
//! Keeps: results and failures, and the work up to a constant. Refuses: whatever has to do with cells.
//!
//! First, constants are read outside of operators (`constants`), streams become maps and loops (`chunks`), or scatters and histograms (`acc_streams`), and rows of different lengths that operators keep are taken by maps (`kept_rows`). Reductions
//! in branches that about half of the points take are done for all (`masked`).
//!
//! Method: the rules of the paper on Futhark (PLDI 2017, section 5), in one walk from the outside in. A `Context` holds the maps around a
//! place, and for each variable bound in them where a nest gets its value from: an input, an array outside, or a
//! statement that is cheap and done again. A body becomes nests statement by statement (`body`, `kernel`: G1, G3, G4); maps
//! become levels (`operators`: G2), reductions of rows those of columns (`columns`: G5, `components`), loops go outside (`loops`: G7) and hand on arrays
//! that their body overwrites. Rearrangements
//! (G6) are views, and done again.
//!
//! Where the paper stops, flattening goes on as NESL does (Blelloch; Bergstrom and Reppy, ICFP 2012), so that nothing is left inside:
//! - widths that vary become irregular arrays, by flat operators (`ragged`);
//! - a condition that varies partitions the elements, and each branch runs for its own only (`branches`, `parts`);
//! - a loop that runs more often for some elements goes on with those that are not done (`active`);
//! - a function that a map calls is inlined (`calls`), or if it is recursive *lifted*: it takes arrays of arguments, and is the
//!   distributed form of a map over these (`lift`). Recursion ends when no element is left. An argument that is the same for all
//!   elements is not lifted, else each element would have a copy. Calls of a recursive function that do not need each other are a map
//!   (`sibling_calls`).
//!
//! What the work depends on: an array that is overwritten for some elements of the map, by a branch, is copied for all. Loops that hand such
//! arrays on stay inside.
//!
//! Cost: linear, times the depth of maps.

mod acc_streams;
mod active;
mod all_elements;
mod assembled;
mod body;
mod branch_calls;
mod branches;
mod by_points;
pub mod calls;
mod chosen_elements;
mod chosen_rows;
mod chunks;
pub mod collapse;
mod columns;
mod components;
mod constants;
mod context;
mod few_rows;
mod groups;
pub mod kept_rows;
pub mod kernel;
mod levels;
mod lift;
mod loops;
mod masked;
mod mixed;
mod neutral;
pub mod one_group;
mod operators;
mod pairs;
mod parts;
mod picked_rows;
mod products;
mod ragged;
mod reshaped_rows;
mod selected;
mod shape;
mod short_rows;
mod sibling_calls;
mod sweeps;
mod threads;
mod thresholds;
mod trip_count;
mod uniform;
mod versions;
mod waits;
mod walks;
pub mod wide;
mod words;
mod work_first;
mod worth;
mod writes;

use crate::imp_gen::counted_vars;
use crate::nest::cse::cse;
use crate::nest::dce::dce;
use crate::nest::effects::{Effects, effects};
use crate::nest::hoist::hoist;
use crate::nest::memory::{Signature, memory, signatures};
use crate::nest::scalars::combined_rows;
use crate::nest::simplify::simplify;
use crate::nest::subst::{Names, Subst};
use crate::place::able::Able;
use crate::schedule::work::{FunWork, work};
use crate::tuning::Tuner;
use calls::{Inliner, called_outside};
use context::Context;
use lift::Lifts;
use norn_base::Span;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::{ArrayExp, Atom, Body, ControlExp, Exp, Fun, LoopForm, Prog, Stm, Var};
use one_group::OneGroup;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashMap;
use threads::keep_for_threads;
use thresholds::numbers;
pub use worth::has_cells;
use worth::{Worth, worth};

/// Whether a nest that is taken apart is also kept as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum VersionChoice {
    /// Both, and a test.
    Tested,
    /// No.
    Apart,
}

pub fn distribute(prog: &mut Prog) {
    distribute_tuned(prog, &mut Tuner::default());
}

/// With thresholds that a user may have set.
pub fn distribute_tuned(prog: &mut Prog, tuner: &mut Tuner) {
    distribute_by(prog, VersionChoice::Tested, tuner);
}

/// Without versions, so that tests see everything taken apart.
pub fn distribute_apart(prog: &mut Prog) {
    distribute_by(prog, VersionChoice::Apart, &mut Tuner::default());
}

fn distribute_by(prog: &mut Prog, choice: VersionChoice, tuner: &mut Tuner) {
    tuner.begin_pass();
    if constants::constants(prog) {
        dce(prog);
    }
    // All have to run.
    if chunks::chunks(prog) | acc_streams::acc_streams(prog) | kept_rows::kept_rows(prog) {
        for improve in [simplify, dce] {
            improve(prog);
        }
    }
    if few_rows::few_rows(prog) {
        for improve in [simplify, dce] {
            improve(prog);
        }
    }
    sibling_calls::join_calls(prog);
    put_calls_in_place(prog);
    // All have to run.
    if combined_rows(prog)
        | assembled::assembled(prog)
        | reshaped_rows::reshaped_rows(prog)
        | masked::masked(prog)
    {
        for improve in [simplify, dce] {
            improve(prog);
        }
    }
    if by_points::by_points(prog) {
        for improve in [simplify, hoist, cse, dce] {
            improve(prog);
        }
    }
    if all_elements::all_elements(prog, &called_outside(prog)) {
        for improve in [simplify, hoist, dce] {
            improve(prog);
        }
    }
    let worth = worth(prog);
    let effects = effects(prog);
    let signatures = signatures(prog);
    let able = Able::new(prog);
    let originals = prog.funs.clone();
    let outside = called_outside(prog);
    let mut inliner = Inliner::new(&originals, &worth, &effects);
    let work = work(prog);
    let none = FunWork::default();
    let mut lifts = Lifts::new(&originals);
    let walks = walks::walks(prog, &worth);
    let tables = Tables {
        choice,
        able: &able,
        worth: &worth,
        effects: &effects,
        signatures: &signatures,
        walks: &walks,
    };
    for (number, fun) in prog.funs.iter_mut().enumerate().filter(|(number, _)| outside[*number]) {
        let given = std::mem::replace(fun, Fun::nothing());
        tuner.begin_fun(&given.name);
        *fun = with_distributor(given, &tables, &work[number], &mut lifts, tuner, |distributor, mut fun| {
            let mut body = std::mem::take(&mut fun.body);
            distributor.host_body(&mut body);
            fun.body = body;
            fun
        });
    }
    while let Some((id, same)) = lifts.next() {
        let mut fun = originals[id.0 as usize].clone();
        inliner.fun(&mut fun, true);
        tuner.begin_fun(&format!("{}_lifted", fun.name));
        let lifted = with_distributor(fun, &tables, &none, &mut lifts, tuner, |distributor, fun| {
            distributor.lift(fun, &same)
        });
        prog.funs.push(lifted);
    }
    keep_for_threads(prog, &originals);
    // Also of what was taken apart.
    if reshaped_rows::reshaped_rows(prog) {
        dce(prog);
    }
}

/// In all maps. What the bodies have that does not depend on the map goes out of it.
fn put_calls_in_place(prog: &mut Prog) {
    let (worth, effects, originals) = (worth(prog), effects(prog), prog.funs.clone());
    let mut inliner = Inliner::new(&originals, &worth, &effects);
    let outside = called_outside(prog);
    for (fun, outside) in prog.funs.iter_mut().zip(outside) {
        if outside {
            inliner.fun(fun, false);
        }
    }
    if inliner.has_changed() {
        for improve in [simplify, hoist, cse, simplify, dce] {
            improve(prog);
        }
    }
}

/// What is known of the program.
struct Tables<'a> {
    choice: VersionChoice,
    able: &'a Able,
    worth: &'a Worth,
    effects: &'a Effects,
    /// Of each function, whether it walks (`walks`).
    walks: &'a [bool],
    signatures: &'a [Signature],
}

fn with_distributor(
    mut fun: Fun,
    tables: &Tables,
    work: &FunWork,
    lifts: &mut Lifts,
    tuner: &mut Tuner,
    change: impl FnOnce(&mut Distributor, Fun) -> Fun,
) -> Fun {
    let memory = memory(tables.signatures, &fun);
    let counted = counted_vars(&fun.vars, &fun.body);
    let numbers = numbers(tables.worth, &fun.body);
    let mut distributor = Distributor {
        names: Names { vars: std::mem::take(&mut fun.vars), memory },
        signatures: tables.signatures,
        effects: tables.effects,
        walks: tables.walks,
        worth: tables.worth,
        work,
        choice: tables.choice,
        able: tables.able,
        lifts,
        tuner,
        numbers,
        subst: Subst::default(),
        counted,
        replicated: HashMap::new(),
        transposed: FxHashSet::default(),
        out: Vec::new(),
        clock: 0,
        body_began: 0,
        taken_out: 0,
        too_narrow: Vec::new(),
        host_loops: 0,
        in_host_loop: false,
        handed_on: FxHashSet::default(),
        in_one_group: false,
        span: fun.span,
    };
    let mut fun = change(&mut distributor, fun);
    let Distributor { mut names, subst, .. } = distributor;
    subst.body_and_types(&mut names.vars, &mut fun.body);
    fun.vars = names.vars;
    normalise_fun(&mut fun);
    fun
}

/// One function being changed.
struct Distributor<'a, 'f> {
    names: Names,
    signatures: &'a [Signature],
    effects: &'a Effects,
    /// Of each function, whether it walks (`walks`).
    walks: &'a [bool],
    worth: &'a Worth,
    work: &'a FunWork,
    choice: VersionChoice,
    able: &'a Able,
    lifts: &'a mut Lifts<'f>,
    /// Provides thresholds, which are named by the numbers of nests.
    tuner: &'a mut Tuner,
    numbers: FxHashMap<Var, usize>,
    /// What stands for variables whose statement has been taken apart.
    subst: Subst,
    /// Ranges and replicated scalars of which only elements are used.
    counted: FxHashSet<Var>,
    /// Of arrays that are many times the same value, that value.
    replicated: HashMap<Var, Atom>,
    /// Views of arrays whose rows are not side by side in memory, as those of a transposed one.
    transposed: FxHashSet<Var>,
    /// Statements of the body around all maps.
    out: Vec<Stm>,
    /// Counts statements, to keep their order.
    clock: u32,
    /// When the body began that is looked at: what was stored before, others may need.
    body_began: u32,
    /// How many operators have been taken out of maps.
    taken_out: usize,
    /// Products of widths, times this many parts, that are known not to be enough for the device here.
    too_narrow: Vec<(Vec<Atom>, i64)>,
    /// How many loops around all maps a group may run.
    host_loops: usize,
    /// Whether a loop of the host is around, in each step of which the host should wait once at most.
    in_host_loop: bool,
    /// Numbers that loops around all maps hand on. The device may know them, and the host not yet.
    handed_on: FxHashSet<Var>,
    /// A loop is around that a group may run.
    in_one_group: bool,
    /// Of the statement that is looked at.
    span: Span,
}

impl Distributor<'_, '_> {
    /// A body around all maps.
    fn host_body(&mut self, body: &mut Body) {
        let outer = std::mem::take(&mut self.out);
        for stm in std::mem::take(&mut body.stms) {
            self.host_statement(stm);
        }
        body.stms = std::mem::replace(&mut self.out, outer);
    }

    fn host_statement(&mut self, mut stm: Stm) {
        self.span = stm.span;
        self.note(&stm);
        let is_free = !self.in_one_group && self.choice == VersionChoice::Tested;
        if let Some(group) = is_free.then(|| self.loop_by_one_group(&stm)).flatten() {
            return self.host_loop_or(group, stm);
        }
        if let Some(list) = self.with_nothing_handed_on(&stm) {
            return list.into_iter().for_each(|stm| self.host_statement(stm));
        }
        match &mut stm.exp {
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                self.host_body(then);
                self.host_body(els);
            }
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                cases.iter_mut().for_each(|(_, body)| self.host_body(body));
                self.host_body(default);
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                let numbers = params.iter().map(|(param, _)| param.var);
                self.handed_on.extend(numbers.filter(|var| self.names.vars[var.0 as usize].ty.is_scalar()));
                let around = std::mem::replace(&mut self.in_host_loop, true);
                match form {
                    LoopForm::For(..) => {}
                    LoopForm::While(cond) => self.host_body(cond),
                }
                self.host_body(body);
                self.in_host_loop = around;
            }
            exp => {
                let exp_is_op = exp.op().is_some();
                let may = exp_is_op && self.worth.in_stm(&stm);
                if let Some(list) = exp_is_op.then(|| self.chosen_rows(&stm)).flatten() {
                    return list.into_iter().for_each(|stm| self.host_statement(stm));
                }
                if may {
                    let rest = body::Rest { stms: &[], result: &[], after: None };
                    let at = self.tick();
                    let done = self.operator(&mut Context::default(), at, &stm, &rest, &mut Vec::new());
                    debug_assert!(done, "distribute: an operator outside all maps is lost");
                    return;
                }
            }
        }
        self.out.push(stm);
    }

    /// A loop that one group runs, if that is faster than its operators apart.
    fn host_loop_or(&mut self, group: OneGroup, mut stm: Stm) {
        let vars = stm.vars.clone();
        let span = stm.span;
        if let Exp::Control(ControlExp::Loop { params, .. }) = &mut stm.exp
            && !group.does_all
        {
            let started = self.names.like(&vars);
            let result = params.iter().map(|(_, initial)| *initial).collect();
            for ((_, initial), started) in params.iter_mut().zip(&started) {
                *initial = (*started).into();
            }
            self.out.extend(group.or(Body { stms: Vec::new(), result }, started, span));
            self.in_one_group = true;
            self.host_statement(stm);
            self.in_one_group = false;
            return;
        }
        let own = Stm { vars: self.names.like(&vars), ..stm };
        let result = own.vars.iter().map(|var| (*var).into()).collect();
        let mut apart = Body { stms: vec![own], result };
        self.in_one_group = true;
        self.host_body(&mut apart);
        self.in_one_group = false;
        self.out.extend(group.or(apart, vars, span));
    }

    fn note(&mut self, stm: &Stm) {
        if let (Exp::Array(ArrayExp::Replicate { count: _, value }), [var]) = (&stm.exp, &stm.vars[..]) {
            self.replicated.insert(*var, *value);
        }
        if let (Exp::Array(ArrayExp::Rearrange { array, perm }), [var]) = (&stm.exp, &stm.vars[..]) {
            let last = self.names.ty(*array).rank() - 1;
            if perm.get(last).is_some_and(|dim| *dim != last) {
                self.transposed.insert(*var);
            }
        }
    }

    fn tick(&mut self) -> u32 {
        self.clock += 1;
        self.clock
    }
}
