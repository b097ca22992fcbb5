//! What an operator over `0, 1, ..` reads only at the number of its element is an input.
//!
//! ```text
//! let r: [n]i64 = range.i64 n 0i64 1i64             let r: [n]i64 = range.i64 n 0i64 1i64
//! let ys: [n]f32 = map n (r) \(i: i64) {            let ys: [n]f32 = map n (r, xs) \(i: i64, x: f32) {
//!   let x: f32 = index xs [i]                 ==>     ..
//!   ..                                              }
//! }
//! ```
//!
//! The number may be an index of any dimension, which then comes first: `xss[j, i]` is an element of the row `i` of the transposed array. So a nest of
//! maps is the same whether it was written with maps or with indices; it is fused with what makes the arrays, and taken for what it is by all passes that ask for
//! the inputs of an operator. An array that is read at other places, too, as by a stencil, stays: it would be read in two ways. So does one
//! that is longer than the operator is wide.

use super::Simplifier;
use crate::nest::inputs::{applied_mut, param_groups};
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{Applied, ArrayExp, Atom, Body, Dim, DimIndex, Exp, Operator, Stm, Type, Var};

impl Simplifier<'_> {
    pub(super) fn own_rows(&mut self, stm: &mut Stm) {
        if !takes_inputs(&stm.exp) {
            return;
        }
        let (certs, span) = (stm.certs.clone(), stm.span);
        let Some(Applied { width, inputs, lambda, skipped }) = applied_mut(&mut stm.exp) else { return };
        let width = self.subst.atom(width);
        let numbers: Vec<Var> = param_groups(&self.vars, inputs, &lambda.params[skipped..])
            .iter()
            .zip(&*inputs)
            .filter_map(|(group, input)| self.iota(*input).and(group.last().copied()))
            .collect();
        for number in numbers {
            let mut bound = lambda.params.clone();
            let mut reads = Vec::new();
            self.find_reads(&lambda.body, number, &mut reads, &mut bound);
            for Read { array, dim } in reads {
                let ty = self.ty(array).clone();
                let size = ty.dims()[dim].atom().map(|size| self.subst.atom(size));
                let is_regular = !ty.dims().contains(&Dim::Irregular);
                if bound.contains(&array)
                    || size != Some(width)
                    || !is_regular
                    || self.is_read_elsewhere(&lambda.body, number, array, dim)
                {
                    continue;
                }
                let resolved = |dim: &Dim| dim.atom().map_or(*dim, |size| Dim::Size(self.subst.atom(size)));
                let mut dims: Vec<Dim> = ty.dims().iter().map(resolved).collect();
                let first = dims.remove(dim);
                let row_ty = ty.with_dims(dims.clone());
                let mut input = array;
                if dim > 0 {
                    let perm = [dim].into_iter().chain((0..=dim).filter(|other| *other != dim)).collect();
                    dims.insert(0, first);
                    let like = Stm { certs: certs.clone(), ..Stm::new(Vec::new(), Exp::iota(width), span) };
                    let exp = Exp::rearrange(array, perm);
                    input = self.emit("transposed", ty.with_dims(dims), exp, &like);
                    self.memory.join(input, array);
                }
                let row = self.new_var("x", row_ty.clone());
                if row_ty.is_array() {
                    self.memory.join(row, array);
                }
                inputs.push(input);
                lambda.params.push(row);
                let rows = OwnRows { array, dim, row, ty: &row_ty };
                rows.read(&mut lambda.body, &|var| self.subst.var(var));
                self.changed = true;
            }
        }
    }

    /// The dimension of an array that a statement reads at the number, if it does.
    fn read_at(&self, stm: &Stm, number: Var) -> Option<Read> {
        let Exp::Array(ArrayExp::Index { array, slice }) = &stm.exp else { return None };
        let is_number = |index: &DimIndex| match index {
            DimIndex::Fix(Atom::Var(at)) => self.subst.var(*at) == number,
            DimIndex::Fix(Atom::Const(_)) | DimIndex::Slice { .. } => false,
        };
        let dim = slice.iter().position(is_number).filter(|_| stm.vars.len() == 1)?;
        Some(Read { array: self.subst.var(*array), dim })
    }

    /// The arrays that a body reads at the number, the first way for each, and what it binds.
    fn find_reads(&self, body: &Body, number: Var, reads: &mut Vec<Read>, bound: &mut Vec<Var>) {
        for stm in &body.stms {
            bound.extend(&stm.vars);
            if let Some(read) = self.read_at(stm, number)
                && !reads.iter().any(|other| other.array == read.array)
            {
                reads.push(read);
            }
            stm.exp.for_each_part(&mut |part| match part {
                Part::Binder(var) => bound.push(*var),
                Part::Body(body) => self.find_reads(body, number, reads, bound),
                Part::Lambda(lambda) => {
                    bound.extend(&lambda.params);
                    self.find_reads(&lambda.body, number, reads, bound);
                }
                Part::Atom(_) | Part::Var(_) => {}
            });
        }
    }

    /// Whether anything else is done with the array.
    fn is_read_elsewhere(&self, body: &Body, number: Var, array: Var, dim: usize) -> bool {
        let is_it = |var: Var| self.subst.var(var) == array;
        let is_atom = |atom: &Atom| atom.var().is_some_and(is_it);
        body.result.iter().any(is_atom)
            || body.stms.iter().any(|stm| {
                if matches!(&stm.exp, Exp::Array(ArrayExp::Index { array, .. }) if is_it(*array)) {
                    return self.read_at(stm, number).is_none_or(|read| read.dim != dim);
                }
                let mut found = false;
                let mut in_body = |body: &Body| found |= self.is_read_elsewhere(body, number, array, dim);
                let mut in_atoms = false;
                stm.exp.for_each_part(&mut |part| match part {
                    Part::Atom(atom) => in_atoms |= is_atom(atom),
                    Part::Var(var) => in_atoms |= is_it(*var),
                    Part::Binder(_) => {}
                    Part::Body(body) => in_body(body),
                    Part::Lambda(lambda) => in_body(&lambda.body),
                });
                found || in_atoms
            })
    }
}

/// An array that is read at the number of the element.
struct Read {
    array: Var,
    /// The dimension that the number is an index of.
    dim: usize,
}

/// Operators whose lambda takes an element of each input, and which another input does not change.
fn takes_inputs(exp: &Exp) -> bool {
    match exp.op() {
        Some(
            Operator::Map { .. }
            | Operator::Fused { .. }
            | Operator::Filter { .. }
            | Operator::Partition { .. }
            | Operator::Scatter { .. }
            | Operator::Hist { .. },
        ) => true,
        Some(
            Operator::Reduce { .. }
            | Operator::Scan { .. }
            | Operator::Sort { .. }
            | Operator::Stream { .. }
            | Operator::AccStream { .. }
            | Operator::Task(_),
        )
        | None => false,
    }
}

/// What stands for an array: its row with the number of the element.
struct OwnRows<'a> {
    array: Var,
    dim: usize,
    row: Var,
    ty: &'a Type,
}

impl OwnRows<'_> {
    /// All that a body reads of the array it reads of the row.
    fn read(&self, body: &mut Body, subst: &dyn Fn(Var) -> Var) {
        for stm in &mut body.stms {
            if let Exp::Array(ArrayExp::Index { array, slice }) = &stm.exp
                && subst(*array) == self.array
            {
                let mut slice = slice.clone();
                slice.remove(self.dim);
                if slice.is_empty() {
                    slice.extend(self.ty.dims().first().and_then(|dim| dim.atom()).map(DimIndex::whole));
                }
                let is_scalar = slice.is_empty();
                stm.exp = if is_scalar { Exp::atom(self.row.into()) } else { Exp::index(self.row, slice) };
                continue;
            }
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.read(body, subst),
                PartMut::Lambda(lambda) => self.read(&mut lambda.body, subst),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
        }
    }
}
