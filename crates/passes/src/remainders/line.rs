//! What grows evenly with the variable of a loop.

use norn_ir::imp::walk::assigned;
use norn_ir::imp::{BinOp, Block, Exp, GroupStmt, Prim, Scalar, Stmt, Var};
use std::collections::HashMap;

/// `first` in the first iteration, and in each one `step` more than in the one before it, up to a wrap around. Both are arithmetic on what does not change in the loop.
#[derive(Clone, PartialEq)]
pub struct Line {
    pub first: Exp,
    pub step: Exp,
    prim: Prim,
}

pub struct Loop {
    var: Var,
    from: Exp,
    assigned: Vec<Var>,
    /// Of what is assigned in one place of the whole code, which is in every iteration.
    meanings: HashMap<Var, Exp>,
}

/// Longer expressions are not looked at, so that those before loops stay short.
const LONGEST: usize = 24;

impl Loop {
    pub fn of(var: Var, from: &Exp, body: &Block, times_assigned: &[u32]) -> Loop {
        let mut assigned = assigned(body);
        assigned.insert(assigned.partition_point(|other| *other < var), var);
        let mut meanings = HashMap::new();
        find_meanings(body, times_assigned, &mut meanings);
        Loop { var, from: from.clone(), assigned, meanings }
    }

    /// An operand that has one value in the whole loop.
    pub fn fixed(&self, exp: &Exp) -> Option<Exp> {
        let is_fixed = match exp {
            Exp::Const(_) => true,
            Exp::Var(var) => !self.is_assigned(*var),
            _ => false,
        };
        is_fixed.then(|| exp.clone())
    }

    pub fn line(&self, exp: &Exp) -> Option<Line> {
        let mut left = LONGEST;
        self.line_within(exp, &mut left)
    }

    fn is_assigned(&self, var: Var) -> bool {
        self.assigned.binary_search(&var).is_ok()
    }

    fn line_within(&self, exp: &Exp, left: &mut usize) -> Option<Line> {
        *left = left.checked_sub(1)?;
        match exp {
            Exp::Const(scalar) => Some(Line::fixed(exp.clone(), scalar.prim())),
            Exp::Var(var) if *var == self.var => {
                self.fixed(&self.from)?;
                Some(Line { first: self.from.clone(), step: Exp::i64(1), prim: Prim::I64 })
            }
            Exp::Var(var) if self.is_assigned(*var) => self.line_within(self.meanings.get(var)?, left),
            Exp::Bin(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), prim @ (Prim::I32 | Prim::I64), x, y) => {
                let operand = |exp: &Exp, left: &mut usize| match self.fixed(exp) {
                    Some(exp) => Some(Line::fixed(exp, *prim)),
                    None => self.line_within(exp, left),
                };
                let (x, y) = (operand(x, left)?, operand(y, left)?);
                Line::combined(*op, x, y)
            }
            Exp::Convert { from: Prim::I64, to: Prim::I32, value } => {
                let Line { first, step, .. } = match self.fixed(value) {
                    Some(value) => Line::fixed(value, Prim::I64),
                    None => self.line_within(value, left)?,
                };
                let narrow = |exp: Exp| match exp.as_i64() {
                    Some(value) => Scalar::I32(value as i32).into(),
                    None => exp.convert(Prim::I64, Prim::I32),
                };
                Some(Line { first: narrow(first), step: narrow(step), prim: Prim::I32 })
            }
            _ => None,
        }
    }
}

fn find_meanings(body: &Block, times_assigned: &[u32], meanings: &mut HashMap<Var, Exp>) {
    for stmt in body {
        match stmt {
            Stmt::Set(var, exp @ (Exp::Bin(..) | Exp::Convert { .. } | Exp::Var(_)))
                if times_assigned[var.0 as usize] == 1 =>
            {
                meanings.insert(*var, exp.clone());
            }
            Stmt::Group(GroupStmt::Guard(inside)) => find_meanings(inside, times_assigned, meanings),
            _ => {}
        }
    }
}

impl Line {
    fn fixed(first: Exp, prim: Prim) -> Line {
        Line { first, step: Scalar::zero(prim).into(), prim }
    }

    pub fn is_fixed(&self) -> bool {
        self.step == Exp::Const(Scalar::zero(self.prim))
    }

    fn combined(op: BinOp, x: Line, y: Line) -> Option<Line> {
        let prim = x.prim;
        let step = match op {
            BinOp::Mul if y.is_fixed() => arithmetic(BinOp::Mul, prim, x.step, y.first.clone()),
            BinOp::Mul if x.is_fixed() => arithmetic(BinOp::Mul, prim, y.step, x.first.clone()),
            BinOp::Mul => return None,
            op => arithmetic(op, prim, x.step, y.step),
        };
        Some(Line { first: arithmetic(op, prim, x.first, y.first), step, prim })
    }
}

/// Folded where that is obvious.
fn arithmetic(op: BinOp, prim: Prim, x: Exp, y: Exp) -> Exp {
    let zero = Exp::Const(Scalar::zero(prim));
    match (prim, op, &x, &y) {
        (Prim::I64, BinOp::Add, ..) => x.add(y),
        (Prim::I64, BinOp::Sub, ..) => x.sub(y),
        (Prim::I64, ..) => x.mul(y),
        (_, BinOp::Mul, Exp::Const(Scalar::I32(1)), _) => y,
        (_, BinOp::Mul, _, Exp::Const(Scalar::I32(1))) => x,
        (_, BinOp::Mul, ..) if x == zero || y == zero => zero,
        (_, BinOp::Add, ..) if x == zero => y,
        (_, BinOp::Add | BinOp::Sub, ..) if y == zero => x,
        (_, _, Exp::Const(Scalar::I32(x)), Exp::Const(Scalar::I32(y))) => Exp::Const(Scalar::I32(match op {
            BinOp::Add => x.wrapping_add(*y),
            BinOp::Sub => x.wrapping_sub(*y),
            _ => x.wrapping_mul(*y),
        })),
        _ => Exp::bin(op, prim, x, y),
    }
}
