//! How rows of different lengths are described by flat operators: sums of lengths say where rows end, and the row of an element is
//! the first that ends behind it.
//!
//! Blelloch marks where rows begin and adds the marks up: three passes over all elements, one of which is a scan. A search by each
//! element for itself is one, and neighbours search among the same ends, which are at hand.

use super::subst::Names;
use norn_base::Span;
use norn_ir::nest::{
    Atom, BinOp, Body, ControlExp, DimIndex, Exp, Lambda, LoopForm, Param, Prim, Reduction, Stm, Type, Var,
};

impl Names {
    /// The sum of numbers.
    pub fn sum(&mut self, span: Span) -> Reduction {
        let [x, y, z] = ["x", "y", "z"].map(|name| self.fresh(name, Type::i64()));
        let body = Body { stms: vec![arithmetic(BinOp::Add, z, x, y, span)], result: vec![z.into()] };
        Reduction { lambda: Lambda::new(vec![x, y], body), neutral: vec![Atom::i64(0)], commutative: true }
    }

    /// How many elements there are in rows that end there: statements that bind this.
    pub fn total(&mut self, total: Var, ends: Var, span: Span) -> Vec<Stm> {
        let count = self.count(ends);
        let some = self.fresh("some", Type::bool());
        let [last, end] = ["last", "end"].map(|name| self.fresh(name, Type::i64()));
        let then = Body {
            stms: vec![
                Stm::new(vec![last], Exp::bin(BinOp::Sub, Prim::I64, count, Atom::i64(1)), span),
                Stm::new(vec![end], Exp::index(ends, vec![DimIndex::Fix(last.into())]), span),
            ],
            result: vec![end.into()],
        };
        vec![
            Stm::new(vec![some], Exp::bin(BinOp::Lt, Prim::I64, Atom::i64(0), count), span),
            Stm::new(vec![total], Exp::if_(some.into(), then, just(Atom::i64(0))), span),
        ]
    }

    /// Of each element of rows that end there, the number of its row.
    pub fn row_numbers(&mut self, ends: Var, places: Var, span: Span) -> Exp {
        let [place, low, high, middle, end, next, below, above] =
            ["place", "low", "high", "middle", "end", "next", "low", "high"]
                .map(|name| self.fresh(name, Type::i64()));
        let [apart, behind] = ["apart", "behind"].map(|name| self.fresh(name, Type::bool()));
        let stm = |var: Var, exp: Exp| Stm::new(vec![var], exp, span);
        let bin = |op: BinOp, x: Atom, y: Atom| Exp::bin(op, Prim::I64, x, y);
        let cond = Body {
            stms: vec![stm(apart, bin(BinOp::Lt, low.into(), high.into()))],
            result: vec![apart.into()],
        };
        let sum = self.fresh("sum", Type::i64());
        let body = Body {
            stms: vec![
                stm(sum, bin(BinOp::Add, low.into(), high.into())),
                stm(middle, bin(BinOp::Quot, sum.into(), Atom::i64(2))),
                stm(end, Exp::index(ends, vec![DimIndex::Fix(middle.into())])),
                stm(behind, bin(BinOp::Le, end.into(), place.into())),
                stm(next, bin(BinOp::Add, middle.into(), Atom::i64(1))),
                stm(below, Exp::if_(behind.into(), just(next.into()), just(low.into()))),
                stm(above, Exp::if_(behind.into(), just(high.into()), just(middle.into()))),
            ],
            result: vec![below.into(), above.into()],
        };
        let params = vec![(Param::plain(low), Atom::i64(0)), (Param::plain(high), self.count(ends))];
        let search = Exp::Control(ControlExp::Loop { params, form: LoopForm::While(cond), body });
        let [row, stop] = ["row", "stop"].map(|name| self.fresh(name, Type::i64()));
        let body = Body { stms: vec![Stm::new(vec![row, stop], search, span)], result: vec![row.into()] };
        Exp::map(self.count(places), vec![places], Lambda::new(vec![place], body))
    }

    fn count(&self, array: Var) -> Atom {
        self.ty(array).dims()[0].atom().unwrap_or(Atom::i64(0))
    }
}

/// A body that does nothing.
fn just(atom: Atom) -> Body {
    Body { stms: Vec::new(), result: vec![atom] }
}

fn arithmetic(op: BinOp, result: Var, x: Var, y: Var, span: Span) -> Stm {
    let exp = Exp::bin(op, Prim::I64, x.into(), y.into());
    Stm::new(vec![result], exp, span)
}
