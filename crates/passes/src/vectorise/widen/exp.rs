//! Widens scalar expressions to vectors: one expression for all lanes of a group of iterations, and for each of its copies.
//!
//! A value is uniform (the same in all lanes), stepping (lane `i` has `first + i * step`, which needs no vector until somebody uses
//! it), or a vector for each copy. So `xs[i + 1]` in a loop over `i` stays a contiguous access, and `a * x[i]` broadcasts `a` once.

use super::super::interior::Outcome;
use super::super::shape::{Shape, constant, step_survives, sum_of_steps};
use super::{Value, Wide, Widen};
use norn_ir::imp::{BinOp, Exp, Prim, Scalar, Type, UnOp};

impl Widen<'_> {
    pub fn value(&mut self, exp: &Exp) -> Value {
        match exp {
            Exp::Const(_)
            | Exp::Null(_)
            | Exp::Table(..)
            | Exp::Workers
            | Exp::DeviceGroups
            | Exp::DevicePool
            | Exp::Tunable(_)
            | Exp::Group(_) => Value::Same(exp.clone()),
            Exp::Var(var) if !self.shapes.is_assigned(*var) => Value::Same(exp.clone()),
            Exp::Var(var) => match (self.shapes.of(*var), self.names.get(var)) {
                (_, Some(Wide::Place(..))) => panic!("vectorise: a pointer that varies is no value"),
                (_, Some(Wide::Lanes(names))) => {
                    Value::Each(names.iter().map(|name| Exp::Var(*name)).collect())
                }
                (Shape::Steps(step), _) => Value::Steps(self.scalar(*var).into(), step),
                (Shape::Uniform | Shape::Unknown, _) => Value::Same(self.scalar(*var).into()),
                (Shape::Varying, _) => Value::Each(self.copies_of(*var).into_iter().map(Exp::Var).collect()),
            },
            Exp::Un(UnOp::Not, Prim::Bool, x) => match self.value(x) {
                Value::Same(x) => Value::Same(x.not()),
                Value::Steps(..) => panic!("vectorise: a condition that grows"),
                Value::Each(x) => Value::Each(x.into_iter().map(Exp::not).collect()),
            },
            Exp::Un(op, prim, x) => match self.value(x) {
                Value::Same(x) => Value::Same(Exp::un(*op, *prim, x)),
                Value::Steps(x, step) if *op == UnOp::Neg => {
                    Value::Steps(Exp::un(*op, *prim, x), Exp::i64(0).sub(step))
                }
                x => self.lanewise(*prim, vec![x], |mut x| Exp::un(*op, *prim, x.remove(0))),
            },
            Exp::Bin(op, prim, x, y) if self.shapes.known(*op, *prim, x, y).is_some() => {
                match self.shapes.known(*op, *prim, x, y) {
                    Some(Outcome::True) | None => Value::Same(Exp::bool(true)),
                    Some(Outcome::False) => Value::Same(Exp::bool(false)),
                    Some(Outcome::First) => self.value(x),
                    Some(Outcome::Second) => self.value(y),
                }
            }
            Exp::Bin(op, prim, x, y) => {
                let (x, y) = (self.value(x), self.value(y));
                self.bin(*op, *prim, x, y)
            }
            Exp::Tri(op, prim, x, y, z) => {
                let values = vec![self.value(x), self.value(y), self.value(z)];
                self.lanewise(*prim, values, |mut x| {
                    let (z, y) = (x.pop().map(Box::new), x.pop().map(Box::new));
                    let (y, z) = y.zip(z).expect("vectorise: three operands");
                    Exp::Tri(*op, *prim, Box::new(x.remove(0)), y, z)
                })
            }
            Exp::Convert { from, to, value } => match self.value(value) {
                Value::Steps(x, step) if step_survives(*from, *to, &step) => {
                    Value::Steps(x.convert(*from, *to), step)
                }
                x => self.lanewise(*from, vec![x], |mut x| x.remove(0).convert(*from, *to)),
            },
            Exp::Select(cond, x, y) if self.shapes.truth(cond).is_some() => {
                self.value(if self.shapes.truth(cond) == Some(true) { x } else { y })
            }
            Exp::Select(cond, x, y) => self.select(exp, cond, x, y),
            Exp::Load { elem, ptr, index } => self.load(*elem, ptr, index),
            Exp::Offset { .. } | Exp::Cast(..) => {
                let (ptr, index) = self.place(exp);
                let elem = self.elem_behind(&ptr);
                match index {
                    Value::Same(index) => Value::Same(Exp::offset(elem, ptr, index)),
                    Value::Steps(first, step) => Value::Steps(Exp::offset(elem, ptr, first), step),
                    Value::Each(_) => panic!("vectorise: a pointer that varies is no value"),
                }
            }
            Exp::Data(elem, x) => Value::Same(Exp::data(*elem, self.same(x))),
            Exp::Remote(elem, x) => Value::Same(Exp::remote(*elem, self.same(x))),
            Exp::Capacity(x) => Value::Same(Exp::capacity(self.same(x))),
            Exp::Cell { region, cell } => {
                let (region, cell) = (self.same(region), self.same(cell));
                Value::Same(Exp::cell(region, cell))
            }
            Exp::CellBlock { region, cell } => {
                let (region, cell) = (self.same(region), self.same(cell));
                Value::Same(Exp::cell_block(region, cell))
            }
            Exp::Chunks { width, work } => {
                let (width, work) = (self.same(width), self.same(work));
                Value::Same(Exp::chunks(width, work))
            }
            Exp::Splat(..)
            | Exp::Lanes(..)
            | Exp::LoadLanes { .. }
            | Exp::Gather { .. }
            | Exp::Lane(..)
            | Exp::Combine(..)
            | Exp::Any(_) => panic!("vectorise: this is a vector already"),
        }
    }

    /// The value where all lanes have the same.
    pub fn same(&mut self, exp: &Exp) -> Exp {
        match self.value(exp) {
            Value::Same(value) => value,
            Value::Steps(..) | Value::Each(_) => panic!("vectorise: the lanes differ"),
        }
    }

    /// The value of the first lane, where lanes differ by steps at most.
    pub fn first(&mut self, exp: &Exp) -> Exp {
        match self.value(exp) {
            Value::Same(first) | Value::Steps(first, _) => first,
            Value::Each(_) => panic!("vectorise: the lanes differ by more than a step"),
        }
    }

    fn bin(&mut self, op: BinOp, prim: Prim, x: Value, y: Value) -> Value {
        if prim.is_int() {
            match (op, &x, &y) {
                (
                    BinOp::Add | BinOp::Sub,
                    Value::Same(_) | Value::Steps(..),
                    Value::Same(_) | Value::Steps(..),
                ) => {
                    return add(op, prim, x, y);
                }
                (BinOp::Mul, Value::Steps(first, step), Value::Same(by))
                | (BinOp::Mul, Value::Same(by), Value::Steps(first, step)) => {
                    let step = match constant(by) {
                        Some(by) => Some(step.clone().mul(by)),
                        None => (prim == Prim::I64).then(|| step.clone().mul(by.clone())),
                    };
                    if let Some(step) = step {
                        return growing(int(op, prim, first.clone(), by.clone()), step);
                    }
                }
                _ => {}
            }
        }
        let second = op.second(prim);
        match (x, y) {
            (Value::Same(cond), other) | (other, Value::Same(cond)) if settles(op, prim, &cond) => {
                match (op, cond.as_bool()) {
                    (BinOp::And, Some(true)) | (BinOp::Or, Some(false)) => other,
                    _ => Value::Same(cond),
                }
            }
            (Value::Same(x), Value::Same(y)) => Value::Same(int(op, prim, x, y)),
            (x, y) => {
                let (x, y) = (self.each(x, prim), self.each(y, second));
                Value::Each(x.into_iter().zip(y).map(|(x, y)| Exp::bin(op, prim, x, y)).collect())
            }
        }
    }

    /// An operator on operands of one type, for all lanes or for each.
    fn lanewise(&mut self, prim: Prim, values: Vec<Value>, make: impl Fn(Vec<Exp>) -> Exp) -> Value {
        let same: Option<Vec<Exp>> = values
            .iter()
            .map(|value| match value {
                Value::Same(value) => Some(value.clone()),
                Value::Steps(..) | Value::Each(_) => None,
            })
            .collect();
        if let Some(same) = same {
            return Value::Same(make(same));
        }
        let values: Vec<Vec<Exp>> = values.into_iter().map(|value| self.each(value, prim)).collect();
        let copies = 0..self.copies as usize;
        Value::Each(
            copies.map(|copy| make(values.iter().map(|value| value[copy].clone()).collect())).collect(),
        )
    }

    fn select(&mut self, exp: &Exp, cond: &Exp, x: &Exp, y: &Exp) -> Value {
        let (cond, x, y) = (self.value(cond), self.value(x), self.value(y));
        match (cond, x, y) {
            (Value::Same(cond), Value::Same(x), Value::Same(y)) => Value::Same(Exp::select(cond, x, y)),
            (Value::Same(cond), Value::Steps(x, step), Value::Steps(y, other)) if step == other => {
                let cond = self.shared(cond);
                Value::Steps(Exp::select(cond, x, y), step)
            }
            (cond, x, y) => {
                let prim = self.shapes.ty_of(exp).prim().expect("vectorise: numbers are selected");
                let cond = self.each(cond, Prim::Bool);
                let (x, y) = (self.each(x, prim), self.each(y, prim));
                let lanes = cond.into_iter().zip(x.into_iter().zip(y));
                Value::Each(lanes.map(|(cond, (x, y))| Exp::select(cond, x, y)).collect())
            }
        }
    }

    // # Vectors

    /// A vector for each copy.
    pub fn each(&mut self, value: Value, prim: Prim) -> Vec<Exp> {
        match value {
            Value::Same(value) => {
                let value = self.shared(value);
                (0..self.copies).map(|_| self.splat(value.clone())).collect()
            }
            Value::Steps(first, step) => {
                let first = self.shared(first);
                (0..self.copies).map(|copy| self.stepping(copy, prim, &first, &step)).collect()
            }
            Value::Each(values) => values,
        }
    }

    /// One copy of a value that grows.
    fn stepping(&self, copy: u16, prim: Prim, first: &Exp, step: &Exp) -> Exp {
        let first = self.first_of_copy(copy, prim, first, step);
        if self.lanes == 1 {
            return first;
        }
        let first = self.splat(first);
        Exp::bin(BinOp::Add, prim, first, self.lane_offsets(prim, step))
    }

    /// The value of the first lane of a copy, given that of the first copy.
    pub fn first_of_copy(&self, copy: u16, prim: Prim, first: &Exp, step: &Exp) -> Exp {
        let before = copy as i64 * self.lanes as i64;
        if prim == Prim::I64 {
            return first.clone().add(step.clone().mul(before));
        }
        match constant(step).map(|step| step.wrapping_mul(before)) {
            Some(0) => first.clone(),
            Some(grown) => Exp::bin(BinOp::Add, prim, first.clone(), Scalar::from_int(prim, grown as i128)),
            None if before == 0 => first.clone(),
            None => Exp::bin(BinOp::Add, prim, first.clone(), step_of(prim, &step.clone().mul(before))),
        }
    }

    /// 0, `step`, 2 * `step`, ..
    pub fn lane_offsets(&self, prim: Prim, step: &Exp) -> Exp {
        let lanes = Exp::Lanes(prim, self.lanes);
        match constant(step) {
            Some(1) => lanes,
            Some(step) => {
                let step = Exp::Const(Scalar::from_int(prim, step as i128));
                Exp::bin(BinOp::Mul, prim, lanes, self.splat(step))
            }
            None => Exp::bin(BinOp::Mul, prim, lanes, self.splat(step_of(prim, step))),
        }
    }

    /// All lanes the same.
    pub fn splat(&self, value: Exp) -> Exp {
        if self.lanes == 1 { value } else { Exp::splat(self.lanes, value) }
    }

    /// A scalar that all copies use: computed once.
    pub fn shared(&mut self, value: Exp) -> Exp {
        if self.copies == 1 { value } else { self.code.atom("shared", value) }
    }

    /// The type of elements a pointer leads to.
    pub fn elem_behind(&self, ptr: &Exp) -> norn_ir::imp::Elem {
        match self.code.ty(ptr) {
            Type::Ptr(elem) | Type::Remote(elem) | Type::Local(elem) => elem,
            Type::Scalar(_) | Type::Vector(..) | Type::Block | Type::Region => {
                panic!("vectorise: this is no pointer")
            }
        }
    }
}

/// The sum or difference of two values that are the same or grow by steps.
pub fn add(op: BinOp, prim: Prim, x: Value, y: Value) -> Value {
    let signed = |step: Exp| if op == BinOp::Sub { Exp::i64(0).sub(step) } else { step };
    match (x, y) {
        (Value::Same(x), Value::Same(y)) => Value::Same(int(op, prim, x, y)),
        (Value::Steps(x, step), Value::Same(y)) => Value::Steps(int(op, prim, x, y), step),
        (Value::Same(x), Value::Steps(y, step)) => Value::Steps(int(op, prim, x, y), signed(step)),
        (Value::Steps(x, step), Value::Steps(y, other)) => {
            let first = int(op, prim, x, y);
            growing(first, sum_of_steps(step, signed(other)))
        }
        (Value::Each(_), _) | (_, Value::Each(_)) => {
            panic!("vectorise: the lanes differ by more than a step")
        }
    }
}

/// A value that grows, unless its step is 0.
fn growing(first: Exp, step: Exp) -> Value {
    if step.as_i64() == Some(0) { Value::Same(first) } else { Value::Steps(first, step) }
}

/// A step, which is an i64, as a number of the type that grows by it: the low bits are the same.
fn step_of(prim: Prim, step: &Exp) -> Exp {
    if prim == Prim::I64 { step.clone() } else { step.clone().convert(Prim::I64, prim) }
}

/// Whether a known condition settles `and` or `or`.
fn settles(op: BinOp, prim: Prim, cond: &Exp) -> bool {
    prim == Prim::Bool && matches!(op, BinOp::And | BinOp::Or) && cond.as_bool().is_some()
}

/// An operator on scalars, folded where that is obvious.
fn int(op: BinOp, prim: Prim, x: Exp, y: Exp) -> Exp {
    match (op, prim) {
        (BinOp::Add, Prim::I64) => x.add(y),
        (BinOp::Sub, Prim::I64) => x.sub(y),
        (BinOp::Mul, Prim::I64) => x.mul(y),
        _ => Exp::bin(op, prim, x, y),
    }
}
