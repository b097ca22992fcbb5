//! Segmented operators as operators over all elements: what is inside a nest of rows, for each kind of operator.
//!
//! ```text
//! map n (xss) \xs { map (xs) f }            ==>     map total (elements of xss) f, then the same offsets
//! map n (xss) \xs { reduce op ne xs }       ==>     a segmented reduction over all elements (`combine`)
//! map n (xss) \xs { filter p xs }           ==>     a filter over all elements, and the sums of what each row keeps
//! ```
//!
//! Maps, copies, replications, ranges, concatenations and gathers are here; `combine` has reductions and scans, `choose` filters, `sort` sorts.
//! Statements before the inner operator are repeated for each element (`nest::may_repeat`). Refuses inner operators whose elements are
//! irregular rows of irregular rows beyond what `rows_of_rows` can flatten, and concatenations of rows of rows.

use super::Elements;
use super::flat::Element;
use super::nest::Nest;
use super::rows::{FlatDims, i64s};
use crate::nest::mentions;
use crate::nest::subst::Subst;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, Operator, Prim, Stm, Type, Var,
};

impl Elements {
    /// Whether the statement, which is this nest and yields these results of what is inside, has been replaced.
    pub fn operator(&mut self, stm: &Stm, nest: &Nest, places: &[usize]) -> bool {
        let results = match &nest.inner.exp {
            Exp::Op(Operator::Map { width, inputs, lambda }) => {
                let joined = self.joined_levels(nest, *width);
                let mut element = self.begin_element(nest, &joined, None);
                self.take_inputs(&mut element, nest, &joined, inputs, &lambda.params);
                self.do_again(&mut element, &lambda.body.stms);
                let all = self.end_element(element, &lambda.body.result);
                return self.yield_rows(stm, nest, &joined, places, &all);
            }
            Exp::Array(ArrayExp::Copy(array)) => {
                let Some(width) = self.names.ty(*array).dims()[0].atom() else { return false };
                let joined = self.joined_levels(nest, width);
                let mut element = self.begin_element(nest, &joined, None);
                let row = self.names.row_params(*array);
                self.take_inputs(&mut element, nest, &joined, &[*array], &row);
                let all = self.end_element(element, &[row[row.len() - 1].into()]);
                return self.yield_rows(stm, nest, &joined, places, &all);
            }
            Exp::Array(ArrayExp::Replicate { count, value }) => {
                let joined = self.joined_levels(nest, *count);
                let element = self.begin_element(nest, &joined, None);
                let all = self.end_element(element, &[*value]);
                return self.yield_rows(stm, nest, &joined, places, &all);
            }
            Exp::Array(ArrayExp::Range { prim, count, start, step }) => {
                let joined = self.joined_levels(nest, *count);
                let mut element = self.begin_element(nest, &joined, None);
                let value = self.counted(&mut element, *prim, *start, *step);
                let all = self.end_element_with(element, vec![value]);
                return self.yield_rows(stm, nest, &joined, places, &all);
            }
            Exp::Array(ArrayExp::Concat { arrays, size }) => {
                let Some(inner) = self.inner_dims(nest, arrays) else { return false };
                let joined = self.joined_levels(nest, *size);
                let mut element = self.begin_element(nest, &joined, None);
                let (indices, mut own) = (self.indices(&inner), Vec::new());
                let value = self.choose(&element, arrays, element.within, &indices, &mut own);
                let value = self.in_maps(element.stms(), &inner, &indices, value, own);
                let all = self.end_element_with(element, vec![value.into()]);
                return self.yield_rows(stm, nest, &joined, places, &all);
            }
            Exp::Array(ArrayExp::ArrayLit(rows)) => return self.rows_of_rows(stm, nest, rows),
            Exp::Op(Operator::Reduce { width, op, inputs }) => {
                self.combined(nest, *width, inputs, None, &[], std::slice::from_ref(op))
            }
            Exp::Op(Operator::Scan { width, op, inputs }) => {
                self.combined(nest, *width, inputs, None, std::slice::from_ref(op), &[])
            }
            Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) => {
                self.combined(nest, *width, inputs, Some(lambda), scans, reductions)
            }
            Exp::Op(Operator::Filter { width, inputs, lambda }) => {
                self.filtered(nest, *width, inputs, lambda)
            }
            Exp::Op(Operator::Partition { width, inputs, lambda }) => {
                self.parted(nest, *width, inputs, lambda)
            }
            Exp::Op(Operator::Sort { width, keys, yields }) => self.sorted(nest, *width, *keys, *yields),
            _ => None,
        };
        let Some(results) = results else { return false };
        let mut given: Vec<usize> = Vec::new();
        for (var, place) in stm.vars.iter().zip(places) {
            let again = given.contains(place) || self.names.memory.is_taken(*var);
            given.push(*place);
            let own = |this: &mut Self, array: Var| if again { this.copy_of(array) } else { array };
            match results[*place] {
                NestResult::PerRow(array) => {
                    let array = own(self, array);
                    self.bind(vec![*var], Exp::atom(array.into()));
                }
                NestResult::Rows { lengths, array } => {
                    let array = own(self, array);
                    self.segment(*var, lengths, array);
                }
                NestResult::Even { width, array } => {
                    let array = own(self, array);
                    self.in_rows(*var, nest, &FlatDims::Even(width), array);
                }
            }
        }
        true
    }

    fn copy_of(&mut self, array: Var) -> Var {
        let (name, ty) = (self.names.name(array), self.names.ty(array).clone());
        self.emit(&name, ty, Exp::copy(array))
    }

    /// The results of a nest whose elements these are.
    pub fn yield_rows(
        &mut self,
        stm: &Stm,
        nest: &Nest,
        joined: &FlatDims,
        places: &[usize],
        all: &[Var],
    ) -> bool {
        let mut given: Vec<usize> = Vec::new();
        for (var, place) in stm.vars.iter().zip(places) {
            let array = if given.contains(place) { self.copy_of(all[*place]) } else { all[*place] };
            given.push(*place);
            self.in_rows(*var, nest, joined, array);
        }
        true
    }

    /// The element of a range.
    fn counted(&mut self, element: &mut Element, prim: Prim, start: Atom, step: Atom) -> Atom {
        let (start, step) = (element.atom(start), element.atom(step));
        let mut own: Atom = element.within.into();
        if prim != Prim::I64 {
            let converted = self.names.fresh("i", Type::scalar(prim));
            element.push(self.stm(vec![converted], Exp::convert(Prim::I64, prim, own)));
            own = converted.into();
        }
        let steps = self.names.fresh("steps", Type::scalar(prim));
        element.push(self.stm(vec![steps], Exp::bin(BinOp::Mul, prim, own, step)));
        let value = self.names.fresh("value", Type::scalar(prim));
        element.push(self.stm(vec![value], Exp::bin(BinOp::Add, prim, start, steps.into())));
        value.into()
    }

    /// The dimensions that the elements of these arrays, variables of the nest, have: if all have the same, and they are the same in each row of the
    /// nest.
    fn inner_dims(&self, nest: &Nest, arrays: &[Var]) -> Option<Vec<Dim>> {
        let inner = self.names.ty(*arrays.first()?).dims().get(1..)?;
        let is_outside = |dim: &Dim| match dim {
            Dim::Size(Atom::Var(size)) => !nest.bound.contains(size),
            Dim::Size(Atom::Const(_)) => true,
            Dim::Irregular | Dim::Result(_) => false,
        };
        let same = |array: &Var| self.names.ty(*array).dims().get(1..) == Some(inner);
        (inner.iter().all(is_outside) && arrays.iter().all(same)).then(|| inner.to_vec())
    }

    fn indices(&mut self, dims: &[Dim]) -> Vec<Var> {
        dims.iter().map(|_| self.names.fresh("i", Type::i64())).collect()
    }

    /// A value that statements compute for each index into these dimensions: with maps, one for each dimension.
    fn in_maps(
        &mut self,
        stms: &mut Vec<Stm>,
        dims: &[Dim],
        indices: &[Var],
        mut value: Var,
        mut own: Vec<Stm>,
    ) -> Var {
        for (dim, index) in dims.iter().zip(indices).rev() {
            let width = dim.atom().unwrap_or(Atom::i64(0));
            let range = self.names.fresh("range", i64s(width));
            let numbers = self.stm(vec![range], Exp::iota(width));
            let name = self.names.name(value);
            let rows = self.names.fresh(&name, self.names.ty(value).clone().array_of(*dim));
            let body = Body { stms: own, result: vec![value.into()] };
            let map = Exp::map(width, vec![range], Lambda::new(vec![*index], body));
            own = vec![numbers, self.stm(vec![rows], map)];
            value = rows;
        }
        stms.append(&mut own);
        value
    }

    /// The element at a place of arrays, variables of the nest, that stand one after the other; or a part of it, at indices.
    fn choose(
        &mut self,
        element: &Element,
        arrays: &[Var],
        place: Var,
        inner: &[Var],
        stms: &mut Vec<Stm>,
    ) -> Var {
        let Some((first, others)) = arrays.split_first() else { panic!("elements: one of no arrays") };
        let array = element.atom((*first).into()).var().unwrap_or(*first);
        let ty = self.names.ty(array).clone();
        let name = self.names.name(array);
        let scalar = ty.with_dims(Vec::new());
        let value = self.names.fresh(&name, scalar.clone());
        let slice = [place].iter().chain(inner).map(|index| DimIndex::Fix((*index).into())).collect();
        let index = self.stm(vec![value], Exp::index(array, slice));
        if others.is_empty() {
            stms.push(index);
            return value;
        }
        let length = ty.dims()[0].atom().unwrap_or(Atom::i64(0));
        let inside = self.names.fresh("inside", Type::bool());
        stms.push(self.stm(vec![inside], Exp::bin(BinOp::Lt, Prim::I64, place.into(), length)));
        let then = Body { stms: vec![index], result: vec![value.into()] };
        let mut els = Body::default();
        let next = self.again(&mut els.stms, "place", BinOp::Sub, place.into(), length);
        let other = self.choose(element, others, next, inner, &mut els.stms);
        els.result.push(other.into());
        let chosen = self.names.fresh(&name, scalar);
        stms.push(self.stm(vec![chosen], Exp::if_(inside.into(), then, els)));
        chosen
    }

    /// Rows of the nest that consist of rows of different lengths themselves.
    fn rows_of_rows(&mut self, stm: &Stm, nest: &Nest, rows: &[Atom]) -> bool {
        let rows: Option<Vec<Var>> = rows.iter().map(|row| row.var()).collect();
        let [var] = stm.vars[..] else { return false };
        let Some(rows) = rows else { return false };
        if self.names.ty(var).dims().get(2) != Some(&Dim::Irregular) {
            return false;
        }
        let Some(inner) = self.inner_dims(nest, &rows) else { return false };
        let several = rows.len() as i64;
        let exp = Exp::bin(BinOp::Mul, Prim::I64, nest.width, Atom::i64(several));
        let count = self.emit("count", Type::i64(), exp);
        let lengths = self.lengths_in_rows(nest, &rows, count);
        if let Some(total) = self.total_of_rows(nest, &rows) {
            self.know_total(lengths, total);
        }
        let described = self.rows(lengths);
        let joined = FlatDims::Uneven(described);
        let mut element = self.begin_element(nest, &joined, Some(several));
        let (row, within) = (element.row, element.within);
        let elem = self.names.ty(rows[0]).with_dims(Vec::new());
        let (indices, mut own) = (self.indices(&inner), Vec::new());
        let which = self.again(&mut own, "which", BinOp::Rem, row.into(), Atom::i64(several));
        let mut cases = Vec::with_capacity(rows.len());
        for (number, row) in rows.iter().enumerate() {
            let mut stms = Vec::new();
            let value = self.choose(&element, &[*row], within, &indices, &mut stms);
            cases.push((number as i64, Body { stms, result: vec![value.into()] }));
        }
        let Some((_, default)) = cases.pop() else { return false };
        let exp = Exp::Control(ControlExp::Switch { scrutinee: which.into(), cases, default });
        let value = self.names.fresh("value", elem);
        own.push(self.stm(vec![value], exp));
        let value = self.in_maps(element.stms(), &inner, &indices, value, own);
        let all = self.end_element_with(element, vec![value.into()])[0];
        let deep = |outer: &[Dim]| [outer, &inner].concat();
        let ty = self.names.ty(all).with_dims(deep(&[Dim::size(count), Dim::Irregular]));
        let segmented = self.names.fresh("rows", ty);
        self.segment(segmented, lengths, all);
        let new = vec![nest.width, Atom::i64(several)];
        let exp = Exp::reshape(segmented, 1, new);
        let ty = self.names.ty(var).clone();
        if !ty.has_irregular_rows() {
            let rows = self.stm(vec![var], exp);
            self.note(&rows);
            self.out.push(rows);
            return true;
        }
        let dims = deep(&[Dim::Size(nest.width), Dim::Size(Atom::i64(several)), Dim::Irregular]);
        let even = self.emit("rows", ty.with_dims(dims), exp);
        self.statement(self.stm(vec![var], Exp::coerce(even, ty.dims().to_vec())));
        true
    }

    /// The lengths of these rows, one after the other for each row of the nest.
    fn lengths_in_rows(&mut self, nest: &Nest, rows: &[Var], count: Var) -> Var {
        let several = Atom::i64(rows.len() as i64);
        let number = self.names.fresh("row", Type::i64());
        let mut stms = Vec::new();
        let outer = self.again(&mut stms, "outer", BinOp::Quot, number.into(), several);
        let which = self.again(&mut stms, "which", BinOp::Rem, number.into(), several);
        let mut subst = Subst::default();
        for (input, params) in &nest.groups {
            let index = self.stm(params.clone(), Exp::index(*input, vec![DimIndex::Fix(outer.into())]));
            stms.push(self.names.copy_stm(&mut subst, &index));
        }
        for stm in nest.before {
            stms.push(self.names.copy_stm(&mut subst, stm));
        }
        let length = |row: &Var| self.names.ty(*row).dims()[0].atom().unwrap_or(Atom::i64(0));
        let lengths = rows.iter().map(|row| subst.atom(length(row)));
        let body = |length| Body { stms: Vec::new(), result: vec![length] };
        let mut cases: Vec<(i64, Body)> = (0..).zip(lengths.map(body)).collect();
        let (_, default) = cases.pop().unwrap_or_else(|| panic!("elements: rows of no rows"));
        let found = self.names.fresh("length", Type::i64());
        let exp = Exp::Control(ControlExp::Switch { scrutinee: which.into(), cases, default });
        stms.push(self.stm(vec![found], exp));
        let mut live = vec![found];
        let stms = mentions::needed(&self.names.vars, &stms, &mut live);
        let lambda = Lambda::new(vec![number], Body { stms, result: vec![found.into()] });
        let numbers = self.emit("rows", i64s(count), Exp::iota(count));
        self.emit("lengths", i64s(count), Exp::map(count.into(), vec![numbers], lambda))
    }

    /// How many elements these rows have in all, if each is one of an array's and it is known how many these have.
    fn total_of_rows(&mut self, nest: &Nest, rows: &[Var]) -> Option<Atom> {
        let array = |row: &Var| {
            let is_it = |(_, params): &&(Var, Vec<Var>)| params.len() == 2 && params[1] == *row;
            nest.groups.iter().find(is_it).map(|(input, _)| *input)
        };
        let arrays: Vec<Var> = rows.iter().map(array).collect::<Option<_>>()?;
        if !arrays.iter().all(|array| self.is_joined(*array)) {
            return None;
        }
        let mut total = self.joined(arrays[0]).0;
        for array in &arrays[1..] {
            let (own, _) = self.joined(*array);
            total = self.emit("total", Type::i64(), Exp::bin(BinOp::Add, Prim::I64, total, own)).into();
        }
        Some(total)
    }

    /// What the lambda of an operator, or else its inputs, are for each element.
    pub fn columns(
        &mut self,
        nest: &Nest,
        joined: &FlatDims,
        inputs: &[Var],
        lambda: Option<&Lambda>,
    ) -> Vec<Var> {
        let mut element = self.begin_element(nest, joined, None);
        match lambda {
            Some(lambda) => {
                self.take_inputs(&mut element, nest, joined, inputs, &lambda.params);
                self.do_again(&mut element, &lambda.body.stms);
                self.end_element(element, &lambda.body.result)
            }
            None => {
                let params: Vec<Var> = inputs.iter().map(|input| self.names.row_params(*input)[0]).collect();
                self.take_inputs(&mut element, nest, joined, inputs, &params);
                let results: Vec<Atom> = params.into_iter().map(Atom::Var).collect();
                self.end_element(element, &results)
            }
        }
    }
}

/// An array that a nest yields.
#[derive(Clone, Copy)]
pub enum NestResult {
    /// One value for each row.
    PerRow(Var),
    /// The elements of rows of these lengths.
    Rows { lengths: Var, array: Var },
    /// The elements of rows that are all so long.
    Even { width: Atom, array: Var },
}

impl NestResult {
    pub fn rows(joined: &FlatDims, array: Var) -> NestResult {
        match joined {
            FlatDims::Even(width) => NestResult::Even { width: *width, array },
            FlatDims::Uneven(rows) => NestResult::Rows { lengths: rows.lengths, array },
        }
    }
}
