//! Cuts by elements: where parts take rows of different lengths and go down a recursion with them, each gets about as many elements, not rows.
//!
//! ```text
//! let lengths: [n]i64 = lengths xs
//! let ends: [n]i64 = ends lengths
//! let total: i64, all: [total]i32 = join_rows xs
//! let weight: i64 = add.i64 total n                       a row weighs as much as it has elements, and one more
//! .. a plan for `weight`, and in a part ..
//! let cuts: [2]i64 = grid map 2 (sides) \(side: i64) { .. }     the first row whose middle is in the part, and the first behind it
//! ```
//!
//! The host waits for two numbers in each part. So only what takes long is cut like this: tasks that call a function.

use super::bin;
use crate::fission::kernel;
use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::task::Task;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Param, Prim, Stm, Type,
    Var,
};

#[derive(Clone, Copy)]
pub(super) struct Weights {
    rows: Atom,
    pub lengths: Var,
    pub ends: Var,
    /// Of all rows.
    pub total: Var,
}

impl Weights {
    /// Those of the first input that has rows of different lengths, if the task is cut by elements.
    pub fn of(names: &mut Names, out: &mut Vec<Stm>, task: &Task, span: Span) -> Option<Weights> {
        let calls = |stm: &Stm| matches!(stm.exp, Exp::Control(ControlExp::Call { .. }));
        let is_irregular = |input: &&Var| names.ty(**input).has_irregular_rows();
        let array = *task.inputs.iter().find(is_irregular)?;
        if !task.lambda.body.stms.iter().any(calls) {
            return None;
        }
        let numbers = Type::array(Prim::I64, vec![Dim::Size(task.width)]);
        let [lengths, ends] = ["lengths", "ends"].map(|name| names.fresh(name, numbers.clone()));
        out.push(Stm::new(vec![lengths], Exp::Array(ArrayExp::Lengths(array)), span));
        out.push(Stm::new(vec![ends], Exp::Array(ArrayExp::Ends(lengths)), span));
        let elements = names.fresh("elements", Type::i64());
        let mut dims = names.ty(array).dims()[1..].to_vec();
        dims[0] = Dim::size(elements);
        let all = names.fresh("all", names.ty(array).with_dims(dims));
        out.push(Stm::new(vec![elements, all], Exp::Array(ArrayExp::JoinRows(array)), span));
        let total = bin(names, out, "weight", BinOp::Add, elements.into(), task.width, span);
        Some(Weights { rows: task.width, lengths, ends, total })
    }

    /// The rows whose middle is within so much weight: the first, and how many.
    pub fn rows_within(
        &self,
        names: &mut Names,
        stms: &mut Vec<Stm>,
        (from, weight): (Var, Var),
        span: Span,
    ) -> (Var, Var) {
        let two = Type::array(Prim::I64, vec![Dim::Size(Atom::i64(2))]);
        let [sides, cuts] = ["sides", "cuts"].map(|name| names.fresh(name, two.clone()));
        let (start, step) = (Atom::i64(0), Atom::i64(1));
        let range = ArrayExp::Range { prim: Prim::I64, count: Atom::i64(2), start, step };
        stms.push(Stm::new(vec![sides], Exp::Array(range), span));
        let side = names.fresh("side", Type::i64());
        let mut body = Vec::new();
        let behind = bin(names, &mut body, "behind", BinOp::Mul, side.into(), weight.into(), span);
        let at = bin(names, &mut body, "at", BinOp::Add, from.into(), behind.into(), span);
        let found = self.first_row_at(names, &mut body, at, span);
        let lambda = Lambda::new(vec![side], Body { stms: body, result: vec![found.into()] });
        let exp = Exp::map(Atom::i64(2), vec![sides], lambda);
        stms.push(Stm { grid: kernel(), ..Stm::new(vec![cuts], exp, span) });
        let [first, behind] = [0, 1].map(|side| {
            let cut = names.fresh("cut", Type::i64());
            stms.push(Stm::new(vec![cut], Exp::index(cuts, vec![DimIndex::Fix(Atom::i64(side))]), span));
            cut
        });
        (first, bin(names, stms, "count", BinOp::Sub, behind.into(), first.into(), span))
    }

    /// By bisection, the first row before whose middle there is at least this weight.
    fn first_row_at(&self, names: &mut Names, stms: &mut Vec<Stm>, at: Var, span: Span) -> Var {
        let [low, high, first, stop] =
            ["low", "high", "first", "stop"].map(|name| names.fresh(name, Type::i64()));
        let apart = names.fresh("apart", Type::bool());
        let exp = Exp::bin(BinOp::Lt, Prim::I64, low.into(), high.into());
        let cond = Body { stms: vec![Stm::new(vec![apart], exp, span)], result: vec![apart.into()] };
        let mut body = Vec::new();
        let sum = bin(names, &mut body, "sum", BinOp::Add, low.into(), high.into(), span);
        let middle = bin(names, &mut body, "middle", BinOp::Lshr, sum.into(), Atom::i64(1), span);
        let [end, length] = [(self.ends, "end"), (self.lengths, "length")].map(|(array, name)| {
            let var = names.fresh(name, Type::i64());
            body.push(Stm::new(vec![var], Exp::index(array, vec![DimIndex::Fix(middle.into())]), span));
            var
        });
        let start = bin(names, &mut body, "start", BinOp::Sub, end.into(), length.into(), span);
        let half = bin(names, &mut body, "half", BinOp::Lshr, length.into(), Atom::i64(1), span);
        let start = bin(names, &mut body, "start", BinOp::Add, start.into(), half.into(), span);
        let before = bin(names, &mut body, "before", BinOp::Add, start.into(), middle.into(), span);
        let is_before = names.fresh("is_before", Type::bool());
        let exp = Exp::bin(BinOp::Lt, Prim::I64, before.into(), at.into());
        body.push(Stm::new(vec![is_before], exp, span));
        let next = bin(names, &mut body, "next", BinOp::Add, middle.into(), Atom::i64(1), span);
        let mut choose = |name: &str, then: Var, els: Var| {
            let var = names.fresh(name, Type::i64());
            let [then, els] = [then, els].map(|var| Body { stms: Vec::new(), result: vec![var.into()] });
            body.push(Stm::new(vec![var], Exp::if_(is_before.into(), then, els), span));
            var
        };
        let (lower, higher) = (choose("low", next, low), choose("high", high, middle));
        let params = vec![(Param::plain(low), Atom::i64(0)), (Param::plain(high), self.rows)];
        let body = Body { stms: body, result: vec![lower.into(), higher.into()] };
        let exp = ControlExp::Loop { params, form: LoopForm::While(cond), body };
        stms.push(Stm::new(vec![first, stop], Exp::Control(exp), span));
        first
    }
}
