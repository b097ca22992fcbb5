//! What moves floats about moves tangents in the same way.

use super::Forward;
use norn_ir::nest::{ArrayExp, Atom, Exp, Stm, Type, Var};

impl Forward<'_, '_> {
    pub(super) fn array(&mut self, stm: &Stm, exp: &ArrayExp) {
        if let ArrayExp::AccWrite { acc, index, values } = exp {
            return self.acc_write(stm, *acc, *index, values);
        }
        // Zeros for what is consumed are made before it is.
        let moved = self.moved(exp);
        self.w.copy(stm);
        let Some(exp) = moved else { return };
        let mut vars = Vec::new();
        for var in &stm.vars {
            vars.push(if self.is_active(*var) {
                self.new_tangent(*var)
            } else {
                // A length, a second time.
                let ty = self.w.ty_of(*var);
                self.w.b.new_var("length", ty)
            });
        }
        self.w.bind_new(vars, Exp::Array(exp));
    }

    /// The same on tangents.
    fn moved(&mut self, exp: &ArrayExp) -> Option<ArrayExp> {
        Some(match exp {
            ArrayExp::ArrayLit(rows) => {
                ArrayExp::ArrayLit(rows.iter().map(|row| self.tangent_or_zero(*row)).collect())
            }
            ArrayExp::Replicate { count, value } => {
                ArrayExp::Replicate { count: self.w.atom(*count), value: self.tangent_or_zero(*value) }
            }
            ArrayExp::Index { array, slice } => {
                ArrayExp::Index { array: self.tangent_array(*array), slice: self.w.slice(slice) }
            }
            ArrayExp::Update { array, slice, value } => ArrayExp::Update {
                array: self.tangent_array(*array),
                slice: self.w.slice(slice),
                value: self.tangent_or_zero(*value),
            },
            ArrayExp::Concat { arrays, size } => ArrayExp::Concat {
                arrays: arrays.iter().map(|array| self.tangent_array(*array)).collect(),
                size: self.w.atom(*size),
            },
            ArrayExp::Reshape { array, old, new } => {
                ArrayExp::Reshape { array: self.tangent_array(*array), old: *old, new: self.w.atoms(new) }
            }
            ArrayExp::Rearrange { array, perm } => {
                ArrayExp::Rearrange { array: self.tangent_array(*array), perm: perm.clone() }
            }
            ArrayExp::Copy(array) => ArrayExp::Copy(self.tangent_array(*array)),
            ArrayExp::Coerce { array, dims } => {
                let array = self.tangent_array(*array);
                let dims = self.w.ty(&Type::array(norn_ir::nest::Prim::F64, dims.clone())).dims().to_vec();
                ArrayExp::Coerce { array, dims }
            }
            ArrayExp::FlatIndex { array, offset, dims } => ArrayExp::FlatIndex {
                array: self.tangent_array(*array),
                offset: self.w.atom(*offset),
                dims: dims.iter().map(|(n, stride)| (self.w.atom(*n), self.w.atom(*stride))).collect(),
            },
            ArrayExp::FlatUpdate { array, offset, strides, value } => ArrayExp::FlatUpdate {
                array: self.tangent_array(*array),
                offset: self.w.atom(*offset),
                strides: self.w.atoms(strides),
                value: self.tangent_array(*value),
            },
            ArrayExp::JoinRows(array) => ArrayExp::JoinRows(self.tangent_array(*array)),
            ArrayExp::Segment { lengths, array } => {
                ArrayExp::Segment { lengths: self.w.var(*lengths), array: self.tangent_array(*array) }
            }
            ArrayExp::Range { .. } | ArrayExp::Lengths(_) | ArrayExp::Ends(_) | ArrayExp::AccWrite { .. } => {
                return None;
            }
        })
    }

    /// The accumulator takes the tangents of its floats behind the values.
    fn acc_write(&mut self, stm: &Stm, acc: Var, index: Atom, values: &[Atom]) {
        let Type::Acc(types) = self.w.old_ty(acc).clone() else { return };
        let mut all = self.w.atoms(values);
        for (value, ty) in values.iter().zip(&types) {
            if self.numbers.include(ty) {
                all.push(self.tangent_or_zero(*value));
            }
        }
        let (acc, index) = (self.w.var(acc), self.w.atom(index));
        let new = self.acc_var(stm.vars[0]);
        self.w.bind_new(vec![new], Exp::Array(ArrayExp::AccWrite { acc, index, values: all }));
    }

    /// The type of an accumulator that takes tangents, too; any other type as it is.
    pub(super) fn with_tangents(&self, ty: Type) -> Type {
        let Type::Acc(types) = ty else { return ty };
        let tangents: Vec<Type> = types.iter().filter(|ty| self.numbers.include(ty)).cloned().collect();
        Type::Acc(types.into_iter().chain(tangents).collect())
    }

    /// A new accumulator for an old one, which takes tangents, too.
    pub(super) fn acc_var(&mut self, old: Var) -> Var {
        let ty = self.w.ty_of(old);
        let ty = self.with_tangents(ty);
        let new = self.w.b.new_var("acc", ty);
        self.w.set(old, new);
        new
    }
}
