//! Turns operators in grids into kernels of flat, each with the line of the capability table that implements it.
//!
//! ```text
//! let k: i64, ys: [k]f32 = grid filter n (xs) \(x: f32) { .. in c, x }
//!
//! let k: i64, ys: [k]f32 = grid (| i < n) { let x: f32 = index xs [i]  .. in c, x } filter c (x) how filter.lookback(each: 15)
//! ```
//!
//! It peels the maps around an operator into points, the innermost operator into outs, and decides the `how` from operators, types and
//! facts such as commutativity (`KernelForm` lists the forms). What it cannot express stays a map with a thread for each row.
//!
//! Temporary: when `flatten` makes kernels and `select` decides `how`, this file goes.

mod hists;

use super::GROUP;
use super::groups::{FEW, FEW_THREADS};
use super::hist::operator::is_exact;
use super::irregular::MOST_COLUMNS;
use super::kernel::Kernel;
use super::map::{SIDE, is_done_by_elements, is_little, split_loads};
use super::point_order::is_short;
use super::points::HostFacts;
use super::room::{Combined, bytes_of, kept_by_thread};
use super::staged::reduction;
use crate::imp_gen::counted::counted_vars;
use crate::imp_gen::operators::cost::Cost;
use crate::imp_gen::operators::elementwise::joined;
use crate::imp_gen::repr::prim_of;
use crate::nest::mentions;
use crate::tuning::Tuner;
pub use hists::Hists;
use norn_ir::flat::{Extent, How, Into, Level, Line, Out, SpaceDim, Tunable};
use norn_ir::imp::Prim;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, Combining, ControlExp, Dim, DimIndex, Exp, Fun, Lambda, LoopForm, Operator,
    Reduction, Scalar, ScalarExp, Stm, Type, Var, VarInfo,
};
use rustc_hash::FxHashMap;
use std::collections::HashSet;

/// So many elements at least a thread of a reduction should have, if it does little with each.
const SHARE: i64 = 8;
/// So many a thread of a filter has, whose tiles wait for one another, if it computes for long.
const FEW_LONG: i64 = 4;
/// How many elements a thread of a map has if it has several, and how many statements may stand in each of them.
const BATCH: i64 = 4;
const MOST_STATEMENTS: usize = 128;

/// The kernels that an operator can be.
#[allow(clippy::large_enum_variant)] // There are few, and they do not live long.
pub enum KernelForm {
    Kernel(Kernel),
    /// A map, by a thread for each element, or, if it ends in an operator, by elements of all rows.
    Map {
        map: Kernel,
        /// For each map but the innermost, how many of the first statements stand before the map inside it.
        between: Vec<usize>,
        inner: Option<Box<Inner>>,
    },
    /// A map of whose results those with these numbers are lengths of rows, which are added up at once.
    Lengths(Kernel, Vec<usize>),
    /// A map that makes rows of different lengths, by a thread for each.
    Uneven(Kernel),
    /// A map whose elements are done by groups of threads.
    Groups(Kernel),
    Hists(Hists),
}

/// A map whose threads have an operator, as a kernel of that.
pub enum Inner {
    Reduce(Reducing),
    /// The kernel binds these variables, some of which may be unused.
    Scan {
        kernel: Kernel,
        vars: Vec<Var>,
        between: Vec<usize>,
    },
}

impl Inner {
    /// Whether it is in any case a thread for each row that does it.
    pub fn is_by_rows(&self) -> bool {
        match self {
            Inner::Scan { .. } => false,
            Inner::Reduce(Reducing { kernel, by_elements, .. }) => !by_elements || is_short(kernel),
        }
    }
}

/// A map whose threads reduce, as a kernel that reduces.
pub struct Reducing {
    pub kernel: Kernel,
    /// Whether several threads may have one row: its elements, and what becomes of the sum, are scalars, and all rows are combined in one
    /// way.
    pub by_elements: bool,
    /// If rows have lengths of their own: what computes the length of each.
    pub lengths: Option<Kernel>,
}

/// The kernels of a host function, by the operators in its body. Their dimensions are new variables of the function.
pub fn kernels_of(fun: &mut Fun, tuner: &mut Tuner) -> FxHashMap<*const Operator, KernelForm> {
    let mut found = FxHashMap::default();
    let body = std::mem::take(&mut fun.body);
    tuner.begin_fun(&fun.name);
    in_body(&mut fun.vars, &body, &mut HostFacts::default(), tuner, &mut found);
    fun.body = body;
    found
}

fn in_body(
    vars: &mut Vec<VarInfo>,
    body: &Body,
    known: &mut HostFacts,
    tuner: &mut Tuner,
    found: &mut FxHashMap<*const Operator, KernelForm>,
) {
    let lengths = lengths_in(body);
    for stm in &body.stms {
        known.note(stm);
        match (&stm.exp, stm.grid) {
            (Exp::Op(op), Some(_)) => {
                let inside = mentions::bound_inside(stm);
                let form =
                    KernelBuilder { vars, stm, inside, lengths: &lengths, tuner, number: found.len() + 1 }
                        .form(op);
                let form = form.map(|form| match form {
                    KernelForm::Kernel(kernel) => {
                        KernelForm::Kernel(known.with_points(vars, stm.span, kernel))
                    }
                    KernelForm::Hists(Hists { stored, kernels }) => {
                        let kernels = kernels.into_iter();
                        let kernels =
                            kernels.map(|(kernel, at)| (known.with_points(vars, stm.span, kernel), at));
                        KernelForm::Hists(Hists { stored, kernels: kernels.collect() })
                    }
                    form => form,
                });
                found.extend(form.map(|form| (std::ptr::from_ref(op), form)));
            }
            (exp, _) => exp.for_each_part(&mut |part| match part {
                Part::Body(body) => in_body(vars, body, known, tuner, found),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) | Part::Lambda(_) => {}
            }),
        }
    }
}

/// Arrays of lengths for which a body looks up where rows of these lengths begin and end.
fn lengths_in(body: &Body) -> HashSet<Var> {
    let lengths = body.stms.iter().filter_map(|stm| match &stm.exp {
        Exp::Array(ArrayExp::Ends(lengths) | ArrayExp::Segment { lengths, .. }) => Some(*lengths),
        _ => None,
    });
    lengths.collect()
}

/// A kernel in the making, of this statement.
struct KernelBuilder<'a> {
    vars: &'a mut Vec<VarInfo>,
    stm: &'a Stm,
    /// What is bound inside of it.
    inside: HashSet<Var>,
    /// Arrays of lengths whose offsets are needed.
    lengths: &'a HashSet<Var>,
    /// Provides tunables, which are named by the number of the operator among the kernels of the function.
    tuner: &'a mut Tuner,
    number: usize,
}

/// Maps in maps: their dimensions, what threads do for an element before the body of the innermost, and that.
struct Maps<'a> {
    points: Vec<SpaceDim>,
    before: Vec<Stm>,
    /// How many of these stand before each map but the first.
    between: Vec<usize>,
    bottom: &'a Body,
}

impl KernelBuilder<'_> {
    fn form(&mut self, op: &Operator) -> Option<KernelForm> {
        let kernel = match op {
            Operator::Filter { width, inputs, lambda } => {
                let out = Out::Filter { values: lambda.body.result.len() - 1 };
                let how = self.filter_how(lambda);
                self.over(*width, inputs, Some(lambda), vec![out], how)
            }
            Operator::Partition { width, inputs, lambda } => {
                let out = Out::Partition { values: lambda.body.result.len() - 1 };
                let how = self.filter_how(lambda);
                self.over(*width, inputs, Some(lambda), vec![out], how)
            }
            Operator::Reduce { .. } | Operator::Scan { .. } | Operator::Fused { .. } => {
                let op = op.combining()?;
                let is_long = op.lambda.is_some_and(is_long);
                let how = match op.scans.is_empty() {
                    true => self.how(Line::ReduceElements, Tunable::Each, if is_long { 1 } else { SHARE }),
                    false => self.scan_how(op.scans, op.reductions, false)?,
                };
                self.over(op.width, op.inputs, op.lambda, combining_outs(&op), how)
            }
            Operator::Scatter { width, dests, inputs, lambda } => {
                let out =
                    Out::Scatter { indices: lambda.body.result.len() - dests.len(), into: whole(dests) };
                let how = self.how(Line::ScatterElements, Tunable::Each, 1);
                self.over(*width, inputs, Some(lambda), vec![out], how)
            }
            Operator::Hist { width, dests, op, inputs, lambda } => {
                return Some(KernelForm::Hists(self.hists(*width, dests, op, inputs, lambda)));
            }
            Operator::Map { width, inputs, lambda } => {
                let is_uneven = self.stm.vars.iter().any(|var| self.ty(*var).has_irregular_rows());
                return Some(match is_uneven {
                    true => KernelForm::Uneven(self.single(*width, inputs, lambda)),
                    false => self.map(*width, inputs, lambda),
                });
            }
            Operator::Sort { .. }
            | Operator::Stream { .. }
            | Operator::AccStream { .. }
            | Operator::Task(_) => return None,
        };
        Some(KernelForm::Kernel(kernel))
    }

    fn map(&mut self, width: Atom, inputs: &[Var], lambda: &Lambda) -> KernelForm {
        let maps = self.maps(width, inputs, lambda);
        let stms = maps.before.iter().chain(&maps.bottom.stms).cloned().collect();
        let body = Body { stms, result: maps.bottom.result.clone() };
        if has_grids(maps.bottom) {
            let outs = vec![Out::Map { values: body.result.len(), into: Vec::new() }];
            let threads = if has_few_threads(self.stm) { FEW_THREADS } else { GROUP };
            let how = Some(How { line: Line::MapGroup, args: vec![(Tunable::Group, threads)] });
            let (level, points, through) = (Level::Groups, maps.points, Vec::new());
            return KernelForm::Groups(Kernel { level, points, through, when: None, body, outs, how });
        }
        let scalars = self.stm.vars.iter().all(|var| self.ty(*var).rank() == 1);
        if let Some(lengths) = self.added_up(&maps, &body, scalars) {
            let outs = vec![Out::Map { values: body.result.len(), into: Vec::new() }];
            return KernelForm::Lengths(grid(maps.points, Vec::new(), body, outs, by_threads()), lengths);
        }
        let how = self.tuned(map_how(&maps, &body, scalars), i64::MAX);
        let outs = vec![Out::Map { values: body.result.len(), into: Vec::new() }];
        let map = grid(maps.points.clone(), Vec::new(), body, outs, how);
        let inner = self.scanning(&maps).or_else(|| self.reducing(&maps).map(Inner::Reduce));
        KernelForm::Map { map, between: maps.between, inner: inner.map(Box::new) }
    }

    /// Which results of a map are lengths of rows that are added up by the same kernel. Its threads have several elements each, so it must
    /// be little that they do.
    fn added_up(&self, maps: &Maps, body: &Body, scalars: bool) -> Option<Vec<usize>> {
        let cost = Cost::of(body);
        let is_little = cost.operations <= MOST_STATEMENTS && !cost.loops && !cost.calls;
        let vars = self.stm.vars.iter().enumerate();
        let lengths: Vec<usize> =
            vars.filter(|(_, var)| self.lengths.contains(var)).map(|(number, _)| number).collect();
        let is_one = maps.points.len() == 1 && scalars && is_little;
        (is_one && !lengths.is_empty() && lengths.len() <= MOST_COLUMNS).then_some(lengths)
    }

    /// A map with one point for each element, whatever stands in it.
    fn single(&mut self, width: Atom, inputs: &[Var], lambda: &Lambda) -> Kernel {
        let i = self.new_var("i", Type::i64());
        let body = self.body_of(i, inputs, Some(lambda));
        let outs = vec![Out::Map { values: body.result.len(), into: Vec::new() }];
        grid(vec![SpaceDim { var: i, extent: Extent::Size(width) }], Vec::new(), body, outs, by_threads())
    }

    /// Between the maps may stand what costs next to nothing: it is done again for every element.
    fn maps<'m>(&mut self, width: Atom, inputs: &[Var], lambda: &'m Lambda) -> Maps<'m> {
        let (mut width, mut inputs, mut lambda) = (width, inputs.to_vec(), lambda);
        let (mut points, mut before, mut between_maps) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let var = self.new_var("i", Type::i64());
            points.push(SpaceDim { var, extent: Extent::Size(width) });
            before.extend(self.elements_at(var, &inputs, &lambda.params));
            // What the threads of a group do together is no level.
            let is_level =
                |between: &[Stm], stm: &Stm| stm.grid.is_none() && is_done_by_elements(self.vars, between);
            let inner = only_operator(lambda).filter(|(between, stm)| is_level(between, stm));
            match inner.map(|(between, stm)| (between, &stm.exp)) {
                Some((between, Exp::Op(Operator::Map { width: next, inputs: rows, lambda: inside })))
                    if self.is_outside(*next) =>
                {
                    before.extend(between.iter().cloned());
                    between_maps.push(before.len());
                    (width, inputs, lambda) = (*next, rows.clone(), inside);
                }
                _ => return Maps { points, before, between: between_maps, bottom: &lambda.body },
            }
        }
    }

    fn is_outside(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| !self.inside.contains(&var))
    }

    /// A scan of scalars at the bottom: it is segmented, with a segment for each point.
    fn scanning(&mut self, maps: &Maps) -> Option<Inner> {
        let (stm, before) = maps.bottom.stms.split_last()?;
        let op = stm.exp.op()?.combining()?;
        let Combining { width, inputs, lambda, scans, reductions } = op;
        if scans.is_empty() || !reductions.is_empty() {
            return None;
        }
        let places: Vec<usize> = maps
            .bottom
            .result
            .iter()
            .map(|atom| stm.vars.iter().position(|var| Atom::Var(*var) == *atom))
            .collect::<Option<_>>()?;
        let each_once = places.iter().enumerate().all(|(at, place)| !places[..at].contains(place));
        let is_scalar = |var: &Var| self.ty(*var).is_scalar();
        let scalars = scans.iter().all(|op| op.lambda.params.iter().all(is_scalar));
        let all_same = scans.iter().all(|op| self.is_same_for_all(op));
        if !each_once
            || !scalars
            || !all_same
            || !self.is_outside(width)
            || !self.is_done_again(before, maps.bottom)
        {
            return None;
        }
        let how = self.scan_how(scans, &[], true)?;
        let j = self.new_var("j", Type::i64());
        let inner = self.body_of(j, inputs, lambda);
        let outs = combining_outs(&op);
        let stms = maps.before.iter().chain(before).cloned().chain(inner.stms).collect();
        let body = Body { stms, result: inner.result };
        let through = vec![SpaceDim { var: j, extent: Extent::Size(width) }];
        let mut vars = Vec::with_capacity(stm.vars.len());
        for (number, var) in stm.vars.iter().enumerate() {
            vars.push(match places.iter().position(|place| *place == number) {
                Some(at) => self.stm.vars[at],
                None => {
                    let of_points = maps.points.iter().filter_map(|dim| dim.size()).map(Dim::Size);
                    let row = self.ty(*var).clone();
                    let dims = of_points.chain(row.dims().iter().copied()).collect();
                    self.new_var("unwanted", row.with_dims(dims))
                }
            });
        }
        let between = maps.between.iter().copied().chain([maps.before.len() + before.len()]).collect();
        Some(Inner::Scan { kernel: grid(maps.points.clone(), through, body, outs, how), vars, between })
    }

    /// Whether every element may do these statements of a body again. Rows that are never made cost nothing.
    fn is_done_again(&self, stms: &[Stm], body: &Body) -> bool {
        let counted = counted_vars(self.vars, body);
        let is_made = |stm: &&Stm| !matches!(&stm.exp, Exp::Array(ArrayExp::Replicate { .. }) if counted.contains(&stm.vars[0]));
        let made: Vec<Stm> = stms.iter().filter(is_made).cloned().collect();
        is_done_by_elements(self.vars, &made)
    }

    /// Whether an operator depends on nothing that is bound in the statement: it may then combine what several threads have.
    fn is_same_for_all(&self, op: &Reduction) -> bool {
        let mut used = Vec::new();
        mentions::in_reduction(self.vars, op, &mut used);
        used.iter().all(|var| !self.inside.contains(var))
    }

    /// The first reduction of scalars at the bottom: each thread has one element of one row, and what follows becomes of the sum.
    fn reducing(&mut self, maps: &Maps) -> Option<Reducing> {
        let at = maps.bottom.stms.iter().position(|stm| reduction(stm).is_some())?;
        let sweep = reduction(&maps.bottom.stms[at])?;
        let (before, after) = (&maps.bottom.stms[..at], &maps.bottom.stms[at + 1..]);
        let is_scalar = |var: &Var| self.ty(*var).is_scalar();
        let scalars = sweep.reductions.iter().all(|op| op.lambda.params.iter().all(is_scalar));
        if !self.is_done_again(before, maps.bottom) || !scalars || sweep.inputs.is_empty() {
            return None;
        }
        // Rows of different lengths are those of the only map's input, or each point computes its own.
        let own = sweep.width.var().filter(|_| !self.is_outside(sweep.width));
        let rows = own.and_then(|length| irregular_rows(maps, length, sweep.inputs[0]));
        let extent = rows.map_or(Extent::Size(sweep.width), Extent::Row);
        let same_for_all = sweep.reductions.iter().all(|op| self.is_same_for_all(op));
        let results = maps.bottom.result.iter().filter_map(|atom| atom.var());
        let op = joined(sweep.reductions);
        let columns = &op.lambda.params[..op.neutral.len()];
        let bytes = columns.iter().map(|param| self.ty(*param).elem_bytes()).sum();
        let by_elements = same_for_all
            && Combined::of(&[], std::slice::from_ref(&op), |_| bytes).fits()
            && is_little(after)
            && results.into_iter().all(|var| is_scalar(&var));

        let j = self.new_var("j", Type::i64());
        let mut stms = maps.before.clone();
        stms.extend(before.iter().cloned());
        // Rows without elements are checked there, too.
        let lengths = own.filter(|_| rows.is_none()).map(|length| {
            let body = Body { stms: stms.clone(), result: vec![length.into()] };
            let outs = vec![Out::Map { values: 1, into: Vec::new() }];
            grid(maps.points.clone(), Vec::new(), body, outs, by_threads())
        });
        let mut live = self.used_by(after, &maps.bottom.result);
        // What is checked of a point is checked there, whether it has elements or not.
        let checks = stms.iter().filter(|stm| matches!(stm.exp, Exp::Control(ControlExp::Check(_))));
        live.extend(checks.flat_map(|stm| &stm.vars));
        let mut last = mentions::needed(self.vars, &stms, &mut live);
        last.extend(after.iter().cloned());
        let last = Body { stms: last, result: maps.bottom.result.clone() };
        let after = Some(Lambda::new(sweep.vars.to_vec(), last));
        let inner = self.body_of(j, sweep.inputs, sweep.lambda);
        let mut live = self.used_by(&inner.stms, &inner.result);
        mentions::in_reduction(self.vars, &op, &mut live);
        let mut stms = mentions::needed(self.vars, &stms, &mut live);
        stms.extend(inner.stms);
        let body = Body { stms, result: inner.result };
        let outs = vec![Out::Reduce { op, after }];
        let through = vec![SpaceDim { var: j, extent }];
        let how = self.how(Line::ReduceElements, Tunable::Each, SHARE);
        let kernel = grid(maps.points.clone(), through, body, outs, how);
        // A thread for each row needs none of it.
        (by_elements || lengths.is_none()).then_some(Reducing { kernel, by_elements, lengths })
    }

    /// What statements and results need of what comes before them.
    fn used_by(&self, stms: &[Stm], results: &[Atom]) -> Vec<Var> {
        let mut live = Vec::new();
        mentions::in_atoms(results, &mut live);
        for stm in stms {
            mentions::in_stm(self.vars, stm, &mut live);
            mentions::certs(stm, &mut live);
        }
        live
    }

    /// A kernel without points, whose body has what the lambda does with the elements of the inputs, or these.
    fn over(
        &mut self,
        width: Atom,
        inputs: &[Var],
        lambda: Option<&Lambda>,
        outs: Vec<Out<Operator>>,
        how: How,
    ) -> Kernel {
        let i = self.new_var("i", Type::i64());
        let body = self.body_of(i, inputs, lambda);
        let through = vec![SpaceDim { var: i, extent: Extent::Size(width) }];
        grid(Vec::new(), through, body, outs, how)
    }

    /// What the lambda does with the elements of the inputs at an index, or these.
    fn body_of(&mut self, i: Var, inputs: &[Var], lambda: Option<&Lambda>) -> Body {
        let Some(lambda) = lambda else {
            let params: Vec<Var> = inputs.iter().map(|input| self.element_of(*input)).collect();
            let stms = self.elements_at(i, inputs, &params);
            return Body { stms, result: params.into_iter().map(Atom::Var).collect() };
        };
        let mut stms = self.elements_at(i, inputs, &lambda.params);
        stms.extend(lambda.body.stms.iter().cloned());
        Body { stms, result: lambda.body.result.clone() }
    }

    /// The elements and rows of inputs at an index; of irregular rows the length, too.
    fn elements_at(&self, i: Var, inputs: &[Var], mut params: &[Var]) -> Vec<Stm> {
        let mut stms = Vec::with_capacity(inputs.len());
        for input in inputs {
            let count = 1 + usize::from(self.ty(*input).has_irregular_rows());
            let (bound, rest) = params.split_at(count);
            params = rest;
            let exp = Exp::index(*input, vec![DimIndex::Fix(Atom::Var(i))]);
            stms.push(Stm::new(bound.to_vec(), exp, self.stm.span));
        }
        stms
    }

    fn element_of(&mut self, input: Var) -> Var {
        let ty = self.ty(input).row().expect("imp_gen: an input that is no array");
        self.new_var("x", ty)
    }

    fn new_var(&mut self, name: &str, ty: Type) -> Var {
        self.vars.push(VarInfo::new(name, ty));
        Var(self.vars.len() as u32 - 1)
    }

    fn ty(&self, var: Var) -> &Type {
        &self.vars[var.0 as usize].ty
    }

    fn prim(&self, var: Var) -> Prim {
        prim_of(self.ty(var).elem().expect("imp_gen: a column of no values"))
    }

    // # How

    /// What a thread keeps of its elements should fit into registers, and the fewer tiles there are, the less they wait for one another.
    fn filter_how(&mut self, lambda: &Lambda) -> How {
        let bytes = |var: &Var| {
            let row = self.ty(*var).row().and_then(|row| kept_by_thread(&row));
            self.prim(*var).size() as i64 * row.expect("imp_gen: a filter of what a thread cannot keep")
        };
        let each = match self.stm.vars[1..].iter().map(bytes).sum() {
            _ if is_long(lambda) => FEW_LONG,
            ..=8 => 15,
            9..=32 => 9,
            _ => 5,
        };
        self.how(Line::FilterLookback, Tunable::Each, each)
    }

    /// None: it does not fit into a group. A segmented scan has one more column.
    fn scan_how(&mut self, scans: &[Reduction], reductions: &[Reduction], is_segmented: bool) -> Option<How> {
        let prims = |op: &Reduction| -> Vec<Prim> {
            op.lambda.params[..op.neutral.len()].iter().map(|param| self.prim(*param)).collect()
        };
        let flag = if is_segmented { 4 } else { 0 };
        let combined = Combined::of(scans, reductions, |op| bytes_of(&prims(op)) + flag);
        let exact = scans.iter().all(|op| is_exact(&op.lambda.body));
        if let Some(each) = exact.then(|| combined.elements_per_thread(true)).flatten() {
            let how = How { line: Line::ScanLookback, args: vec![(Tunable::Each, each)] };
            return Some(self.tuned(how, combined.most_per_thread(true)));
        }
        let how =
            How { line: Line::ScanThree, args: vec![(Tunable::Each, combined.elements_per_thread(false)?)] };
        Some(self.tuned(how, combined.most_per_thread(false)))
    }

    fn how(&mut self, line: Line, tunable: Tunable, value: i64) -> How {
        self.tuned(How { line, args: vec![(tunable, value)] }, i64::MAX)
    }

    /// With what the user has set. What is tuned can be at most so much in this kernel.
    fn tuned(&mut self, mut how: How, most: i64) -> How {
        for (tunable, value) in &mut how.args {
            let range = how.line.range(*tunable);
            // Some numbers are not for a user to choose.
            if range.start() < range.end() {
                let what = format!("{}.{}", how.line.name(), tunable.name());
                let range = *range.start()..=most.min(*range.end());
                *value = self.tuner.ask(self.number, &what, *value, range, self.stm.span).unwrap_or(*value);
            }
        }
        how
    }
}

/// Whether a thread computes so long for an element that it should not have many, one after the other.
fn is_long(lambda: &Lambda) -> bool {
    Cost::of(&lambda.body).is_long()
}

/// Scans, then reductions, then what is kept as it is.
fn combining_outs(op: &Combining) -> Vec<Out<Operator>> {
    let scanned = op.scans.iter().map(|op| Out::Scan { op: op.clone(), after: None });
    let reduced = op.reductions.iter().map(|op| Out::Reduce { op: op.clone(), after: None });
    let values = op.lambda.map_or(0, |lambda| lambda.body.result.len() - op.combined());
    let kept = (values > 0).then(|| Out::Map { values, into: Vec::new() });
    scanned.chain(reduced).chain(kept).collect()
}

/// A kernel of threads.
fn grid(
    points: Vec<SpaceDim>,
    through: Vec<SpaceDim>,
    body: Body,
    outs: Vec<Out<Operator>>,
    how: How,
) -> Kernel {
    Kernel { level: Level::Grid, points, through, when: None, body, outs, how: Some(how) }
}

/// A thread for each element.
fn by_threads() -> How {
    How { line: Line::MapThread, args: Vec::new() }
}

fn whole(dests: &[Var]) -> Vec<Into> {
    dests.iter().map(|array| Into { array: *array, part: Vec::new() }).collect()
}

/// Which thread has which elements of a map: several, if scalars are computed of scalars, nothing can go wrong, and one group does not have enough threads anyway; else one,
/// in squares where loops differ from element to element.
fn map_how(maps: &Maps, body: &Body, scalars: bool) -> How {
    let fits_in_group = matches!(maps.points[0].size(), Some(Atom::Const(Scalar::I64(..=GROUP))));
    let numeric = maps.points.len() == 1 && scalars && !fits_in_group && {
        let (loads, rest) = split_loads(body, maps.points[0].var);
        !loads.is_empty() && numeric_statements(rest).is_some_and(|count| count <= MOST_STATEMENTS)
    };
    if numeric {
        return How { line: Line::MapSeveral, args: vec![(Tunable::Each, BATCH)] };
    }
    if maps.points.len() > 1 && has_while(maps.bottom) {
        return How { line: Line::MapBlocks, args: vec![(Tunable::Tile, SIDE), (Tunable::Block, 1)] };
    }
    by_threads()
}

/// The irregular array of which the map's input has this row, with this length.
fn irregular_rows(maps: &Maps, length: Var, row: Var) -> Option<Var> {
    let [_] = maps.points[..] else { return None };
    maps.before.iter().find_map(|stm| match &stm.exp {
        Exp::Array(ArrayExp::Index { array, .. }) if stm.vars == [length, row] => Some(*array),
        _ => None,
    })
}

/// What comes before the last statement, and that, if it is an operator and yields all that the lambda yields, each once and in order.
fn only_operator(lambda: &Lambda) -> Option<(&[Stm], &Stm)> {
    let (stm, before) = lambda.body.stms.split_last()?;
    let yields = lambda.body.result.iter().map(|atom| atom.var()).eq(stm.vars.iter().map(|var| Some(*var)));
    yields.then_some((before, stm))
}

/// Whether a loop stands in it that ends when it wants.
fn has_while(body: &Body) -> bool {
    body.stms
        .iter()
        .any(|stm| matches!(&stm.exp, Exp::Control(ControlExp::Loop { form: LoopForm::While(_), .. })))
}

/// How many statements there are, if all of them compute scalars without a loop and nothing can go wrong.
fn numeric_statements(stms: &[Stm]) -> Option<usize> {
    let mut count = 0;
    for stm in stms {
        count += match &stm.exp {
            Exp::Scalar(
                ScalarExp::Atom(_)
                | ScalarExp::Un(..)
                | ScalarExp::Bin(..)
                | ScalarExp::Tri(..)
                | ScalarExp::Convert { .. },
            ) => 1,
            Exp::Control(ControlExp::If { .. }) => {
                let mut inside = Some(1);
                stm.for_each_part(&mut |part| match part {
                    Part::Body(body) => {
                        inside = inside.zip(numeric_statements(&body.stms)).map(|(one, other)| one + other);
                    }
                    Part::Atom(_) | Part::Var(_) | Part::Binder(_) | Part::Lambda(_) => {}
                });
                inside?
            }
            _ => return None,
        };
    }
    Some(count)
}

/// Whether groups of few threads do it, or a map in it.
fn has_few_threads(stm: &Stm) -> bool {
    let inside =
        |op: &Operator| op.lambda().is_some_and(|lambda| lambda.body.stms.iter().any(has_few_threads));
    stm.attrs.iter().any(|attr| attr == FEW) || stm.exp.op().is_some_and(inside)
}

/// Whether something in a body is done by the threads of a group together.
pub fn has_grids(body: &Body) -> bool {
    body.stms.iter().any(|stm| {
        let mut found = stm.grid.is_some();
        stm.for_each_part(&mut |part| {
            if let Part::Body(body) = part {
                found |= has_grids(body);
            }
        });
        found
    })
}
