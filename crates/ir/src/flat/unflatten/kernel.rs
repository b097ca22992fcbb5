//! A kernel: maps over its points, and in these maps over what it goes through, which compute the results of the body.
//!
//! ```text
//! kernel over points i < n, through j < m       map n (iota n) \i {
//!   body .. in x                          ==>     let vs = map m (iota m) \j { .. in x }
//!   reduce (+) 0                                  let r = reduce m (vs) (+) 0
//!                                                 in r
//!                                               }
//! ```
//!
//! This is what a kernel means, so it is as plain as can be: each value of the body is an array before an out (`outs`) reads it, and nothing is fused. The width of a dimension that is
//! a row of a descriptor depends on the index before it; arrays over it have irregular rows.
//!
//! What does not fit into maps comes before or after them. Accumulators yield nothing that a map could bind, so a kernel with them is one without, and one for
//! each (`kernel_always`). Certificates are no values: checks come first, and nobody has to rely on them (`without_certs`). An out that
//! writes to a part of a destination yields that part, and an update puts it in its place. The number of all that a filter in rows keeps is the sum of the lengths of its rows.

use super::{Code, Unflatten};
use crate::flat::{Body, Dim, Extent, Into, Kernel, Out, SpaceDim, Type, Var};
use crate::nest::{self, Operator};
use crate::skeleton::{ArrayExp, Atom, ControlExp, DimIndex, ScalarExp};

/// What is to be computed: all outs but accumulators.
struct Task<'k> {
    kernel: &'k Kernel,
    /// Each out with what the statement binds for it.
    outs: Vec<(&'k Out, Vec<Var>)>,
    /// What the values of the body are, with sizes that are visible outside of the kernel.
    elems: Vec<Type>,
    /// What the maps over points bind: the results, but for parts of destinations and the number of what is kept.
    mapped: Vec<Var>,
}

/// The values of one point, for all that the kernel goes through.
pub(super) struct Values {
    /// For each result of the body. Not of accumulators, which have none.
    pub values: Vec<Atom>,
    /// What each is an array of.
    pub elems: Vec<Type>,
    /// Of each dimension; 0 for rows, which differ, unless the first is one.
    pub widths: Vec<Atom>,
}

impl Unflatten<'_> {
    pub(super) fn kernel(&mut self, kernel: &Kernel, vars: &[Var], code: &mut Code) {
        let Some(when) = kernel.when else { return self.kernel_always(kernel, vars, code) };
        let mut inner = code.inner();
        let inside = self.copies(vars);
        self.kernel_always(kernel, &inside, &mut inner);
        let then = inner.end(inside.into_iter().map(Atom::Var).collect());
        let kept = kernel.outs.iter().flat_map(Out::destinations).map(Atom::Var).collect();
        let els = code.inner().end(kept);
        code.bind(vars.to_vec(), nest::Exp::Control(ControlExp::If { cond: when, then, els }));
    }

    fn kernel_always(&mut self, kernel: &Kernel, vars: &[Var], code: &mut Code) {
        let (kernel, vars) = self.without_certs(kernel, vars);
        let mut rest = &vars[..];
        let mut bound = Vec::new();
        for out in &kernel.outs {
            let (yielded, after) = rest.split_at(out.yields(kernel.points.len()).min(rest.len()));
            bound.push(yielded.to_vec());
            rest = after;
        }
        let is_acc = |at: &usize| matches!(kernel.outs[*at], Out::Acc { .. });
        let accs: Vec<usize> = (0..kernel.outs.len()).filter(is_acc).collect();
        let values: Vec<Vec<Var>> =
            (0..bound.len()).filter(|at| !is_acc(at)).map(|at| bound[at].clone()).collect();
        if !values.is_empty() {
            self.values_of_kernel(&self.without_accs(&kernel, None), values, code);
        }
        for (nth, at) in accs.iter().enumerate() {
            let mut alone = self.without_accs(&kernel, Some(*at));
            if accs.len() < kernel.outs.len() || nth > 0 {
                self.rename_kernel(&mut alone);
            }
            self.accumulate(&alone, &bound[*at], code);
        }
    }

    /// The kernel, and what it binds, without the certificates that it yields: its checks come before what relies on them.
    fn without_certs(&mut self, kernel: &Kernel, vars: &[Var]) -> (Kernel, Vec<Var>) {
        let mut kernel = kernel.clone();
        let results = std::mem::take(&mut kernel.body.result);
        let (mut taken, mut yielded) = (0, 0);
        let mut kept = Vec::new();
        for out in &mut kernel.outs {
            let (takes, yields) = (out.takes(), out.yields(kernel.points.len()));
            let of_out = taken..taken + takes;
            let bound = &vars[yielded..yielded + yields];
            (taken, yielded) = (taken + takes, yielded + yields);
            let is_cert = |var: &Var| self.ty(*var) == Type::Cert;
            match out {
                Out::Map { values, into } if into.is_empty() => {
                    let pairs = results[of_out].iter().zip(bound).filter(|(_, var)| !is_cert(var));
                    let (values_kept, vars_kept): (Vec<Atom>, Vec<Var>) = pairs.unzip();
                    *values = values_kept.len();
                    kernel.body.result.extend(values_kept);
                    kept.extend(vars_kept);
                    self.certs.extend(
                        bound.iter().copied().filter(|var| self.vars[var.0 as usize].ty == Type::Cert),
                    );
                }
                Out::Map { .. }
                | Out::Reduce { .. }
                | Out::Scan { .. }
                | Out::Filter { .. }
                | Out::Partition { .. }
                | Out::Sort { .. }
                | Out::Scatter { .. }
                | Out::Hist { .. }
                | Out::Acc { .. } => {
                    kernel.body.result.extend_from_slice(&results[of_out]);
                    kept.extend(bound);
                }
            }
        }
        (kernel, kept)
    }

    /// A kernel without accumulators.
    fn values_of_kernel(&mut self, kernel: &Kernel, bound: Vec<Vec<Var>>, code: &mut Code) {
        let outs: Vec<(&Out, Vec<Var>)> = kernel.outs.iter().zip(bound).collect();
        let mut mapped = Vec::new();
        let mut parts = Vec::new();
        for (out, vars) in &outs {
            match out {
                Out::Map { into, .. } | Out::Scatter { into, .. } | Out::Hist { into, .. }
                    if !into.is_empty() =>
                {
                    for (into, var) in into.iter().zip(vars) {
                        if into.part.is_empty() {
                            mapped.push(*var);
                        } else {
                            let ty = self.part_type(into);
                            let part = self.new_var("part", ty);
                            mapped.push(part);
                            parts.push((into.clone(), part, *var));
                        }
                    }
                }
                Out::Filter { .. } if !kernel.points.is_empty() => mapped.extend(&vars[1..]),
                Out::Map { .. }
                | Out::Reduce { .. }
                | Out::Scan { .. }
                | Out::Filter { .. }
                | Out::Partition { .. }
                | Out::Sort { .. }
                | Out::Scatter { .. }
                | Out::Hist { .. }
                | Out::Acc { .. } => mapped.extend(vars),
            }
        }
        let elems = self.elems(kernel, &outs);
        let task = Task { kernel, outs, elems, mapped };
        self.over_points(&task, code);
        for (Into { array, part }, value, var) in parts {
            let update = ArrayExp::Update { array, slice: part, value: value.into() };
            code.bind(vec![var], nest::Exp::Array(update));
        }
        for (out, vars) in &task.outs {
            if matches!(out, Out::Filter { .. }) && !kernel.points.is_empty() {
                self.sum(vars[1], crate::scalar::BinOp::Add, vars[0], code);
            }
        }
    }

    /// Bind what the points yield.
    fn over_points(&mut self, task: &Task, code: &mut Code) {
        if task.kernel.points.is_empty() {
            let results = self.at_point(task, code);
            // What a kernel yields is in memory of its own.
            for (var, result) in task.mapped.iter().zip(results) {
                let exp = match result.var().filter(|var| self.ty(*var).is_array()) {
                    Some(array) => nest::Exp::Array(ArrayExp::Copy(array)),
                    None => nest::Exp::Scalar(ScalarExp::Atom(result)),
                };
                code.bind(vec![*var], exp);
            }
            return;
        }
        self.over_point(task, 0, code);
    }

    /// The points of this dimension and those after it.
    fn over_point(&mut self, task: &Task, level: usize, code: &mut Code) -> Vec<Atom> {
        let points = &task.kernel.points;
        let Some(dim) = points.get(level) else { return self.at_point(task, code) };
        let before = level.checked_sub(1).map(|at| points[at].var);
        let width = self.width(dim, before, code);
        let is = self.iota(width, code);
        let mut inner = code.inner();
        let results = self.over_point(task, level + 1, &mut inner);
        let lambda = nest::Lambda { params: vec![dim.var], body: inner.end(results) };
        let vars = match level {
            0 => task.mapped.clone(),
            _ => task.mapped.iter().map(|var| self.level_var(*var, level, width)).collect(),
        };
        code.bind(vars.clone(), nest::Exp::Op(Operator::Map { width, inputs: vec![is], lambda }));
        vars.into_iter().map(Atom::Var).collect()
    }

    /// A variable like this one, without its first dimensions.
    fn level_var(&mut self, var: Var, level: usize, width: Atom) -> Var {
        let ty = self.ty(var);
        let mut dims = ty.dims().get(level..).unwrap_or_default().to_vec();
        if let Some(first) = dims.first_mut() {
            *first = Dim::Size(width);
        }
        let ty = ty.with_dims(dims);
        self.new_var("rows", ty)
    }

    /// How many indices a dimension has, given the variable of the one before it.
    pub(super) fn width(&mut self, dim: &SpaceDim, before: Option<Var>, code: &mut Code) -> Atom {
        match (dim.extent, before) {
            (Extent::Size(size), _) => size,
            (Extent::Row(lengths), Some(row)) => self.length(lengths, row.into(), code),
            (Extent::Row(_), None) => Atom::i64(0),
        }
    }

    fn at_point(&mut self, task: &Task, code: &mut Code) -> Vec<Atom> {
        let Task { kernel, outs, elems, .. } = task;
        let before = kernel.points.last().map(|dim| dim.var);
        let mut widths = Vec::new();
        let values = self.through(&kernel.body, &kernel.through, before, elems, &mut widths, code);
        let mut values = Values { values, elems: elems.to_vec(), widths };
        let mut results = Vec::new();
        for (out, vars) in outs {
            let rest = Values {
                values: values.values.split_off(out.takes()),
                elems: values.elems.split_off(out.takes()),
                widths: values.widths.clone(),
            };
            results.extend(self.out(kernel, out, vars, &values, code));
            values = rest;
        }
        results
    }

    /// The results of the body for all indices of these dimensions.
    fn through(
        &mut self,
        body: &Body,
        dims: &[SpaceDim],
        before: Option<Var>,
        elems: &[Type],
        widths: &mut Vec<Atom>,
        code: &mut Code,
    ) -> Vec<Atom> {
        let Some((dim, rest)) = dims.split_first() else {
            let body = self.body(body);
            code.stms.extend(body.stms);
            return body.result;
        };
        let width = self.width(dim, before, code);
        widths.push(width);
        let is = self.iota(width, code);
        let mut inner = code.inner();
        let results = self.through(body, rest, Some(dim.var), elems, widths, &mut inner);
        let lambda = nest::Lambda { params: vec![dim.var], body: inner.end(results) };
        let dims: Vec<Dim> = std::iter::once(Dim::Size(width)).chain(rest.iter().map(outer_dim)).collect();
        let vars: Vec<Var> = elems.iter().map(|elem| self.new_var("vs", in_dims(&dims, elem))).collect();
        code.bind(vars.clone(), nest::Exp::Op(Operator::Map { width, inputs: vec![is], lambda }));
        vars.into_iter().map(Atom::Var).collect()
    }

    /// What the values of the body are.
    fn elems(&self, kernel: &Kernel, outs: &[(&Out, Vec<Var>)]) -> Vec<Type> {
        let (space, points) = (kernel.dims().count(), kernel.points.len());
        let without =
            |ty: Type, dims: usize| ty.with_dims(ty.dims().get(dims..).unwrap_or_default().to_vec());
        let of = |vars: &[Var], dims: usize| -> Vec<Type> {
            vars.iter().map(|var| without(self.ty(*var), dims)).collect()
        };
        let mut elems = Vec::new();
        for (out, vars) in outs {
            match out {
                Out::Map { into, .. } if !into.is_empty() => {
                    elems.extend(into.iter().map(|into| without(self.part_type(into), space)));
                }
                Out::Map { .. } | Out::Sort { .. } => elems.extend(of(vars, space)),
                Out::Reduce { op, .. } => elems.extend(op.neutral.iter().map(|x| self.atom_ty(*x))),
                Out::Scan { op, after } => {
                    elems.extend(op.neutral.iter().map(|x| self.atom_ty(*x)));
                    let further = after.iter().flat_map(|after| &after.lambda.params[op.neutral.len()..]);
                    elems.extend(further.map(|param| self.ty(*param)));
                }
                Out::Filter { .. } => {
                    elems.push(Type::bool());
                    let kept = if points > 0 { of(&vars[2..], 2) } else { of(&vars[1..], 1) };
                    elems.extend(kept);
                }
                Out::Partition { .. } => {
                    elems.push(Type::bool());
                    elems.extend(of(&vars[1..], space));
                }
                Out::Scatter { indices, into } | Out::Hist { op: _, indices, into } => {
                    elems.extend(std::iter::repeat_n(Type::i64(), *indices));
                    elems.extend(into.iter().map(|into| without(self.part_type(into), points + indices)));
                }
                Out::Acc { .. } => {}
            }
        }
        elems
    }

    /// The type of the part of a destination that is written.
    pub(super) fn part_type(&self, into: &Into) -> Type {
        let ty = self.ty(into.array);
        let kept = into.part.iter().filter_map(|dim| match dim {
            DimIndex::Fix(_) => None,
            DimIndex::Slice { count, .. } => Some(Dim::Size(*count)),
        });
        let whole = ty.dims()[into.part.len()..].iter().copied();
        ty.with_dims(kept.chain(whole).collect())
    }
}

/// A dimension, seen from outside of those before it.
fn outer_dim(dim: &SpaceDim) -> Dim {
    dim.size().map_or(Dim::Irregular, Dim::Size)
}

pub(super) fn in_dims(dims: &[Dim], elem: &Type) -> Type {
    dims.iter().rev().fold(elem.clone(), |ty, dim| ty.array_of(*dim))
}
