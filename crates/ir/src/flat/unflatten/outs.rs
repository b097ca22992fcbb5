//! Outs of a kernel as nest operators at one point: the values of a point are one row, and each out is an operator over this row.
//!
//! | out | operator over the row of a point |
//! |---|---|
//! | `reduce`, `scan`, `filter`, `partition` | the same operator |
//! | `sort` by a key | `sort` of the places, then a gather |
//! | `sort` by a function | the rank of each element, counted by comparing it with all others, then a scatter of the places and a gather |
//! | `scatter`, `hist` into a destination | a copy of the point's part of the destination, written to |
//!
//! If the space has several dimensions right of the bar, the values are flattened in row-major order first (`row`), and results get their dimensions back (`back`).
//! It is a definition, not an implementation: ranks cost a quadratic number of comparisons.

use super::kernel::Values;
use super::{Code, Unflatten};
use crate::flat::{Dim, Into, Kernel, Lambda, Order, Out, Reduction, Type, Var};
use crate::nest::{self, Operator, Sorted};
use crate::scalar::{BinOp, Prim};
use crate::skeleton::{ArrayExp, Atom, ControlExp, ScalarExp};

/// The values of a point in one row.
struct Row {
    width: Atom,
    arrays: Vec<Var>,
    /// One of them before its rows of different lengths were joined.
    rows: Option<Var>,
}

impl Unflatten<'_> {
    /// What an out yields at a point. `vars` are what the statement binds for all points.
    pub(super) fn out(
        &mut self,
        kernel: &Kernel,
        out: &Out,
        vars: &[Var],
        values: &Values,
        code: &mut Code,
    ) -> Vec<Atom> {
        match out {
            Out::Map { .. } => values.values.clone(),
            Out::Reduce { op, after } => self.reduce(kernel, op, after.as_ref(), values, code),
            Out::Scan { op, after } => {
                let row = self.row(kernel, values, code);
                let (scanned, further) = row.arrays.split_at(op.neutral.len());
                let types: Vec<Type> = scanned.iter().map(|var| self.ty(*var)).collect();
                let op = self.reduction(op);
                let scan = Operator::Scan { width: row.width, op, inputs: scanned.to_vec() };
                let mut arrays = self.bind_all("scanned", types, scan, code);
                if let Some(after) = after {
                    let lambda = self.lambda(&after.lambda);
                    let space = kernel.dims().count();
                    let types = vars.iter().map(|var| {
                        let ty = self.ty(*var);
                        let elem = ty.dims().get(space..).unwrap_or_default();
                        ty.with_dims(elem.to_vec()).array_of(Dim::Size(row.width))
                    });
                    let types = types.collect();
                    arrays.extend(further);
                    let map = Operator::Map { width: row.width, inputs: arrays, lambda };
                    arrays = self.bind_all("ys", types, map, code);
                }
                arrays.into_iter().map(|array| self.back(kernel, &row, array, values, code)).collect()
            }
            Out::Filter { .. } => {
                let row = self.row(kernel, values, code);
                let lambda = self.same(&values.elems, code);
                let kept = self.new_var("k", Type::i64());
                let types: Vec<Type> =
                    values.elems[1..].iter().map(|elem| elem.array_of(Dim::size(kept))).collect();
                let arrays: Vec<Var> = types.into_iter().map(|ty| self.new_var("kept", ty)).collect();
                let bound: Vec<Var> = std::iter::once(kept).chain(arrays).collect();
                let filter = Operator::Filter { width: row.width, inputs: row.arrays, lambda };
                code.bind(bound.clone(), nest::Exp::Op(filter));
                bound.into_iter().map(Atom::Var).collect()
            }
            Out::Partition { .. } => {
                let row = self.row(kernel, values, code);
                let lambda = self.same(&values.elems, code);
                let mut types = vec![Type::i64()];
                types.extend(values.elems[1..].iter().map(|elem| elem.array_of(Dim::Size(row.width))));
                let partition = Operator::Partition { width: row.width, inputs: row.arrays, lambda };
                self.bind_all("parted", types, partition, code).into_iter().map(Atom::Var).collect()
            }
            Out::Sort { order, values: _ } => {
                let row = self.row(kernel, values, code);
                match order {
                    Order::Key => self.sort_by_key(&row, values, code),
                    Order::By(before) => self.sort_by(&row, before, values, code),
                }
            }
            Out::Scatter { indices: _, into } => self.write(kernel, into, None, values, code),
            Out::Hist { op, indices: _, into } => self.write(kernel, into, Some(op), values, code),
            Out::Acc { .. } => Vec::new(),
        }
    }

    fn bind_all(&mut self, name: &str, types: Vec<Type>, op: Operator, code: &mut Code) -> Vec<Var> {
        let vars: Vec<Var> = types.into_iter().map(|ty| self.new_var(name, ty)).collect();
        code.bind(vars.clone(), nest::Exp::Op(op));
        vars
    }

    /// Parameters of these types, yielded.
    fn same(&mut self, types: &[Type], code: &Code) -> nest::Lambda {
        let params: Vec<Var> = types.iter().map(|ty| self.new_var("x", ty.clone())).collect();
        let body = code.inner().end(params.iter().map(|param| (*param).into()).collect());
        nest::Lambda { params, body }
    }

    /// The arrays of a point in one row.
    fn row(&mut self, kernel: &Kernel, values: &Values, code: &mut Code) -> Row {
        let dims = &kernel.through;
        let sizes: Vec<Atom> = dims.iter().filter_map(|dim| dim.size()).collect();
        if dims.is_empty() {
            let one = |(value, elem): (&Atom, &Type)| {
                let lit = ArrayExp::ArrayLit(vec![*value]);
                self.array_exp("one", elem.array_of(Dim::Size(Atom::i64(1))), lit, code)
            };
            let arrays = values.values.iter().zip(&values.elems).map(one).collect();
            return Row { width: Atom::i64(1), arrays, rows: None };
        }
        let arrays: Vec<Var> = values.values.iter().map(|value| self.as_var(*value, code)).collect();
        if dims.len() == 1 {
            return Row { width: values.widths[0], arrays, rows: None };
        }
        let product = self.product(&sizes, code);
        let regular = sizes.len() == dims.len();
        let mut row = Row { width: product, arrays: Vec::new(), rows: None };
        for (array, elem) in arrays.into_iter().zip(&values.elems) {
            let inner = if regular { elem.clone() } else { elem.array_of(Dim::Irregular) };
            let reshape = ArrayExp::Reshape { array, old: sizes.len(), new: vec![product] };
            let array = self.array_exp("row", inner.array_of(Dim::Size(product)), reshape, code);
            if regular {
                row.arrays.push(array);
                continue;
            }
            let width = self.new_var("w", Type::i64());
            let joined = self.new_var("row", elem.array_of(Dim::size(width)));
            code.bind(vec![width, joined], nest::Exp::Array(ArrayExp::JoinRows(array)));
            row.width = width.into();
            row.rows = Some(array);
            row.arrays.push(joined);
        }
        row
    }

    fn product(&mut self, sizes: &[Atom], code: &mut Code) -> Atom {
        let mut product = Atom::i64(1);
        for (i, size) in sizes.iter().enumerate() {
            product = if i == 0 { *size } else { self.bin(BinOp::Mul, product, *size, code) };
        }
        product
    }

    /// A row, with the dimensions that the kernel goes through.
    fn back(&mut self, kernel: &Kernel, row: &Row, array: Var, values: &Values, code: &mut Code) -> Atom {
        let elem = self.ty(array).row().unwrap_or(Type::Cert);
        match kernel.through.len() {
            0 => return self.element(array, &[Atom::i64(0)], elem, code),
            1 => return array.into(),
            _ => {}
        }
        let sizes: Vec<Atom> = kernel.through.iter().filter_map(|dim| dim.size()).collect();
        let mut array = array;
        let mut inner = elem;
        if let Some(rows) = row.rows {
            let count = self.width_of(rows);
            let lengths = Type::array(Prim::I64, vec![Dim::Size(count)]);
            let lengths = self.array_exp("lens", lengths, ArrayExp::Lengths(rows), code);
            inner = inner.array_of(Dim::Irregular);
            let segment = ArrayExp::Segment { lengths, array };
            array = self.array_exp("cut", inner.array_of(Dim::Size(count)), segment, code);
        }
        let dims: Vec<Dim> = values.widths[..sizes.len()].iter().map(|width| Dim::Size(*width)).collect();
        let ty = super::kernel::in_dims(&dims, &inner);
        self.array_exp("back", ty, ArrayExp::Reshape { array, old: 1, new: sizes }, code).into()
    }

    fn reduce(
        &mut self,
        kernel: &Kernel,
        op: &Reduction,
        after: Option<&Lambda>,
        values: &Values,
        code: &mut Code,
    ) -> Vec<Atom> {
        let row = self.row(kernel, values, code);
        let op = self.reduction(op);
        let reduce = Operator::Reduce { width: row.width, op, inputs: row.arrays };
        let reduced = self.bind_all("reduced", values.elems.clone(), reduce, code);
        let Some(after) = after else { return reduced.into_iter().map(Atom::Var).collect() };
        for (param, value) in after.params.iter().zip(reduced) {
            code.bind(vec![*param], nest::Exp::Scalar(ScalarExp::Atom(value.into())));
        }
        let body = self.body(&after.body);
        code.stms.extend(body.stms);
        body.result
    }

    fn sort_by_key(&mut self, row: &Row, values: &Values, code: &mut Code) -> Vec<Atom> {
        let places = Type::array(Prim::I64, vec![Dim::Size(row.width)]);
        let sort = Operator::Sort { width: row.width, keys: row.arrays[0], yields: Sorted::Places };
        let places = self.emit("places", places, nest::Exp::Op(sort), code);
        self.gather(row, places, values, code)
    }

    /// The elements at these places.
    fn gather(&mut self, row: &Row, places: Var, values: &Values, code: &mut Code) -> Vec<Atom> {
        let place = self.new_var("place", Type::i64());
        let mut inner = code.inner();
        let mut results = Vec::new();
        for (array, elem) in row.arrays.iter().zip(&values.elems) {
            results.push(self.element(*array, &[place.into()], elem.clone(), &mut inner));
        }
        let lambda = nest::Lambda { params: vec![place], body: inner.end(results) };
        let types = values.elems.iter().map(|elem| elem.array_of(Dim::Size(row.width))).collect();
        let map = Operator::Map { width: row.width, inputs: vec![places], lambda };
        self.bind_all("sorted", types, map, code).into_iter().map(Atom::Var).collect()
    }

    /// The rank of an element is the number of elements that stand before it: of those before it, which may stay there;
    /// of those after it, which it may not stand before.
    fn sort_by(&mut self, row: &Row, before: &Lambda, values: &Values, code: &mut Code) -> Vec<Atom> {
        let width = row.width;
        let (is, js) = (self.iota(width, code), self.iota(width, code));
        let (i, j) = (self.new_var("i", Type::i64()), self.new_var("j", Type::i64()));
        let mut outer = code.inner();
        let mut inner = outer.inner();
        let earlier = self.bin(BinOp::Lt, j.into(), i.into(), &mut inner);
        // The element that stands first now is the first that the order is asked about.
        let first = self.bin(BinOp::Min, i.into(), j.into(), &mut inner);
        let second = self.bin(BinOp::Max, i.into(), j.into(), &mut inner);
        let params = before.params.split_at(values.elems.len());
        for (at, params) in [(first, params.0), (second, params.1)] {
            for ((param, array), elem) in params.iter().zip(&row.arrays).zip(&values.elems) {
                let value = self.element(*array, &[at], elem.clone(), &mut inner);
                inner.bind(vec![*param], nest::Exp::Scalar(ScalarExp::Atom(value)));
            }
        }
        let body = self.body(&before.body);
        inner.stms.extend(body.stms);
        // Among equal ones, and for the element itself, the order holds both ways.
        let stays = body.result[0];
        let counts = nest::Exp::Scalar(ScalarExp::Bin(BinOp::Eq, Prim::Bool, earlier, stays));
        let counts = self.emit("counts", Type::bool(), counts, &mut inner);
        let itself = self.bin(BinOp::Eq, i.into(), j.into(), &mut inner);
        let zero = inner.inner().end(vec![Atom::i64(0)]);
        let mut other = inner.inner();
        let convert = ScalarExp::Convert { from: Prim::Bool, to: Prim::I64, value: counts.into() };
        let one = self.emit("one", Type::i64(), nest::Exp::Scalar(convert), &mut other);
        let els = other.end(vec![one.into()]);
        let choice = nest::Exp::Control(ControlExp::If { cond: itself, then: zero, els });
        let count = self.emit("count", Type::i64(), choice, &mut inner);
        let lambda = nest::Lambda { params: vec![j], body: inner.end(vec![count.into()]) };
        let numbers = Type::array(Prim::I64, vec![Dim::Size(width)]);
        let map = Operator::Map { width, inputs: vec![js], lambda };
        let counts = self.emit("counts", numbers.clone(), nest::Exp::Op(map), &mut outer);
        let rank = self.new_var("rank", Type::i64());
        self.sum(counts, BinOp::Add, rank, &mut outer);
        let lambda = nest::Lambda { params: vec![i], body: outer.end(vec![rank.into()]) };
        let map = Operator::Map { width, inputs: vec![is], lambda };
        let ranks = self.emit("ranks", numbers.clone(), nest::Exp::Op(map), code);
        // The place of each rank.
        let dest = self.iota(width, code);
        let is = self.iota(width, code);
        let lambda = self.same(&[Type::i64(), Type::i64()], code);
        let scatter = Operator::Scatter { width, dests: vec![dest], inputs: vec![ranks, is], lambda };
        let places = self.emit("places", numbers, nest::Exp::Op(scatter), code);
        self.gather(row, places, values, code)
    }

    /// The point's part of each destination, copied, and written to.
    fn write(
        &mut self,
        kernel: &Kernel,
        into: &[Into],
        op: Option<&Reduction>,
        values: &Values,
        code: &mut Code,
    ) -> Vec<Atom> {
        let row = self.row(kernel, values, code);
        let points: Vec<Atom> = kernel.points.iter().map(|dim| dim.var.into()).collect();
        let mut dests = Vec::new();
        for into in into {
            let ty = self.part_type(into);
            let mut part = into.array;
            if !into.part.is_empty() {
                let index = ArrayExp::Index { array: part, slice: into.part.clone() };
                part = self.array_exp("part", ty.clone(), index, code);
            }
            if !points.is_empty() {
                let own = ty.with_dims(ty.dims()[points.len()..].to_vec());
                let own = self.element(part, &points, own, code);
                part = self.as_var(own, code);
            }
            let ty = self.ty(part);
            dests.push(self.array_exp("own", ty, ArrayExp::Copy(part), code));
        }
        let lambda = self.same(&values.elems, code);
        let types = dests.iter().map(|dest| self.ty(*dest)).collect();
        let (width, inputs) = (row.width, row.arrays);
        let write = match op {
            None => Operator::Scatter { width, dests, inputs, lambda },
            Some(op) => Operator::Hist { width, dests, op: self.reduction(op), inputs, lambda },
        };
        self.bind_all("written", types, write, code).into_iter().map(Atom::Var).collect()
    }
}
