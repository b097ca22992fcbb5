//! N4 for what checks ask about.

use super::types::SOME;
use super::{Checker, Rule};
use crate::skeleton::{Atom, Check, Prim, Type};

impl Checker<'_> {
    pub(super) fn check(&mut self, check: &Check) {
        match check {
            Check::Index { index, length } => self.sizes(&[*index, *length]),
            Check::Slice { start, count, stride, length } => self.sizes(&[*start, *count, *stride, *length]),
            Check::Size { expected, found } => self.sizes(&[*expected, *found]),
            Check::Shape { array, dims } => {
                if let Some(ty) = self.array(*array)
                    && ty.rank() != dims.len()
                {
                    let ty = self.show_ty(&ty);
                    self.fail(Rule::N4, format!("A check gives {ty} a shape of {} dimensions.", dims.len()));
                }
                self.mentioned_dims(dims);
            }
            Check::NonNegative(x) => self.size(*x),
            Check::NonZero(prim, x) | Check::Exponent(prim, x) => self.integers(*prim, &[*x]),
            Check::Range { prim, start, second, end, ok } => {
                self.integers(*prim, &[*start, *second, *end]);
                self.prim(*ok, Prim::Bool);
            }
            Check::Segments { lengths, total } => {
                self.operand((*lengths).into(), &Type::array(Prim::I64, vec![SOME]));
                self.size(*total);
            }
            Check::Flat { offset, dims, length } => {
                self.sizes(&[*offset, *length]);
                dims.iter().for_each(|(count, stride)| self.sizes(&[*count, *stride]));
            }
            Check::Assert { cond, text: _ } => self.prim(*cond, Prim::Bool),
            Check::Fail { text: _ } => {}
        }
    }

    fn integers(&mut self, prim: Prim, atoms: &[Atom]) {
        if !prim.is_int() {
            self.fail(Rule::N4, format!("A check of integers is made at type {}.", prim.name()));
        }
        atoms.iter().for_each(|atom| self.prim(*atom, prim));
    }
}
