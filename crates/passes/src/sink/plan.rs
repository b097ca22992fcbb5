//! Which scalars of a host function come from the device, and which of these the host does not need.
//!
//! A scalar comes from the device if a kernel reduces to it, if the host reads it from an array, if it is computed from such a scalar, or if a
//! loop or a branch yields one (`sources`, again and again until nothing is new: what a loop hands on is known after its body). Of these the
//! host needs what it plans and decides by, and what it hands to functions (`needs`); with a scalar it needs what the scalar is computed from (`spread`).
//! What is left stays on the device:
//!
//! ```text
//! let total: f32 = reduce n (xs) ..       // stays: only the kernel needs it
//! let count: i64 = index sizes [0]        // does not: the host makes an array of this size
//! let half: f32 = mul.f32 total 0.5f32    // stays, and `total` with it
//! let ys: [count]f32 = map count (is) \(i: i64) { .. half .. }
//! ```
//!
//! An element of an array that is overwritten before the last kernel that needs it is *fleeting*: it is stored first (`carry`), as is what takes long to
//! compute. What the host
//! can compute from what it knows anyway, it computes once (`leave_to_host`).

use super::indexed::{indices_for_kernels, is_of_numbers};
use crate::nest::memory::{Signature, consumed};
use crate::nest::mentions;
use crate::nest::subst::Names;
use crate::place::able::{Able, RunsOn};
use crate::place::literals::is_known_literal;
use norn_ir::nest::grids::needs::{Plan as PlansBy, kernel_needs};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, DimIndex, Elem, Exp, LoopForm, Operator, ScalarExp, Stm, Type, Var,
};
use std::collections::HashSet;

/// Where the host has a scalar from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// It computes it, from what it knows.
    Host,
    /// A kernel reduces to it.
    Reduced,
    /// A statement that a thread could do as well: it reads an element, or computes with what comes from the device.
    Computed,
    /// The next value that a loop hands on, or what a branch yields, comes from the device.
    Carried,
}

pub struct Plan<'a> {
    names: &'a Names,
    able: &'a Able,
    signatures: &'a [Signature],
    found: Found,
    /// Sums of lengths of rows.
    sums: HashSet<Var>,
    /// Arrays of which the host reads elements.
    looked_up: HashSet<Var>,
}

/// What a plan knows of each variable.
pub struct Found {
    source: Vec<Source>,
    stays: Vec<bool>,
    /// Read from an array that is overwritten before all that needs it has run, or the result of a long computation.
    fleeting: Vec<bool>,
}

impl Found {
    pub fn source(&self, var: Var) -> Source {
        self.source.get(var.0 as usize).copied().unwrap_or(Source::Host)
    }

    /// Whether it comes from the device and the host does not need it.
    pub fn stays(&self, var: Var) -> bool {
        self.source(var) != Source::Host && self.stays[var.0 as usize]
    }

    /// Whether it has to be stored before threads need it.
    pub fn is_fleeting(&self, var: Var) -> bool {
        self.stays(var) && self.fleeting[var.0 as usize]
    }

    pub fn is_empty(&self) -> bool {
        !(0..self.source.len() as u32).any(|var| self.stays(Var(var)))
    }
}

/// Statements of more than so many others are not done by every thread, but once, by a thread that stores what they yield.
const MOST_REPEATED: usize = 24;
/// Statements of more than so many others are left to the host.
const MOST: usize = 1024;

impl<'a> Plan<'a> {
    pub fn of(names: &'a Names, able: &'a Able, signatures: &'a [Signature], body: &Body) -> Found {
        let count = names.vars.len();
        let found = Found {
            source: vec![Source::Host; count],
            stays: vec![true; count],
            fleeting: vec![false; count],
        };
        let (sums, looked_up) = (HashSet::new(), HashSet::new());
        let mut plan = Plan { names, able, signatures, found, sums, looked_up };
        plan.look_up(body);
        let mut known = HashSet::new();
        plan.literals(body, &mut known);
        note_sums(body, &mut plan.sums);
        while plan.sources(body, &known) {}
        plan.overwritten(body);
        let mut feeds = Vec::new();
        plan.needs(body, &mut feeds);
        body.result.iter().for_each(|atom| plan.need_atom(*atom));
        plan.spread(&feeds);
        while plan.leave_to_host(body) {
            plan.spread(&feeds);
        }
        plan.found
    }

    // # Where scalars come from

    /// Arrays whose elements the host knows.
    fn literals(&self, body: &Body, known: &mut HashSet<Var>) {
        for stm in &body.stms {
            if is_known_literal(&self.names.vars, stm) {
                known.insert(stm.vars[0]);
            }
            each_body(stm, &mut |body| self.literals(body, known));
        }
    }

    fn look_up(&mut self, body: &Body) {
        for stm in &body.stms {
            if let Exp::Array(ArrayExp::Index { array, .. }) = &stm.exp {
                self.looked_up.insert(*array);
            }
            each_body(stm, &mut |body| self.look_up(body));
        }
    }

    /// Notes the sources of what a body binds; whether something was new.
    fn sources(&mut self, body: &Body, known: &HashSet<Var>) -> bool {
        let mut changed = false;
        for stm in &body.stms {
            match &stm.exp {
                _ if self.is_for_cpu(stm) => {}
                Exp::Op(Operator::Reduce { .. } | Operator::Fused { .. }) if self.is_kernel(stm) => {
                    for var in &stm.vars {
                        changed |= self.is_number(*var) && self.set(*var, Source::Reduced);
                    }
                }
                _ if self.is_simple(stm, known) => {
                    if self.needs_device(stm) {
                        stm.vars.iter().for_each(|var| changed |= self.set(*var, Source::Computed));
                    }
                }
                Exp::Control(ControlExp::Loop { params, form: _, body }) => {
                    each_body(stm, &mut |body| changed |= self.sources(body, known));
                    for (at, (param, _)) in params.iter().enumerate() {
                        let next = body.result[at].var();
                        if self.is_number(param.var) && next.is_some_and(|next| self.is_from_device(next)) {
                            changed |= self.set(param.var, Source::Carried);
                            changed |= self.set(stm.vars[at], Source::Carried);
                        }
                    }
                }
                _ => {
                    let mut from_device = vec![false; stm.vars.len()];
                    each_body(stm, &mut |body| {
                        changed |= self.sources(body, known);
                        for (yes, atom) in from_device.iter_mut().zip(&body.result) {
                            *yes |= atom.var().is_some_and(|var| self.is_from_device(var));
                        }
                    });
                    for (var, _) in stm.vars.iter().zip(from_device).filter(|(_, yes)| *yes) {
                        changed |= self.is_number(*var) && self.set(*var, Source::Carried);
                    }
                }
            }
        }
        changed
    }

    fn set(&mut self, var: Var, source: Source) -> bool {
        let old = std::mem::replace(&mut self.found.source[var.0 as usize], source);
        old != source
    }

    fn is_from_device(&self, var: Var) -> bool {
        self.found.source(var) != Source::Host
    }

    /// Whether the processor runs all of the statement, with arrays of its own.
    fn is_for_cpu(&self, stm: &Stm) -> bool {
        self.able.runs_on(&self.names.vars, stm) == RunsOn::Cpu
    }

    fn is_kernel(&self, stm: &Stm) -> bool {
        stm.exp.op().is_some() && self.able.runs_on(&self.names.vars, stm) == RunsOn::Device
    }

    fn mentioned(&self, stm: &Stm) -> Vec<Var> {
        let mut mentioned = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut mentioned);
        mentioned
    }

    fn is_number(&self, var: Var) -> bool {
        matches!(self.names.ty(var), Type::Value(Elem::Prim(_), dims) if dims.is_empty())
    }

    /// Whether a thread could do the statement: it computes with scalars, or reads elements.
    fn is_simple(&self, stm: &Stm, known: &HashSet<Var>) -> bool {
        let mut count = 0;
        self.is_simple_stm(stm, known, &mut count) && count <= MOST
    }

    /// Whether each thread should rather read what a simple statement yields.
    fn is_long(stm: &Stm) -> bool {
        size(stm) > MOST_REPEATED
    }

    fn is_simple_stm(&self, stm: &Stm, known: &HashSet<Var>, count: &mut usize) -> bool {
        *count += 1;
        let mut in_body =
            |body: &Body| body.stms.iter().all(|stm| self.is_simple_stm(stm, known, &mut *count));
        stm.attrs.is_empty()
            && stm.vars.iter().all(|var| self.is_number(*var))
            && match &stm.exp {
                Exp::Scalar(exp) => !matches!(exp, ScalarExp::Workers | ScalarExp::Tunable(_)),
                Exp::Array(ArrayExp::Index { array, slice }) => {
                    slice.iter().all(|at| matches!(at, DimIndex::Fix(_))) && !known.contains(array)
                }
                Exp::Control(ControlExp::If { cond: _, then, els }) => in_body(then) && in_body(els),
                Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                    cases.iter().all(|(_, body)| in_body(body)) && in_body(default)
                }
                _ => false,
            }
    }

    /// Whether a simple statement needs something from the device.
    fn needs_device(&self, stm: &Stm) -> bool {
        reads(stm) || self.mentioned(stm).into_iter().any(|var| self.is_from_device(var))
    }

    /// Notes what is read from an array that a later statement overwrites, unless all that needs it comes before; and what takes long to compute.
    fn overwritten(&mut self, body: &Body) {
        for (at, stm) in body.stms.iter().enumerate() {
            if stm.vars.iter().any(|var| self.found.source(*var) == Source::Computed) {
                let mut arrays = self.mentioned(stm);
                arrays.retain(|var| self.names.ty(*var).is_array() && self.names.memory.is_taken(*var));
                let is_gone = !arrays.is_empty()
                    && !self.is_read_before(&arrays, &stm.vars, &body.stms[at + 1..], body);
                if is_gone || Self::is_long(stm) {
                    stm.vars.iter().for_each(|var| self.found.fleeting[var.0 as usize] = true);
                }
            }
            each_body(stm, &mut |body| self.overwritten(body));
        }
    }

    /// Whether nothing needs the variables once a statement that follows, or one inside it, has overwritten an array.
    fn is_read_before(&self, arrays: &[Var], vars: &[Var], after: &[Stm], body: &Body) -> bool {
        let memory = &self.names.memory;
        let overwrites = |stm: &Stm| {
            let consumed = consumed(&self.names.vars, stm, self.signatures);
            let mut pairs = consumed.iter().flat_map(|var| arrays.iter().map(move |array| (var, array)));
            pairs.any(|(var, array)| memory.class(*var) == memory.class(*array))
        };
        let Some(first) = after.iter().position(overwrites) else { return true };
        // What is computed with them takes them along.
        let mut with: Vec<Var> = vars.to_vec();
        let needs = |stm: &Stm, with: &[Var]| self.mentioned(stm).iter().any(|var| with.contains(var));
        for stm in &after[..first] {
            if stm.vars.iter().any(|var| self.is_from_device(*var)) && needs(stm, &with) {
                with.extend(&stm.vars);
            }
        }
        // What an update stores is made before it.
        let later = if matches!(after[first].exp, Exp::Array(_)) { first + 1 } else { first };
        !after[later..].iter().any(|stm| needs(stm, &with))
            && !body.result.iter().any(|atom| atom.var().is_some_and(|var| with.contains(&var)))
    }

    // # Who needs them

    fn need(&mut self, var: Var) {
        self.found.stays[var.0 as usize] = false;
    }

    fn need_atom(&mut self, atom: Atom) {
        atom.var().into_iter().for_each(|var| self.need(var));
    }

    /// Notes what the host needs in a body, its results aside. `feeds` are pairs of which the host needs the first if it needs the second.
    fn needs(&mut self, body: &Body, feeds: &mut Vec<(Var, Var)>) {
        let names = self.names;
        for stm in &body.stms {
            stm.vars.iter().for_each(|var| names.ty(*var).for_each_var(&mut |size| self.need(size)));
            if self.is_for_cpu(stm) {
                self.mentioned(stm).into_iter().for_each(|var| self.need(var));
                continue;
            }
            if self.is_kernel(stm) {
                kernel_needs(&names.vars, stm, PlansBy::Sizes, &mut |var| self.need(var));
                continue;
            }
            self.needs_sums(stm);
            if stm.vars.iter().any(|var| self.found.source(*var) == Source::Computed) {
                // What is computed together is computed in one place.
                let mentioned = self.mentioned(stm);
                let needed = mentioned.iter().chain(&stm.vars);
                feeds.extend(needed.flat_map(|var| stm.vars.iter().map(|of| (*var, *of))));
                continue;
            }
            match &stm.exp {
                Exp::Control(ControlExp::Loop { params, form, body }) => {
                    match form {
                        LoopForm::For(_, bound) => self.need_atom(*bound),
                        LoopForm::While(cond) => {
                            self.needs(cond, feeds);
                            cond.result.iter().for_each(|atom| self.need_atom(*atom));
                        }
                    }
                    self.needs(body, feeds);
                    for ((param, first), next) in params.iter().zip(&body.result) {
                        names.ty(param.var).for_each_var(&mut |size| self.need(size));
                        if self.found.source(param.var) != Source::Carried {
                            self.need_atom(*first);
                            self.need_atom(*next);
                            continue;
                        }
                        feeds.extend(first.var().map(|first| (first, param.var)));
                        // What the host knows, it hands on.
                        feeds.extend(next.var().into_iter().flat_map(|next| {
                            [(next, param.var), (param.var, next)].into_iter().filter(|(a, b)| a != b)
                        }));
                    }
                }
                Exp::Array(ArrayExp::ArrayLit(rows)) if matches!(rows[..], [Atom::Var(only)] if self.found.source(only) == Source::Reduced) =>
                    {}
                // A kernel makes it, unless the host looks at its elements.
                Exp::Array(ArrayExp::ArrayLit(rows))
                    if is_known_literal(&names.vars, stm)
                        && !self.looked_up.contains(&stm.vars[0])
                        && rows.iter().filter_map(|row| row.var()).any(|row| self.is_from_device(row)) => {}
                // A kernel makes it.
                Exp::Array(ArrayExp::Replicate { count, value: Atom::Var(value) })
                    if self.is_from_device(*value) =>
                {
                    self.need_atom(*count);
                }
                // Kernels do these, if it takes what only the device knows.
                Exp::Control(ControlExp::Check(check)) if is_of_numbers(check) => {}
                Exp::Array(ArrayExp::Index { slice, .. }) => self.needs_places(stm, slice),
                Exp::Array(ArrayExp::Update { array: _, slice, value }) => {
                    self.needs_places(stm, slice);
                    // The device stores it.
                    if !value.var().is_some_and(|value| self.is_from_device(value)) {
                        self.need_atom(*value);
                    }
                }
                exp => exp.for_each_part(&mut |part| match part {
                    Part::Atom(atom) => self.need_atom(*atom),
                    Part::Var(var) => self.need(*var),
                    Part::Binder(_) => {}
                    Part::Body(body) => {
                        self.needs(body, feeds);
                        for (var, atom) in stm.vars.iter().zip(&body.result) {
                            match self.found.source(*var) {
                                Source::Carried => feeds.extend(atom.var().map(|atom| (atom, *var))),
                                Source::Host | Source::Reduced | Source::Computed => self.need_atom(*atom),
                            }
                        }
                    }
                    Part::Lambda(lambda) => {
                        let mut mentioned = Vec::new();
                        mentions::in_lambda(&names.vars, lambda, &mut mentioned);
                        mentioned.into_iter().for_each(|var| self.need(var));
                    }
                }),
            }
        }
    }

    /// Where a part of an array is, unless a kernel finds it.
    fn needs_places(&mut self, stm: &Stm, slice: &[DimIndex]) {
        let for_kernels = indices_for_kernels(&self.names.vars, stm);
        for at in slice {
            match at {
                DimIndex::Fix(at) if for_kernels.contains(at) => {}
                DimIndex::Fix(at) => self.need_atom(*at),
                DimIndex::Slice { start, count, stride } => {
                    [start, count, stride].into_iter().for_each(|atom| self.need_atom(*atom));
                }
            }
        }
    }

    /// What is read of sums of lengths is needed: the host refuses what could not be counted.
    fn needs_sums(&mut self, stm: &Stm) {
        if reads_one_of(stm, &self.sums) {
            stm.vars.iter().for_each(|var| self.need(*var));
        }
    }

    fn spread(&mut self, feeds: &[(Var, Var)]) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (var, of) in feeds {
                if !self.found.stays(*of) && self.found.stays(*var) {
                    self.need(*var);
                    changed = true;
                }
            }
        }
    }

    /// What the host can compute from what it knows, it does once; whether there was something.
    fn leave_to_host(&mut self, body: &Body) -> bool {
        let mut changed = false;
        for stm in &body.stms {
            let computed = |var: &Var| self.found.source(*var) == Source::Computed && self.found.stays(*var);
            let is_known = || !self.mentioned(stm).iter().any(|var| self.found.stays(*var));
            if stm.vars.iter().any(computed) && !reads(stm) && is_known() {
                stm.vars.iter().for_each(|var| self.need(*var));
                changed = true;
            }
            each_body(stm, &mut |body| changed |= self.leave_to_host(body));
        }
        changed
    }
}

fn note_sums(body: &Body, sums: &mut HashSet<Var>) {
    for stm in &body.stms {
        if let Exp::Array(ArrayExp::Ends(_)) = &stm.exp {
            sums.extend(&stm.vars);
        }
        each_body(stm, &mut |body| note_sums(body, sums));
    }
}

/// Whether it reads an element of one of these arrays.
fn reads_one_of(stm: &Stm, arrays: &HashSet<Var>) -> bool {
    let mut found = matches!(&stm.exp, Exp::Array(ArrayExp::Index { array, .. }) if arrays.contains(array));
    each_body(stm, &mut |body| found |= body.stms.iter().any(|stm| reads_one_of(stm, arrays)));
    found
}

/// How many statements it is.
fn size(stm: &Stm) -> usize {
    let mut count = 1;
    each_body(stm, &mut |body| count += body.stms.iter().map(size).sum::<usize>());
    count
}

/// Whether it reads an element of an array.
fn reads(stm: &Stm) -> bool {
    let mut found = matches!(stm.exp, Exp::Array(_));
    each_body(stm, &mut |body| found |= body.stms.iter().any(reads));
    found
}

/// The bodies that run where the statement does.
pub fn each_body(stm: &Stm, f: &mut dyn FnMut(&Body)) {
    stm.for_each_part(&mut |part| {
        if let Part::Body(body) = part {
            f(body);
        }
    });
}
