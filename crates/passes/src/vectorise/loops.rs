//! The loops around groups: whole groups, then the rest.
//!
//! ```text
//! for i in from .. to independent { .. }
//! ```
//! becomes, with `width` iterations in a group,
//! ```text
//! groups = max ((to - from) / width) 0
//! for g in 0 .. groups { first = from + g * width; <iterations first .. first + width> }
//! done = from + groups * width
//! for g in 0 .. (to - done + lanes - 1) / lanes { first = done + g * lanes; <iterations first .. min (first + lanes) to> }
//! ```
//! Where the loop has an interior (`interior`), all of this is done for that; the borders before and behind it follow, with masks or, where this would take gathers that are worth nothing, one by one.
//!
//! A reduction starts with the neutral element in all lanes and combines the lanes at the end.

use super::cost::Machine;
use super::plan::{Chosen, Loop, Rest};
use super::shape::Shapes;
use super::widen::{Sums, Widen};
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::{Accumulator, BinOp, Exp, LoopForm, Prim, Type, Var};

/// A loop in the making.
pub struct Loops<'a> {
    pub code: &'a mut CodeBuilder,
    pub machine: Machine,
    pub it: Loop<'a>,
    pub chosen: &'a Chosen<'a>,
}

impl Loops<'_> {
    /// `one_by_one` makes the loop as it was, for iterations from there to there.
    pub fn make(mut self, mut one_by_one: impl FnMut(&mut CodeBuilder, Exp, Exp)) {
        let plan = self.chosen.plan;
        let (from, to) = (self.fixed("from", self.it.from), self.fixed("to", self.it.to));
        if !plan.tested {
            return self.vectors(from, to, &mut one_by_one);
        }
        let count = to.clone().sub(from.clone());
        self.code.open();
        one_by_one(self.code, from.clone(), to.clone());
        let short = self.code.close();
        self.code.open();
        let inner = Loops { code: self.code, machine: self.machine, it: self.it, chosen: self.chosen };
        inner.vectors(from, to, &mut one_by_one);
        let long = self.code.close();
        self.code.if_(count.lt(plan.lanes as i64 / 2), short, long);
    }

    /// A bound that is still the same when the loop has changed its variables.
    fn fixed(&mut self, name: &str, bound: &Exp) -> Exp {
        match bound {
            Exp::Var(var) if self.chosen.shapes.is_assigned(*var) => self.code.bind(name, *var).into(),
            bound => self.code.atom(name, bound.clone()),
        }
    }

    fn vectors(mut self, from: Exp, to: Exp, one_by_one: &mut impl FnMut(&mut CodeBuilder, Exp, Exp)) {
        let plan = self.chosen.plan;
        let (begin, end) = self.interior(&from, &to);
        let count = end.clone().sub(begin.clone());
        let width = plan.lanes as i64 * plan.copies as i64;
        let groups = match count.as_i64() {
            Some(count) => Exp::i64(count.max(0) / width),
            None => {
                let groups = Exp::bin(BinOp::Ashr, Prim::I64, count, Exp::i64(width.ilog2() as i64));
                self.code.bind("groups", groups.max(0)).into()
            }
        };
        let mut sums = self.begin();
        let inner = self.chosen.inner.as_ref().unwrap_or(&self.chosen.shapes);
        self.whole_groups(begin.clone(), groups.clone(), plan.copies, inner, &sums);
        sums.iter_mut().for_each(|sum| self.join_copies(sum));
        let done = self.code.atom("done", begin.clone().add(groups.mul(width)));
        if begin == from && end == to {
            self.rest(plan.rest, (done, to), inner, &sums, one_by_one);
            return self.end(&sums);
        }
        let (before, behind) = match plan.rest {
            // Between the borders is no more than a group, which needs no more than a mask.
            Rest::Masked => {
                self.rest(plan.rest, (done, end.clone()), inner, &sums, one_by_one);
                ((from.clone(), begin.clone()), (end, to))
            }
            Rest::OneByOne => ((from.clone(), begin.clone()), (done, to)),
        };
        let everywhere = &self.chosen.shapes;
        if begin == from {
            self.rest(plan.borders, behind, everywhere, &sums, one_by_one);
            return self.end(&sums);
        }
        // The same code for both borders.
        let number = self.code.new_var("part", Type::I64);
        self.code.open();
        let is_before = Exp::Var(number).eq(0);
        let first = self.code.bind("first", Exp::select(is_before.clone(), before.0, behind.0)).into();
        let last = self.code.bind("last", Exp::select(is_before, before.1, behind.1)).into();
        self.rest(plan.borders, (first, last), everywhere, &sums, one_by_one);
        let body = self.code.close();
        self.code.for_(number, 0, 2, LoopForm::Plain, body);
        self.end(&sums);
    }

    /// The iterations from there to there, which are few.
    fn rest(
        &mut self,
        rest: Rest,
        (first, last): (Exp, Exp),
        shapes: &Shapes<'_>,
        sums: &[Sum],
        one_by_one: &mut impl FnMut(&mut CodeBuilder, Exp, Exp),
    ) {
        match rest {
            Rest::Masked => self.last_groups(first, last, shapes, sums),
            Rest::OneByOne => one_by_one(self.code, first, last),
        }
    }

    /// Where the interior begins and ends.
    fn interior(&mut self, from: &Exp, to: &Exp) -> (Exp, Exp) {
        let Some(interior) = self.chosen.inner.as_ref().and_then(|shapes| shapes.interior()) else {
            return (from.clone(), to.clone());
        };
        let begin = interior.lower.iter().cloned().fold(from.clone(), Exp::max);
        let begin = match begin == *from {
            true => begin,
            false => self.code.atom("begin", begin.min(to.clone())),
        };
        let end = interior.upper.iter().cloned().fold(to.clone(), Exp::min);
        let end = if end == *to { end } else { self.code.atom("end", end.max(begin.clone())) };
        (begin, end)
    }

    /// This many groups of `copies` vectors each, without a mask.
    fn whole_groups(&mut self, from: Exp, groups: Exp, copies: u16, shapes: &Shapes<'_>, sums: &[Sum]) {
        if groups.as_i64() == Some(0) {
            return;
        }
        let width = self.chosen.plan.lanes as i64 * copies as i64;
        let number = self.code.new_var("group", Type::I64);
        self.code.open();
        let first = self.code.bind("first", from.add(Exp::Var(number).mul(width)));
        self.group(first, copies, shapes, sums, None);
        let body = self.code.close();
        self.code.for_(number, 0, groups, LoopForm::Plain, body);
    }

    /// The iterations `done .. to`, in groups of one vector each.
    fn last_groups(&mut self, done: Exp, to: Exp, shapes: &Shapes<'_>, sums: &[Sum]) {
        let lanes = self.chosen.plan.lanes as i64;
        let left = to.clone().sub(done.clone());
        if let Some(left) = left.as_i64()
            && left % lanes == 0
        {
            return self.whole_groups(done, Exp::i64(left / lanes), 1, shapes, sums);
        }
        let round =
            Exp::bin(BinOp::Ashr, Prim::I64, left.clone().add(lanes - 1), Exp::i64(lanes.ilog2() as i64));
        let groups = left.as_i64().map_or(round, |left| Exp::i64((left.max(0) + lanes - 1) / lanes));
        let number = self.code.new_var("group", Type::I64);
        self.code.open();
        let first = self.code.bind("first", done.add(Exp::Var(number).mul(lanes)));
        // As wide as what is worked on, so that it is a mask as it comes out of the comparison.
        let prim = match self.machine.vector_bytes / self.chosen.plan.lanes {
            0 | 1 => Prim::I8,
            2 | 3 => Prim::I16,
            4..=7 => Prim::I32,
            _ => Prim::I64,
        };
        let left = to.sub(first).min(lanes).convert(Prim::I64, prim);
        let all = self.chosen.plan.lanes;
        let mask = Exp::bin(BinOp::Lt, prim, Exp::Lanes(prim, all), Exp::splat(all, left));
        let mask = self.code.bind("mask", mask);
        self.group(first, 1, shapes, sums, Some(vec![mask.into()]));
        let body = self.code.close();
        self.code.for_(number, 0, groups, LoopForm::Plain, body);
    }

    fn group(&mut self, first: Var, copies: u16, shapes: &Shapes<'_>, sums: &[Sum], mask: Option<Vec<Exp>>) {
        let Chosen { plan, body, .. } = self.chosen;
        let accumulators = sums.iter().map(|sum| (sum.of.var, sum.copies.clone())).collect();
        let products = Sums::of(self.it.form, body);
        let mut widen = Widen::new(self.code, shapes, plan.lanes, copies, products);
        widen.group(self.it.var, first, &accumulators, mask, body);
    }

    // # Accumulators

    fn begin(&mut self) -> Vec<Sum> {
        let accumulators = match self.it.form {
            LoopForm::Plain | LoopForm::Independent => return Vec::new(),
            LoopForm::Reduce(accumulators) => accumulators.clone(),
        };
        let plan = self.chosen.plan;
        let begin = |of: Accumulator| {
            let name = self.code.name(of.var).to_string();
            let ty = Type::Vector(of.prim, plan.lanes);
            let copies: Vec<Var> = (0..plan.copies).map(|_| self.code.new_var(name.clone(), ty)).collect();
            for copy in &copies {
                self.code.set(*copy, Exp::splat(plan.lanes, of.neutral));
            }
            Sum { of, copies }
        };
        accumulators.into_iter().map(begin).collect()
    }

    /// One vector remains.
    fn join_copies(&mut self, sum: &mut Sum) {
        while sum.copies.len() > 1 {
            let half = sum.copies.len() / 2;
            for copy in 0..half {
                let (x, y) = (sum.copies[copy], sum.copies[copy + half]);
                self.code.set(x, Exp::bin(sum.of.op, sum.of.prim, x, y));
            }
            sum.copies.truncate(half);
        }
    }

    fn end(&mut self, sums: &[Sum]) {
        for Sum { of, copies } in sums {
            let all = Exp::combine(of.op, of.prim, copies[0]);
            self.code.set(of.var, Exp::bin(of.op, of.prim, of.var, all));
        }
    }
}

/// An accumulator and its vectors.
struct Sum {
    of: Accumulator,
    copies: Vec<Var>,
}
