//! How rows of different lengths are described by flat operators: sums of lengths say where rows end, and the row of an element is
//! the first that ends behind it.
//!
//! Blelloch marks where rows begin and adds the marks up: three passes over all elements, one of which is a scan. A search by each
//! element for itself is one, and neighbours search among the same few ends, which are at hand.

use super::subst::Names;
use norn_base::Span;
use norn_ir::nest::{
    Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Param, Prim, Reduction, Stm, Type,
    Var,
};

/// One place in so many, a power of two, is looked for among all rows: as many elements as threads that run together.
const SHIFT: i64 = 5;
/// Fewer elements than these find their rows in less time than it takes to start a kernel.
const MANY: i64 = 1 << 18;

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

    /// Of each element of rows that end there, given its place, the number of its row: statements that bind this.
    ///
    /// Where there are many elements, only one place in 32 is searched for among all rows. Others are between the rows of two of these, which are few.
    pub fn row_numbers(&mut self, rows: Var, ends: Var, places: Var, span: Span) -> Vec<Stm> {
        let total = self.count(places);
        let stm = |var: Var, exp: Exp| Stm::new(vec![var], exp, span);
        let bin = |op: BinOp, x: Atom, y: Atom| Exp::bin(op, Prim::I64, x, y);
        let [parts, enough, count] = ["parts", "enough", "count"].map(|name| self.fresh(name, Type::i64()));
        let many = self.fresh("many", Type::bool());
        let numbers =
            |name: &str, this: &mut Names| this.fresh(name, Type::array(Prim::I64, vec![Dim::size(count)]));
        let [all, marks] = ["numbers", "marks"].map(|name| numbers(name, self));

        let [number, at] = ["number", "at"].map(|name| self.fresh(name, Type::i64()));
        let (row, search) = self.search(ends, at, Atom::i64(0), self.count(ends), span);
        let body = Body {
            stms: vec![stm(at, bin(BinOp::Shl, number.into(), Atom::i64(SHIFT))), search],
            result: vec![row.into()],
        };
        let mark = Exp::map(count.into(), vec![all], Lambda::new(vec![number], body));

        let [place, part, next, low, high] =
            ["place", "part", "next", "low", "high"].map(|name| self.fresh(name, Type::i64()));
        let (row, search) = self.search(ends, place, low.into(), high.into(), span);
        let [before, behind] = ["before", "behind"].map(|name| self.fresh(name, Type::i64()));
        let marked = |number: Var| Exp::index(marks, vec![DimIndex::Fix(number.into())]);
        let between = Body {
            stms: vec![
                stm(part, bin(BinOp::Lshr, place.into(), Atom::i64(SHIFT))),
                stm(next, bin(BinOp::Add, part.into(), Atom::i64(1))),
                stm(before, marked(part)),
                stm(behind, marked(next)),
            ],
            result: vec![before.into(), behind.into()],
        };
        let anywhere = Body { stms: Vec::new(), result: vec![Atom::i64(0), self.count(ends)] };
        let body = Body {
            stms: vec![Stm::new(vec![low, high], Exp::if_(many.into(), between, anywhere), span), search],
            result: vec![row.into()],
        };
        vec![
            stm(many, bin(BinOp::Le, Atom::i64(MANY), total)),
            stm(parts, bin(BinOp::Lshr, total, Atom::i64(SHIFT))),
            stm(enough, bin(BinOp::Add, parts.into(), Atom::i64(2))),
            stm(count, Exp::if_(many.into(), just(enough.into()), just(Atom::i64(0)))),
            stm(all, Exp::iota(count)),
            stm(marks, mark),
            stm(rows, Exp::map(total, vec![places], Lambda::new(vec![place], body))),
        ]
    }

    /// The first row from `from` on that ends behind a place, or `to`.
    fn search(&mut self, ends: Var, place: Var, from: Atom, to: Atom, span: Span) -> (Var, Stm) {
        let [low, high, middle, end, next, below, above] =
            ["low", "high", "middle", "end", "next", "low", "high"].map(|name| self.fresh(name, Type::i64()));
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
                stm(middle, bin(BinOp::Lshr, sum.into(), Atom::i64(1))),
                stm(end, Exp::index(ends, vec![DimIndex::Fix(middle.into())])),
                stm(behind, bin(BinOp::Le, end.into(), place.into())),
                stm(next, bin(BinOp::Add, middle.into(), Atom::i64(1))),
                stm(below, Exp::if_(behind.into(), just(next.into()), just(low.into()))),
                stm(above, Exp::if_(behind.into(), just(high.into()), just(middle.into()))),
            ],
            result: vec![below.into(), above.into()],
        };
        let params = vec![(Param::plain(low), from), (Param::plain(high), to)];
        let search = Exp::Control(ControlExp::Loop { params, form: LoopForm::While(cond), body });
        let [row, stop] = ["row", "stop"].map(|name| self.fresh(name, Type::i64()));
        (row, Stm::new(vec![row, stop], search, span))
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
