//! Index spaces whose inner width varies and is no length of rows: they are made as irregular arrays.
//!
//! ```text
//! map n (ks) \(k) {                        let is: [n][?]i64 = ..           // 0, 1, .., k-1 for each k
//!   let r: [k]i64 = range.i64 k 0 1        map n (is) \(k, r: [k]i64) {
//!   let s: i64 = reduce k (r) ..    ==>      let s: i64 = reduce k (r) ..
//!   in s                                     in s
//! }                                        }
//! ```
//!
//! The numbers of all rows, one after the other, are made by flat operators: each element finds its row among the ends of rows, and
//! from its place is taken that of the row's beginning. That takes as much memory as there are elements in all; where that would be much,
//! the rows stay with their threads. So do rows that are reduced, if there are enough of them for all threads and none is much longer than the others.

use super::context::{Context, Group, Home, Level, Stored};
use super::kernel::Demand;
use super::shape::Step;
use super::{Distributor, VersionChoice};
use crate::nest::inputs::applied_mut;
use crate::nest::subst::Subst;
use norn_ir::nest::{
    Applied, ArrayExp, Atom, BinOp, Body, Dim, DimIndex, Exp, Lambda, Operator, Prim, Stm, Type, Var,
};
use std::rc::Rc;

/// More numbers than these are not made.
const MOST: i64 = 1 << 28;
/// Rows are reduced by a thread each if they are one in so many of the threads that the device can run at once, and the longest is `SHORT`, or at most `LONG` and so many times as long
/// as they are on average. Laid out, each element is written with its row and read again.
const PARTS: i64 = 4;
const UNEVEN: i64 = 4;
const SHORT: i64 = 64;
const LONG: i64 = 1 << 10;

impl Distributor<'_, '_> {
    /// An operator whose width varies from element to element of the nest around it. Whether it found a way.
    pub fn ragged_operator(&mut self, cx: &mut Context, at: u32, stm: &Stm) -> bool {
        let Some(width) = stm.exp.op().and_then(|operator| operator.width().var()) else { return false };
        if self.gather_rows(cx, stm, width) {
            self.alone(cx, at, stm);
            return true;
        }
        let (own, widths) = self.own_width(cx, width, at);
        let (lengths, steps) = self.in_one_dimension(widths, cx.depth());
        let (ends, total) = self.ends(lengths);
        let fits =
            self.emit("fits", Type::bool(), Exp::bin(BinOp::Le, Prim::I64, total.into(), Atom::i64(MOST)));
        let fits = self.unless_even(stm, fits, lengths, total);
        let demands: Vec<Demand> = stm.vars.iter().map(|var| self.demand(cx, *var)).collect();

        let outer = std::mem::take(&mut self.out);
        let numbers = self.numbers(lengths, ends, total, &steps);
        let row = self.row_of_numbers(cx, own, numbers, at);
        let numbered = self.with_numbers(cx, stm, width, own, row);
        let values = numbered.vars.iter().zip(&demands);
        let values: Vec<Demand> =
            values.map(|(var, demand)| Demand { value: (*var).into(), ..demand.clone() }).collect();
        self.taken_out += 1;
        let arrays = self.kernel(cx, vec![(at, numbered)], &values, stm.span);
        let then = self.close(arrays);
        let arrays = self.kernel(cx, vec![(at, stm.clone())], &demands, stm.span);
        let els = self.close(arrays);
        self.out = outer;

        let vars: Vec<Var> = demands.into_iter().map(|each| self.names.fresh(&each.name, each.ty)).collect();
        for (var, array) in stm.vars.iter().zip(&vars) {
            cx.set(*var, Home::Stored(Stored { level: cx.depth(), array: *array, fresh: true, at }));
        }
        let exp = Exp::if_(fits, then, els);
        self.out.push(self.stm(vars, exp, stm.span));
        true
    }

    /// Whether rows are laid out that fit: not if each is reduced to numbers, and there are enough of them for a thread each, which are done at about the same time.
    fn unless_even(&mut self, stm: &Stm, fits: Var, lengths: Var, total: Var) -> Atom {
        let yields_numbers = stm.vars.iter().all(|var| self.names.ty(*var).is_scalar());
        let count = self.names.ty(lengths).dims()[0].atom();
        let (VersionChoice::Tested, true, Some(count)) = (self.choice, yields_numbers, count) else {
            return fits.into();
        };
        // To ask how long rows are is to wait.
        if self.in_host_loop {
            return fits.into();
        }
        let mut tests = Vec::new();
        let wide = self.scalars(&mut tests, |emit| {
            let workers = emit.workers();
            let parts = emit.bin(BinOp::Mul, "parts", count, Atom::i64(PARTS));
            emit.at_most("wide", workers, parts)
        });
        // Only then the host asks how long they are.
        let mut then = Vec::new();
        let longest = self.longest(lengths, stm.span, &mut then);
        let even = self.scalars(&mut then, |emit| {
            let short = emit.at_most("short", longest, Atom::i64(SHORT));
            let most = emit.bin(BinOp::Mul, "most", longest, count);
            let several = emit.bin(BinOp::Mul, "several", total.into(), Atom::i64(UNEVEN));
            let even = emit.at_most("even", most, several);
            let not_long = emit.at_most("not_long", longest, Atom::i64(LONG));
            let even = emit.and("even", even, not_long);
            emit.or("even", short, even)
        });
        let then = Body { stms: then, result: vec![even] };
        let els = Body { stms: Vec::new(), result: vec![Atom::bool(false)] };
        let by_rows = self.names.fresh("by_rows", Type::bool());
        tests.push(self.stm(vec![by_rows], Exp::if_(wide, then, els), stm.span));
        let fits = self.scalars(&mut tests, |emit| {
            let uneven = emit.not("uneven", by_rows.into());
            emit.and("fits", fits.into(), uneven)
        });
        self.out.append(&mut tests);
        fits
    }

    /// If an input of the operator is a row of an irregular array, as long as the operator is wide, these rows become an array of
    /// their own, which describes the index space.
    fn gather_rows(&mut self, cx: &mut Context, stm: &Stm, width: Var) -> bool {
        let inputs = stm.exp.op().map_or(&[][..], |operator| operator.inputs());
        let is_row = |input: &&Var| {
            let own = self.names.ty(**input).dims().first() == Some(&Dim::size(width));
            own && cx.depth() == 1
                && cx.rows.contains(*input)
                && matches!(cx.home(**input), Some(Home::Again { .. }))
        };
        let Some(row) = inputs.iter().find(is_row).copied() else { return false };
        let demand = self.demand(cx, row);
        let array = self.copy_of_all(cx, row, &demand);
        let at = self.tick();
        cx.set(row, Home::Stored(Stored { level: cx.depth(), array, fresh: true, at }));
        self.is_described(cx, stm, width.into())
    }

    /// A level whose width varies takes the numbers of its elements. Whether it found a way.
    pub fn describe(&mut self, cx: &mut Context, level: &mut Level, stm: &Stm) -> bool {
        let Some(width) = level.width.var() else { return false };
        if self.gather_rows(cx, stm, width) {
            return true;
        }
        let at = self.tick();
        let (own, widths) = self.own_width(cx, width, at);
        let (lengths, steps) = self.in_one_dimension(widths, cx.depth());
        let (ends, total) = self.ends(lengths);
        let numbers = self.numbers(lengths, ends, total, &steps);
        let row = self.row_of_numbers(cx, own, numbers, at);
        level.width = own.into();
        let number = self.names.fresh("i", Type::i64());
        let depth = cx.depth() + 1;
        let groups = std::mem::take(&mut level.groups);
        level.groups.push(Group { input: row, params: vec![number] });
        for group in groups {
            match self.range(cx, group.input, width) {
                Some((prim, start, step)) => {
                    for stm in self.element(group.params[0], number, prim, start, step) {
                        let home =
                            Home::Again { level: depth, at: self.tick(), stm: Rc::new(stm.clone()), cost: 2 };
                        stm.vars.iter().for_each(|var| cx.set(*var, home.clone()));
                    }
                }
                None => level.groups.push(group),
            }
        }
        true
    }

    /// A variable for the width, which is the length of rows; and the array of all widths.
    fn own_width(&mut self, cx: &mut Context, width: Var, at: u32) -> (Var, Var) {
        let array = self.all_of(cx, width);
        let own = self.names.fresh(&self.names.name(width), Type::i64());
        cx.set(own, Home::Stored(Stored { level: cx.depth(), array, fresh: false, at }));
        (own, array)
    }

    fn row_of_numbers(&mut self, cx: &mut Context, width: Var, numbers: Var, at: u32) -> Var {
        let row = self.names.fresh("is", Type::array(Prim::I64, vec![Dim::size(width)]));
        cx.set(row, Home::Stored(Stored { level: cx.depth(), array: numbers, fresh: true, at }));
        row
    }

    fn close(&mut self, arrays: Vec<Var>) -> Body {
        let stms = std::mem::take(&mut self.out);
        Body { stms, result: arrays.into_iter().map(Atom::Var).collect() }
    }

    /// Where rows of these lengths end, and how many elements there are in all.
    pub fn ends(&mut self, lengths: Var) -> (Var, Var) {
        let ends = self.emit("ends", self.names.ty(lengths).clone(), Exp::Array(ArrayExp::Ends(lengths)));
        let total = self.names.fresh("total", Type::i64());
        let stms = self.names.total(total, ends, self.span);
        self.out.extend(stms);
        (ends, total)
    }

    /// Of each element of rows that end there, its place among all, and the number of its row.
    pub fn row_numbers(&mut self, ends: Var, total: Var) -> (Var, Var) {
        let ty = Type::array(Prim::I64, vec![Dim::size(total)]);
        let places = self.emit("places", ty.clone(), Exp::iota(total));
        let rows = self.names.fresh("rows", ty);
        let stms = self.names.row_numbers(rows, ends, places, self.span);
        self.out.extend(stms);
        (places, rows)
    }

    /// 0, 1, .. for each row.
    fn numbers(&mut self, lengths: Var, ends: Var, total: Var, steps: &[Step]) -> Var {
        let i64s = |size: Dim| Type::array(Prim::I64, vec![size]);
        let rows = self.names.ty(lengths).dims()[0];
        let (places, numbers) = self.row_numbers(ends, total);
        let [place, row] = ["place", "row"].map(|name| self.names.fresh(name, Type::i64()));
        let mut body = Body::default();
        let mut entry = |this: &mut Self, name: &str, array: Var| {
            let var = this.names.fresh(name, Type::i64());
            let slice = vec![DimIndex::Fix(row.into())];
            body.stms.push(this.stm(vec![var], Exp::index(array, slice), this.span));
            var
        };
        let end = entry(self, "end", ends);
        let length = entry(self, "length", lengths);
        let start = self.push_bin(&mut body, "start", BinOp::Sub, end, length);
        let number = self.push_bin(&mut body, "i", BinOp::Sub, place, start);
        body.result = vec![number.into()];
        let lambda = Lambda::new(vec![place, row], body);
        let exp = Exp::map(total.into(), vec![places, numbers], lambda);
        let all = self.emit("is", i64s(Dim::size(total)), exp);
        let ty = Type::array(Prim::I64, vec![rows, Dim::Irregular]);
        let numbers = self.emit("is", ty, Exp::segment(lengths, all));
        self.take_apart(numbers, steps)
    }

    fn push_bin(&mut self, body: &mut Body, name: &str, op: BinOp, x: Var, y: Var) -> Var {
        let var = self.names.fresh(name, Type::i64());
        body.stms.push(self.stm(vec![var], Exp::bin(op, Prim::I64, x.into(), y.into()), self.span));
        var
    }

    pub fn emit(&mut self, name: &str, ty: Type, exp: Exp) -> Var {
        let var = self.names.fresh(name, ty);
        self.out.push(self.stm(vec![var], exp, self.span));
        var
    }

    /// What a range of this width is made of.
    fn range(&self, cx: &Context, array: Var, width: Var) -> Option<(Prim, Atom, Atom)> {
        let Some(Home::Again { stm, .. }) = cx.home(array) else { return None };
        match &stm.exp {
            Exp::Array(ArrayExp::Range { prim, count, start, step }) if *count == Atom::Var(width) => {
                Some((*prim, *start, *step))
            }
            _ => None,
        }
    }

    /// Statements that compute the element of a range with this number.
    fn element(&mut self, var: Var, number: Var, prim: Prim, start: Atom, step: Atom) -> Vec<Stm> {
        if prim == Prim::I64 && (start, step) == (Atom::i64(0), Atom::i64(1)) {
            return vec![self.stm(vec![var], Exp::atom(number.into()), self.span)];
        }
        let mut stms = Vec::new();
        let mut own: Atom = number.into();
        if prim != Prim::I64 {
            let converted = self.names.fresh("i", Type::scalar(prim));
            stms.push(self.stm(vec![converted], Exp::convert(Prim::I64, prim, own), self.span));
            own = converted.into();
        }
        let product = self.names.fresh("step", Type::scalar(prim));
        stms.push(self.stm(vec![product], Exp::bin(BinOp::Mul, prim, own, step), self.span));
        stms.push(self.stm(vec![var], Exp::bin(BinOp::Add, prim, start, product.into()), self.span));
        stms
    }

    /// The operator again, with a row of numbers as one more input, of which ranges are made, and its own variable for the width.
    fn with_numbers(&mut self, cx: &Context, stm: &Stm, width: Var, own: Var, row: Var) -> Stm {
        let number = self.names.fresh("i", Type::i64());
        let mut stm = self.names.copy_stm(&mut Subst::of(&[width], [own.into()]), stm);
        if let Exp::Op(Operator::Reduce { width, op, inputs } | Operator::Scan { width, op, inputs }) =
            &stm.exp
        {
            let params: Vec<Var> =
                inputs.clone().into_iter().flat_map(|input| self.names.row_params(input)).collect();
            let result = params.iter().map(|param| (*param).into()).collect();
            let lambda = Lambda::new(params, Body { stms: Vec::new(), result });
            let (one, none) = (vec![op.clone()], Vec::new());
            let (scans, reductions) =
                if matches!(stm.exp, Exp::Op(Operator::Scan { .. })) { (one, none) } else { (none, one) };
            stm.exp =
                Exp::Op(Operator::Fused { width: *width, inputs: inputs.clone(), lambda, scans, reductions });
        }
        let mut ranges = Vec::new();
        let mut kept = Vec::new();
        let Some(Applied { inputs, lambda, skipped, .. }) = applied_mut(&mut stm.exp) else { return stm };
        let groups = crate::nest::inputs::param_groups(&self.names.vars, inputs, &lambda.params[skipped..]);
        let mut params = lambda.params[..skipped].to_vec();
        for (input, group) in inputs.iter().zip(groups) {
            match self.range(cx, *input, width) {
                Some(range) => ranges.push((group[0], range)),
                None => {
                    kept.push(*input);
                    params.extend(group);
                }
            }
        }
        kept.push(row);
        params.push(number);
        *inputs = kept;
        lambda.params = params;
        let mut stms = Vec::new();
        for (param, (prim, start, step)) in ranges {
            stms.extend(self.element(param, number, prim, start, step));
        }
        stms.append(&mut lambda.body.stms);
        lambda.body.stms = stms;
        stm
    }
}
