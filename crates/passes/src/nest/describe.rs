//! How rows of different lengths are described by flat operators (Blelloch): sums of lengths say where rows end, a mark where each begins, and sums of
//! marks of which row an element is.

use super::subst::Names;
use crate::imp_gen::MOST_ELEMENTS;
use norn_base::Span;
use norn_ir::nest::{Atom, BinOp, Body, Exp, Lambda, Operator, Prim, Reduction, Stm, Type, Var};

impl Names {
    /// The sum of numbers.
    pub fn sum(&mut self, span: Span) -> Reduction {
        let [x, y, z] = ["x", "y", "z"].map(|name| self.fresh(name, Type::i64()));
        let body = Body { stms: vec![arithmetic(BinOp::Add, z, x, y, span)], result: vec![z.into()] };
        Reduction { lambda: Lambda::new(vec![x, y], body), neutral: vec![Atom::i64(0)], commutative: true }
    }

    /// The sum of numbers that are at most [`MOST_ELEMENTS`], or that if it is more. It is associative: no order wraps around.
    fn saturating_sum(&mut self, span: Span) -> Reduction {
        let [x, y, z, counted] = ["x", "y", "z", "counted"].map(|name| self.fresh(name, Type::i64()));
        let stms = vec![arithmetic(BinOp::Add, z, x, y, span), at_most(counted, z, span)];
        let body = Body { stms, result: vec![counted.into()] };
        Reduction { lambda: Lambda::new(vec![x, y], body), neutral: vec![Atom::i64(0)], commutative: true }
    }

    /// Where rows of these lengths end.
    pub fn ends(&mut self, lengths: Var, span: Span) -> Exp {
        Exp::scan(self.count(lengths), self.sum(span), vec![lengths])
    }

    /// Where rows of these lengths end, and how many elements there are in all. If these are more than [`MOST_ELEMENTS`], they are as many, and
    /// the ends may have wrapped around: nobody can use them, since no memory has room for the elements.
    pub fn ends_and_total(&mut self, lengths: Var, span: Span) -> Exp {
        let [length, counted] = ["length", "counted"].map(|name| self.fresh(name, Type::i64()));
        let stms = vec![at_most(counted, length, span)];
        let body = Body { stms, result: vec![length.into(), counted.into()] };
        Exp::Op(Operator::Fused {
            width: self.count(lengths),
            inputs: vec![lengths],
            lambda: Lambda::new(vec![length], body),
            scans: vec![self.sum(span)],
            reductions: vec![self.saturating_sum(span)],
        })
    }

    /// Of each element, how many rows begin with it, added to what there is.
    pub fn marks(&mut self, lengths: Var, ends: Var, none: Var, span: Span) -> Exp {
        let [end, length, start] = ["end", "length", "start"].map(|name| self.fresh(name, Type::i64()));
        let stms = vec![arithmetic(BinOp::Sub, start, end, length, span)];
        let body = Body { stms, result: vec![start.into(), Atom::i64(1)] };
        Exp::Op(Operator::Hist {
            width: self.count(lengths),
            dests: vec![none],
            op: self.sum(span),
            inputs: vec![ends, lengths],
            lambda: Lambda::new(vec![end, length], body),
        })
    }

    fn count(&self, array: Var) -> Atom {
        self.ty(array).dims()[0].atom().unwrap_or(Atom::i64(0))
    }
}

fn at_most(result: Var, number: Var, span: Span) -> Stm {
    let exp = Exp::bin(BinOp::Min, Prim::I64, number.into(), Atom::i64(MOST_ELEMENTS));
    Stm::new(vec![result], exp, span)
}

fn arithmetic(op: BinOp, result: Var, x: Var, y: Var, span: Span) -> Stm {
    let exp = Exp::bin(op, Prim::I64, x.into(), y.into());
    Stm::new(vec![result], exp, span)
}
