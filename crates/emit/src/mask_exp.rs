//! Expressions that are masks. How wide masks are is in `mask`.

use crate::code::Code;
use crate::mask::{compares, usual_width};
use crate::scalar::{self, Text};
use norn_ir::imp::{BinOp, Elem, Exp, Prim, Scalar, UnOp};

impl Code<'_> {
    /// The width that a mask has if nothing else is asked for.
    pub fn mask_width(&self, exp: &Exp, lanes: u16) -> Prim {
        self.masks.width(exp).unwrap_or(usual_width(lanes))
    }

    /// A mask of this width.
    pub fn mask(&mut self, exp: &Exp, lanes: u16, width: Prim) -> Text {
        let own = self.masks.width(exp).unwrap_or(width);
        let mask = self.mask_as_is(exp, lanes, own);
        if own == width {
            return mask;
        }
        Text::call(self.needs.vectors.convert(own, width, lanes), &[&mask])
    }

    /// A mask that has this width by itself; its parts may have others.
    fn mask_as_is(&mut self, exp: &Exp, lanes: u16, width: Prim) -> Text {
        match exp {
            Exp::Var(var) => Text::primary(self.name(*var)),
            Exp::Splat(_, x) => {
                let x = self.exp(x);
                let lane = scalar::un(self.needs, UnOp::Neg, width, &Text::cast(width.name(), &x));
                self.method(width, lanes, "splat", &[&lane])
            }
            Exp::Un(UnOp::Not, _, x) => {
                let x = self.mask(x, lanes, width);
                self.method(width, lanes, "not", &[&x])
            }
            // Whether a float is a NaN, or infinite.
            Exp::Un(op, prim, x) => {
                let x = self.vector_exp(x, lanes);
                self.vector_un(*op, *prim, lanes, &x)
            }
            Exp::Bin(op, Prim::Bool, x, y) => {
                let (x, y) = (self.mask(x, lanes, width), self.mask(y, lanes, width));
                self.logic(*op, width, lanes, x, y)
            }
            Exp::Bin(op, prim, x, y) => {
                debug_assert!(compares(*op), "emit: a mask by an operator that does not compare");
                let (x, y) = (self.vector_exp(x, lanes), self.vector_exp(y, lanes));
                self.vector_bin(*op, *prim, lanes, &x, &y)
            }
            Exp::Convert { from: Prim::Bool, to: _, value } => self.mask(value, lanes, width),
            Exp::Convert { from, to: _, value } => {
                let x = self.vector_exp(value, lanes);
                let zero = scalar::constant(self.needs, Scalar::zero(*from));
                let zero = self.method(*from, lanes, "splat", &[&zero]);
                let is_zero = self.vector_bin(BinOp::Eq, *from, lanes, &x, &zero);
                self.method(width, lanes, "not", &[&is_zero])
            }
            Exp::Select(cond, x, y) => {
                let cond = self.mask(cond, lanes, width);
                let (x, y) = (self.mask(x, lanes, width), self.mask(y, lanes, width));
                self.method(width, lanes, "select", &[&cond, &x, &y])
            }
            // Bytes that are 0 or 1.
            Exp::LoadLanes { ptr, index, mask, .. } => {
                let place = self.place(ptr, index);
                let from = self.pointer_cast(Elem::Prim(Prim::I8), &place);
                let bytes = match mask {
                    None => self.method(Prim::I8, lanes, "load", &[&from]),
                    Some(mask) => {
                        let mask = self.mask(mask, lanes, Prim::I8);
                        self.needs.vectors.masked(Prim::I8, lanes);
                        self.method(Prim::I8, lanes, "load_where", &[&from, &mask])
                    }
                };
                self.method(Prim::I8, lanes, "neg", &[&bytes])
            }
            Exp::Gather { ptr, index, mask, .. } => {
                let ptr = self.exp(ptr);
                let from = self.pointer_cast(Elem::Prim(Prim::I8), &ptr);
                let bytes = self.gather(Prim::I8, lanes, &from, index, mask.as_deref());
                self.method(Prim::I8, lanes, "neg", &[&bytes])
            }
            Exp::Const(_)
            | Exp::Tri(..)
            | Exp::Load { .. }
            | Exp::Offset { .. }
            | Exp::Cast(..)
            | Exp::Null(_)
            | Exp::Data(..)
            | Exp::Remote(..)
            | Exp::Cell { .. }
            | Exp::CellBlock { .. }
            | Exp::Capacity(_)
            | Exp::Lanes(..)
            | Exp::Lane(..)
            | Exp::Combine(..)
            | Exp::Any(_)
            | Exp::Table(..)
            | Exp::Workers
            | Exp::DeviceGroups
            | Exp::DevicePool
            | Exp::Tunable(_)
            | Exp::Group(_)
            | Exp::Chunks { .. } => unreachable!("emit: a mask that is none"),
        }
    }

    /// Operators on `bool`, on lanes that are 0 or -1.
    fn logic(&mut self, op: BinOp, width: Prim, lanes: u16, x: Text, y: Text) -> Text {
        let not = |code: &mut Self, x: &Text| code.method(width, lanes, "not", &[x]);
        match op {
            BinOp::Eq => {
                let differ = self.method(width, lanes, "xor", &[&x, &y]);
                not(self, &differ)
            }
            BinOp::Lt => {
                let x = not(self, &x);
                self.method(width, lanes, "and", &[&x, &y])
            }
            BinOp::Le => {
                let x = not(self, &x);
                self.method(width, lanes, "or", &[&x, &y])
            }
            // And, or, xor; bool has no others.
            op => self.method(width, lanes, op.name(), &[&x, &y]),
        }
    }
}
