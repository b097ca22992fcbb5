//! Loads, stores and pointers for a group of iterations.
//!
//! What neighbouring lanes find at neighbouring places is loaded at once; what all find at one place is loaded once. Only
//! the rest is gathered.

use super::exp::add;
use super::{Value, Wide, Widen};
use norn_ir::imp::{BinOp, Elem, Exp, Prim, Stmt, Var};

impl Widen<'_> {
    pub fn load(&mut self, elem: Elem, ptr: &Exp, index: &Exp) -> Value {
        let (ptr, index) = self.indexed(ptr, index);
        if let Value::Same(index) = index {
            return Value::Same(Exp::load(elem, ptr, index));
        }
        let Elem::Prim(prim) = elem else { panic!("vectorise: lanes load numbers only") };
        let ptr = self.shared_place(ptr);
        let mask = |this: &Self, copy: u16| this.mask.as_ref().map(|mask| mask[copy as usize].clone());
        let copies = 0..self.copies;
        Value::Each(match index {
            Value::Same(_) => unreachable!("vectorise: loaded above"),
            Value::Steps(first, step) => {
                let first = self.shared_place(first);
                let firsts = copies.map(|copy| (copy, self.first_of_copy(copy, Prim::I64, &first, &step)));
                let load = |(copy, first): (u16, Exp)| match step.as_i64() {
                    _ if self.lanes == 1 => Exp::load(elem, ptr.clone(), first),
                    Some(1) => Exp::load_lanes(prim, self.lanes, ptr.clone(), first, mask(self, copy)),
                    Some(_) | None => {
                        let start = Exp::offset(elem, ptr.clone(), first);
                        Exp::gather(prim, start, self.lane_offsets(Prim::I64, &step), mask(self, copy))
                    }
                };
                firsts.map(load).collect()
            }
            Value::Each(indices) => {
                let load = |(copy, index): (u16, Exp)| match self.lanes {
                    1 => Exp::load(elem, ptr.clone(), index),
                    _ => Exp::gather(prim, ptr.clone(), index, mask(self, copy)),
                };
                copies.zip(indices).map(load).collect()
            }
        })
    }

    pub fn store(&mut self, elem: Elem, ptr: &Exp, index: &Exp, value: &Exp) {
        let (ptr, index) = self.indexed(ptr, index);
        let value = self.value(value);
        // All lanes write the same to one place: one does it.
        if let (Value::Same(index), Value::Same(value)) = (&index, &value) {
            return self.code.store(elem, ptr, index.clone(), value.clone());
        }
        let Elem::Prim(prim) = elem else { panic!("vectorise: lanes store numbers only") };
        let ptr = self.shared_place(ptr);
        let values = self.each(value, prim);
        let index = match index {
            Value::Steps(first, step) => Value::Steps(self.shared_place(first), step),
            // The last lane that is at work wins.
            Value::Same(index) => Value::Each(self.each(Value::Same(index), Prim::I64)),
            Value::Each(indices) => Value::Each(indices),
        };
        for (copy, value) in values.into_iter().enumerate() {
            let mask = self.mask.as_ref().map(|mask| mask[copy].clone());
            let stmt = match &index {
                Value::Same(_) => unreachable!("vectorise: made a vector above"),
                Value::Steps(first, step) => {
                    let first = self.first_of_copy(copy as u16, Prim::I64, first, step);
                    match step.as_i64() {
                        _ if self.lanes == 1 => Stmt::Store { elem, ptr: ptr.clone(), index: first, value },
                        Some(1) => Stmt::StoreLanes { prim, ptr: ptr.clone(), index: first, value, mask },
                        Some(_) | None => Stmt::Scatter {
                            prim,
                            ptr: Exp::offset(elem, ptr.clone(), first),
                            index: self.lane_offsets(Prim::I64, step),
                            value,
                            mask,
                        },
                    }
                }
                Value::Each(indices) => {
                    let (ptr, index) = (ptr.clone(), indices[copy].clone());
                    match self.lanes {
                        1 => Stmt::Store { elem, ptr, index, value },
                        _ => Stmt::Scatter { prim, ptr, index, value, mask },
                    }
                }
            };
            self.code.push(stmt);
        }
    }

    /// A pointer that varies becomes one that does not, and the way from there.
    pub fn set_place(&mut self, var: Var, exp: &Exp) {
        let (ptr, index) = self.place(exp);
        let index = self.each(index, Prim::I64);
        let (base, indices) = match self.names.get(&var) {
            Some(Wide::Place(base, indices)) => (*base, indices.clone()),
            Some(Wide::Scalar(_) | Wide::Lanes(_)) | None => {
                let name = self.code.name(var).to_string();
                let base = self.code.new_var(name.clone(), self.old_ty(var));
                let indices = self.new_copies(&name, Prim::I64);
                self.names.insert(var, Wide::Place(base, indices.clone()));
                (base, indices)
            }
        };
        self.code.set(base, ptr);
        for (name, value) in indices.into_iter().zip(index) {
            self.code.set(name, value);
        }
    }

    /// A pointer as one that is the same for all lanes, and how many elements from there each lane's leads.
    pub fn place(&mut self, exp: &Exp) -> (Exp, Value) {
        match exp {
            Exp::Var(var) => match self.names.get(var) {
                Some(Wide::Place(base, indices)) => {
                    (Exp::Var(*base), Value::Each(indices.iter().map(|name| Exp::Var(*name)).collect()))
                }
                Some(Wide::Scalar(_) | Wide::Lanes(_)) | None => self.started(exp),
            },
            Exp::Offset { ptr, index, .. } => self.indexed(ptr, index),
            Exp::Cast(elem, x) => {
                let (ptr, index) = self.place(x);
                let before = self.elem_behind(&ptr);
                match index {
                    Value::Same(index) => {
                        (Exp::cast(*elem, Exp::offset(before, ptr, index)), Value::Same(Exp::i64(0)))
                    }
                    // Elements before and after are equally large.
                    index @ (Value::Steps(..) | Value::Each(_)) => (Exp::cast(*elem, ptr), index),
                }
            }
            Exp::Const(_)
            | Exp::Un(..)
            | Exp::Bin(..)
            | Exp::Tri(..)
            | Exp::Convert { .. }
            | Exp::Select(..)
            | Exp::Load { .. }
            | Exp::Null(_)
            | Exp::Data(..)
            | Exp::Remote(..)
            | Exp::Cell { .. }
            | Exp::CellBlock { .. }
            | Exp::Capacity(_)
            | Exp::Splat(..)
            | Exp::Lanes(..)
            | Exp::LoadLanes { .. }
            | Exp::Gather { .. }
            | Exp::Lane(..)
            | Exp::Combine(..)
            | Exp::Any(_)
            | Exp::Table(..)
            | Exp::Workers
            | Exp::DeviceGroups
            | Exp::DevicePool
            | Exp::Tunable(_)
            | Exp::Group(_)
            | Exp::Chunks { .. } => self.started(exp),
        }
    }

    fn started(&mut self, exp: &Exp) -> (Exp, Value) {
        match self.value(exp) {
            Value::Same(ptr) => (ptr, Value::Same(Exp::i64(0))),
            Value::Steps(ptr, step) => (ptr, Value::Steps(Exp::i64(0), step)),
            Value::Each(_) => panic!("vectorise: a pointer that varies is no value"),
        }
    }

    /// A pointer with an index, as `place`.
    fn indexed(&mut self, ptr: &Exp, index: &Exp) -> (Exp, Value) {
        let (ptr, before) = self.place(ptr);
        let index = self.value(index);
        let index = match (before, index) {
            (Value::Each(before), index) | (index, Value::Each(before)) => {
                let index = self.each(index, Prim::I64);
                let sum = |(x, y): (Exp, Exp)| Exp::bin(BinOp::Add, Prim::I64, x, y);
                match index.iter().all(|index| *index == self.splat(Exp::i64(0))) {
                    true => Value::Each(before),
                    false => Value::Each(before.into_iter().zip(index).map(sum).collect()),
                }
            }
            (before, index) => add(BinOp::Add, Prim::I64, before, index),
        };
        (ptr, index)
    }

    /// Part of an address that all copies use. What costs nothing but arithmetic is left to the compiler of the C.
    fn shared_place(&mut self, exp: Exp) -> Exp {
        if exp.reads_memory() { self.shared(exp) } else { exp }
    }
}
