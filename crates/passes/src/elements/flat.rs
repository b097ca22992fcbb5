//! The map over all elements of the rows of a nest. Each element reads what the nest has at its row, by the number of the row.

use super::Elements;
use super::nest::Nest;
use super::rows::{FlatDims, Segments, i64s};
use crate::nest::inputs::param_groups;
use crate::nest::subst::Subst;
use norn_ir::nest::{Atom, BinOp, Body, Dim, DimIndex, Exp, Lambda, Prim, Stm, Type, Var};

/// The lambda of a map over elements, in the making.
pub struct Element {
    /// What stands for the variables of the nest.
    subst: Subst,
    inputs: Vec<Var>,
    lambda: Lambda,
    /// The numbers of the row, and of the element in it.
    pub row: Var,
    pub within: Var,
    /// Variables from here on are the lambda's.
    first_own: u32,
}

impl Elements {
    /// The lambda for the elements of a nest of these rows. Of each row of the nest there may be several in `joined`.
    pub fn begin_element(&mut self, nest: &Nest, joined: &FlatDims, several: Option<i64>) -> Element {
        let total = self.total(nest, joined);
        let first_own = self.names.vars.len() as u32;
        let range = Exp::iota(total);
        let places = self.emit("places", i64s(total), range);
        let place = self.names.fresh("place", Type::i64());
        let (mut inputs, mut params) = (vec![places], vec![place]);
        let mut stms = Vec::new();
        let (row, within) = match joined {
            FlatDims::Even(width) => {
                let row = self.again(&mut stms, "row", BinOp::Quot, place.into(), *width);
                (row, self.again(&mut stms, "within", BinOp::Rem, place.into(), *width))
            }
            FlatDims::Uneven(rows) => {
                let (row, start) = self.own_row(rows, &mut inputs, &mut params, &mut stms);
                (row, self.again(&mut stms, "within", BinOp::Sub, place.into(), start.into()))
            }
        };
        let outer = match several {
            None => row,
            Some(several) => self.again(&mut stms, "outer", BinOp::Quot, row.into(), Atom::i64(several)),
        };
        let mut subst = Subst::default();
        for (input, group) in &nest.groups {
            let slice = vec![DimIndex::Fix(outer.into())];
            let stm = self.stm(group.clone(), Exp::index(*input, slice));
            stms.push(self.names.copy_stm(&mut subst, &stm));
        }
        for stm in nest.before {
            stms.push(self.names.copy_stm(&mut subst, stm));
        }
        let lambda = Lambda::new(params, Body { stms, result: Vec::new() });
        Element { subst, inputs, lambda, row, within, first_own }
    }

    fn total(&mut self, nest: &Nest, joined: &FlatDims) -> Atom {
        match joined {
            FlatDims::Even(width) => {
                let exp = Exp::bin(BinOp::Mul, Prim::I64, nest.width, *width);
                self.emit("total", Type::i64(), exp).into()
            }
            FlatDims::Uneven(rows) => rows.total,
        }
    }

    pub fn again(&mut self, stms: &mut Vec<Stm>, name: &str, op: BinOp, x: Atom, y: Atom) -> Var {
        let var = self.names.fresh(name, Type::i64());
        stms.push(self.stm(vec![var], Exp::bin(op, Prim::I64, x, y)));
        var
    }

    pub fn entry(&mut self, stms: &mut Vec<Stm>, name: &str, array: Var, at: Var) -> Var {
        let var = self.names.fresh(name, Type::i64());
        let slice = vec![DimIndex::Fix(at.into())];
        stms.push(self.stm(vec![var], Exp::index(array, slice)));
        var
    }

    /// The row of an element of these rows, whose number is one more input, and where it begins.
    pub fn own_row(
        &mut self,
        rows: &Segments,
        inputs: &mut Vec<Var>,
        params: &mut Vec<Var>,
        stms: &mut Vec<Stm>,
    ) -> (Var, Var) {
        inputs.push(self.numbers(rows));
        let row = self.names.fresh("row", Type::i64());
        params.push(row);
        (row, self.start_of(stms, rows, row))
    }

    /// Where a row begins.
    pub fn start_of(&mut self, stms: &mut Vec<Stm>, rows: &Segments, row: Var) -> Var {
        let end = self.entry(stms, "end", rows.ends, row);
        let length = self.entry(stms, "length", rows.lengths, row);
        self.again(stms, "start", BinOp::Sub, end.into(), length.into())
    }

    /// The element has its own of the inputs of the operator inside.
    pub fn take_inputs(
        &mut self,
        element: &mut Element,
        nest: &Nest,
        joined: &FlatDims,
        inputs: &[Var],
        params: &[Var],
    ) {
        let groups: Vec<Vec<Var>> =
            param_groups(&self.names.vars, inputs, params).into_iter().map(<[Var]>::to_vec).collect();
        for (input, group) in inputs.iter().zip(groups) {
            if let Some(all) = self.all_rows(nest, joined, *input) {
                let lambda = Lambda::new(group.clone(), Body::default());
                let own = self.names.copy_lambda(&lambda).params;
                group.iter().zip(&own).for_each(|(old, new)| element.subst.set(*old, *new));
                element.subst.types_of(&mut self.names.vars, &own);
                element.inputs.push(all);
                element.lambda.params.extend(own);
                continue;
            }
            let slice = vec![DimIndex::Fix(element.within.into())];
            let stm = self.stm(group, Exp::index(*input, slice));
            let stm = self.names.copy_stm(&mut element.subst, &stm);
            element.lambda.body.stms.push(stm);
        }
    }

    /// If the input is the rows themselves: all of these in one array.
    fn all_rows(&mut self, nest: &Nest, joined: &FlatDims, input: Var) -> Option<Var> {
        let FlatDims::Uneven(rows) = joined else { return None };
        let is_it = |(_, params): &&(Var, Vec<Var>)| params.len() == 2 && params[1] == input;
        let outer = nest.groups.iter().find(is_it)?.0;
        if self.lengths_of(outer) != rows.lengths {
            return None;
        }
        Some(self.all_of(outer, rows))
    }

    /// All rows of an array with these rows.
    fn all_of(&mut self, array: Var, rows: &Segments) -> Var {
        let (total, all) = self.joined(array);
        if total == rows.total {
            return all;
        }
        let mut dims = self.names.ty(all).dims().to_vec();
        dims[0] = Dim::Size(rows.total);
        let (ty, name) = (self.names.ty(all).with_dims(dims.clone()), self.names.name(all));
        self.emit(&name, ty, Exp::coerce(all, dims))
    }

    /// Statements of the nest, done by the element.
    pub fn do_again(&mut self, element: &mut Element, stms: &[Stm]) {
        for stm in stms {
            let stm = self.names.copy_stm(&mut element.subst, stm);
            element.lambda.body.stms.push(stm);
        }
    }

    /// The arrays of what the lambda yields: variables of the nest.
    pub fn end_element(&mut self, element: Element, results: &[Atom]) -> Vec<Var> {
        let results = results.iter().map(|atom| element.subst.atom(*atom)).collect();
        self.end_element_with(element, results)
    }

    /// The same with variables of the lambda itself.
    pub fn end_element_with(&mut self, mut element: Element, results: Vec<Atom>) -> Vec<Var> {
        let total = self.names.ty(element.inputs[0]).dims()[0];
        let mut vars = Vec::with_capacity(results.len());
        for result in &results {
            let (name, row) = match result {
                Atom::Var(var) => (self.names.name(*var), self.names.ty(*var).clone()),
                Atom::Const(scalar) => ("value".into(), Type::scalar(scalar.prim())),
            };
            let outside = |dim: &Dim| match dim {
                Dim::Size(Atom::Var(size)) if size.0 >= element.first_own => Dim::Irregular,
                Dim::Size(_) | Dim::Irregular | Dim::Result(_) => *dim,
            };
            let row = row.with_dims(row.dims().iter().map(outside).collect());
            vars.push(self.names.fresh(&name, row.array_of(total)));
        }
        element.lambda.body.result = results;
        let width = total.atom().unwrap_or(Atom::i64(0));
        let exp = Exp::map(width, element.inputs, element.lambda);
        // There may be rows in rows.
        self.statement(self.stm(vars.clone(), exp));
        vars
    }

    /// A result of the nest: the elements, in rows again.
    pub fn in_rows(&mut self, var: Var, nest: &Nest, joined: &FlatDims, all: Var) {
        let all = self.in_pattern(var, all);
        match joined {
            FlatDims::Uneven(rows) => self.segment(var, rows.lengths, all),
            FlatDims::Even(width) if self.names.ty(var).has_irregular_rows() => {
                let exp = Exp::replicate(nest.width, *width);
                let lengths = self.emit("lengths", i64s(nest.width), exp);
                self.segment(var, lengths, all);
            }
            FlatDims::Even(width) => {
                let new = vec![nest.width, *width];
                self.bind(vec![var], Exp::reshape(all, 1, new));
            }
        }
    }

    /// The elements of an array, with `?` where that array has it.
    fn in_pattern(&mut self, whole: Var, all: Var) -> Var {
        let ty = self.names.ty(all).clone();
        let dims = [&ty.dims()[..1], &self.names.ty(whole).dims()[2..]].concat();
        let coerced = ty.with_dims(dims.clone());
        if ty.same_pattern(&coerced) {
            return all;
        }
        let name = self.names.name(all);
        let var = self.names.fresh(&name, coerced);
        self.statement(self.stm(vec![var], Exp::coerce(all, dims)));
        var
    }
}

impl Element {
    pub fn push(&mut self, stm: Stm) {
        self.lambda.body.stms.push(stm);
    }

    pub fn stms(&mut self) -> &mut Vec<Stm> {
        &mut self.lambda.body.stms
    }

    pub fn atom(&self, atom: Atom) -> Atom {
        self.subst.atom(atom)
    }
}
