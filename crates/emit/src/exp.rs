//! Expressions: scalars, pointers and blocks. Vectors are in `vector_exp`, masks in `mask_exp`.

use crate::code::Code;
use crate::dialect::Side;
use crate::divisors::{divisor_of, factor_of};
use crate::group::group_number;
use crate::scalar::{self, Text};
use norn_ir::imp::{BinOp, Elem, Exp, Prim, Type, UnOp};

impl Code<'_> {
    /// An expression that is not a mask.
    pub fn exp(&mut self, exp: &Exp) -> Text {
        if let Some(lanes) = self.lanes(exp) {
            return self.vector_exp(exp, lanes);
        }
        match exp {
            Exp::Const(value) => scalar::constant(self.needs, *value),
            Exp::Var(var) => Text::primary(self.name(*var)),
            Exp::Un(UnOp::Not, Prim::Bool, x) => self.negation(x),
            Exp::Un(op, prim, x) => {
                let x = self.exp(x);
                scalar::un(self.needs, *op, *prim, &x)
            }
            Exp::Bin(op, prim, x, y) => {
                let has_factor = divisor_of(exp).is_some_and(|divisor| self.divisors.contains(&divisor));
                let (x, y) = (self.exp(x), self.exp(y));
                if has_factor {
                    let by = Text::primary(factor_of(&y.text));
                    return scalar::by_factor(self.needs, *op, *prim, &[&x, &y, &by]);
                }
                scalar::bin(self.needs, *op, *prim, &x, &y)
            }
            Exp::Tri(op, prim, x, y, z) => {
                let (x, y, z) = (self.exp(x), self.exp(y), self.exp(z));
                scalar::tri(self.needs, *op, *prim, &x, &y, &z)
            }
            Exp::Convert { from, to, value } => {
                let value = self.exp(value);
                scalar::convert(self.needs, *from, *to, &value)
            }
            Exp::Select(cond, x, y) => {
                let (cond, x, y) = (self.exp(cond), self.exp(x), self.exp(y));
                Text::conditional(&cond, &x, &y)
            }
            Exp::Load { elem, ptr, index } => {
                let (ptr, index) = (self.exp(ptr), self.index(ptr, index));
                self.loaded(*elem, ptr.index(&index))
            }
            Exp::Offset { elem, ptr, index } => match ptr.ty(self.vars) {
                Type::Remote(_) => self.remote_place(*elem, ptr, index),
                Type::Ptr(_)
                | Type::Scalar(_)
                | Type::Vector(..)
                | Type::Local(_)
                | Type::Block
                | Type::Region => self.place(ptr, index),
            },
            Exp::Cast(elem, ptr) => {
                let cast = exp.ty(self.vars);
                let ptr = self.exp(ptr);
                match cast {
                    Type::Remote(_) => ptr,
                    Type::Ptr(_)
                    | Type::Scalar(_)
                    | Type::Vector(..)
                    | Type::Local(_)
                    | Type::Block
                    | Type::Region => self.pointer_cast(*elem, &ptr),
                }
            }
            Exp::Null(ty) => {
                let ty = self.c_type(*ty, None);
                Text::cast(&ty, &Text::primary("0"))
            }
            Exp::Data(elem, block) if matches!(**block, Exp::Var(block) if self.own.contains_key(&block)) => {
                let block = self.exp(block);
                self.pointer_cast(*elem, &block)
            }
            Exp::Data(elem, block) => {
                let block = self.exp(block);
                self.pointer_cast(*elem, &Text::call("norn_data", &[&block]))
            }
            Exp::Cell { region, cell } => {
                let (region, cell) = (self.exp(region), self.exp(cell));
                Text::call("norn_cell", &[&region, &cell])
            }
            Exp::CellBlock { region, cell } => {
                self.needs.cell_blocks = true;
                let (region, cell) = (self.exp(region), self.exp(cell));
                Text::call("norn_cell_block", &[&region, &cell])
            }
            Exp::Capacity(block) => {
                let block = self.exp(block);
                Text::call("norn_capacity", &[&block])
            }
            Exp::Table(prim, values) => {
                let name = self.needs.tables.name_of(*prim, values);
                self.pointer_cast(Elem::Prim(*prim), &Text::primary(name))
            }
            Exp::Lane(vector, lane) => self.lane(vector, lane),
            Exp::Combine(op, prim, vector) => self.combine(*op, *prim, vector),
            Exp::Any(mask) => self.any(mask),
            Exp::Workers => Text::cast("i64", &Text::primary("w->workers")),
            Exp::Remote(_, block) => self.remote(block),
            Exp::DeviceGroups => Text::primary("w->device_groups"),
            Exp::DevicePool => Text::primary("w->device_pool"),
            Exp::Tunable(number) => Text::primary(format!("w->tunables[{number}]")),
            Exp::Group(number) => group_number(*number),
            Exp::Chunks { width, work } => {
                let (width, work) = (self.exp(width), self.exp(work));
                Text::call("norn_chunks", &[&Text::primary("w"), &width, &work])
            }
            Exp::Splat(..) | Exp::Lanes(..) | Exp::LoadLanes { .. } | Exp::Gather { .. } => {
                unreachable!("emit: a vector that has no lanes")
            }
        }
    }

    /// `!x`, by the opposite comparison where there is one.
    fn negation(&mut self, x: &Exp) -> Text {
        if let Exp::Bin(op, prim, a, b) = x {
            let (a, b) = (self.exp(a), self.exp(b));
            if let Some(text) = scalar::not_compared(*op, *prim, &a, &b) {
                return text;
            }
        }
        let x = self.exp(x);
        scalar::un(self.needs, UnOp::Not, Prim::Bool, &x)
    }

    /// The pointer to the element at an index.
    pub fn place(&mut self, ptr: &Exp, index: &Exp) -> Text {
        let pointer = self.exp(ptr);
        if index.as_i64() == Some(0) {
            return pointer;
        }
        let index = self.index(ptr, index);
        pointer.plus(&index)
    }

    /// Where an element is, from a pointer on. A device counts those in its large memory with 32 bits where that is enough, which its compiler then
    /// does in all of the expression: products of 64 bits take it several instructions. Not in loops that count: there it adds to the pointer, if
    /// it need not think of indices that wrap around.
    pub fn index(&mut self, ptr: &Exp, index: &Exp) -> Text {
        let text = self.exp(index);
        let is_narrow = self.dialect.side() == Side::Device
            && !self.counting
            && multiplies(index)
            && matches!(ptr.ty(self.vars), Type::Ptr(_));
        if is_narrow { Text::cast("norn_index", &text) } else { text }
    }

    /// What was loaded, as a value: C++ makes no pointers of `void *` by itself.
    fn loaded(&mut self, elem: Elem, text: Text) -> Text {
        match (elem, self.dialect.side()) {
            (Elem::Any, Side::Device) => self.pointer_cast(elem, &text),
            (Elem::Any, Side::Cpu) | (Elem::Prim(_) | Elem::Block | Elem::Region, _) => text,
        }
    }

    pub fn pointer_cast(&mut self, elem: Elem, ptr: &Text) -> Text {
        let ty = self.c_type(Type::Ptr(elem), None);
        Text::cast(&ty, ptr)
    }

    /// A number of bytes that are asked for: sums and products must not wrap around to a size that exists.
    pub fn bytes(&mut self, exp: &Exp) -> Text {
        if let Exp::Bin(op @ (BinOp::Add | BinOp::Mul), Prim::I64, x, y) = exp {
            let (x, y) = (self.bytes(x), self.bytes(y));
            return Text::call(format!("norn_size_{}", op.name()), &[&x, &y]);
        }
        self.exp(exp)
    }

    /// A scalar as a word.
    pub fn word(&mut self, exp: &Exp) -> Text {
        let text = self.exp(exp);
        match exp.ty(self.vars) {
            Type::Scalar(prim) => scalar::to_word(self.needs, prim, &text),
            Type::Vector(..)
            | Type::Ptr(_)
            | Type::Remote(_)
            | Type::Local(_)
            | Type::Block
            | Type::Region => Text::cast("u64", &text),
        }
    }
}

fn multiplies(exp: &Exp) -> bool {
    let mut found = matches!(exp, Exp::Bin(BinOp::Mul, ..));
    exp.for_each_child(&mut |child| found |= multiplies(child));
    found
}
