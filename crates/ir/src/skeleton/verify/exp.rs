//! N4 for scalar operators; every other expression is handed to the file of its kind.
//!
//! The type of each result is returned, for the statement to compare, unless the operands make no sense.

use super::types::{SOME, agree, row_columns, with_length};
use super::{Checker, Rule, Stage};
use crate::skeleton::{
    ArrayExp, Atom, CellExp, ControlExp, Exp, Operators, Prim, ScalarExp, Stm, Type, Var, tag_prim,
};

impl Checker<'_> {
    /// `bound` are the types of the variables that the statement binds.
    pub(super) fn exp<O: Operators>(
        &mut self,
        exp: &Exp<O>,
        stm: &Stm<O>,
        bound: &[Type],
    ) -> Option<Vec<Type>> {
        match exp {
            Exp::Scalar(exp) => self.scalar_exp(exp),
            Exp::Control(exp) => self.control_exp(exp, &stm.vars, bound),
            Exp::Array(exp) => self.array_exp(exp, bound),
            Exp::Cell(exp) => self.cell_exp(exp, bound),
            Exp::Op(op) => op.verify(self, bound),
        }
    }

    fn scalar_exp(&mut self, exp: &ScalarExp) -> Option<Vec<Type>> {
        match exp {
            ScalarExp::Atom(x) => Some(vec![self.atom_ty(*x)]),
            ScalarExp::Un(op, prim, x) => {
                self.prim(*x, *prim);
                self.operator_at(op.result(*prim), op.name(), *prim)
            }
            ScalarExp::Bin(op, prim, x, y) => {
                self.prim(*x, *prim);
                self.prim(*y, op.second(*prim));
                self.operator_at(op.result(*prim), op.name(), *prim)
            }
            ScalarExp::Tri(op, prim, x, y, z) => {
                [x, y, z].into_iter().for_each(|x| self.prim(*x, *prim));
                self.operator_at(op.result(*prim), op.name(), *prim)
            }
            ScalarExp::Convert { from, to, value } => {
                self.prim(*value, *from);
                Some(vec![Type::scalar(*to)])
            }
            ScalarExp::Workers => {
                self.placed("`workers`");
                Some(vec![Type::i64()])
            }
            ScalarExp::Tunable(_) => {
                self.placed("`tunable`");
                Some(vec![Type::i64()])
            }
        }
    }

    fn control_exp<O: Operators>(
        &mut self,
        exp: &ControlExp<O>,
        vars: &[Var],
        bound: &[Type],
    ) -> Option<Vec<Type>> {
        match exp {
            ControlExp::If { cond, then, els } => self.if_(*cond, then, els, bound),
            ControlExp::Switch { scrutinee, cases, default } => {
                self.switch(*scrutinee, cases, default, bound)
            }
            ControlExp::Loop { params, form, body } => self.loop_(params, form, body),
            ControlExp::Call { fun, args } => self.call(*fun, args),
            ControlExp::Const(id) => self.constant(*id, vars),
            ControlExp::Check(check) => {
                self.check(check);
                Some(vec![Type::Cert])
            }
        }
    }

    fn array_exp(&mut self, exp: &ArrayExp, bound: &[Type]) -> Option<Vec<Type>> {
        match exp {
            ArrayExp::ArrayLit(rows) => self.array_literal(rows, bound),
            ArrayExp::Range { prim, count, start, step } => self.range(*prim, *count, *start, *step),
            ArrayExp::Replicate { count, value } => self.replicate(*count, *value),
            ArrayExp::Index { array, slice } => Some(with_length(self.sliced(*array, slice)?)),
            ArrayExp::Update { array, slice, value } => self.update(*array, slice, *value),
            ArrayExp::Concat { size, arrays } => self.concat(*size, arrays),
            ArrayExp::Reshape { array, old, new } => self.reshape(*array, *old, new),
            ArrayExp::Rearrange { array, perm } => self.rearrange(*array, perm),
            ArrayExp::Copy(array) => self.copy(*array),
            ArrayExp::Coerce { array, dims } => self.coerce(*array, dims),
            ArrayExp::FlatIndex { array, offset, dims } => self.flat_index(*array, *offset, dims),
            ArrayExp::FlatUpdate { array, offset, strides, value } => {
                self.flat_update(*array, *offset, strides, *value)
            }
            ArrayExp::Lengths(array) => {
                self.irregular(*array)?;
                Some(vec![Type::array(Prim::I64, vec![SOME])])
            }
            ArrayExp::Ends(lengths) => self.ends(*lengths),
            ArrayExp::JoinRows(array) => self.irregular(*array)?.row().map(with_length),
            ArrayExp::Segment { lengths, array } => self.segment(*lengths, *array),
            ArrayExp::AccWrite { acc, index, values } => self.acc_write(*acc, *index, values),
        }
    }

    fn cell_exp(&mut self, exp: &CellExp, bound: &[Type]) -> Option<Vec<Type>> {
        match exp {
            CellExp::Region => self.new_region(),
            CellExp::Alloc { region, data, constr, fields } => self.alloc(*region, *data, *constr, fields),
            CellExp::Null(data) => self.null(*data, bound),
            CellExp::Tag { cell } => {
                let (data, _) = self.cell_type(*cell)?;
                let constructors = self.prog.datas.get(data.0 as usize).map_or(0, |d| d.constrs.len());
                Some(vec![Type::scalar(tag_prim(constructors))])
            }
            CellExp::Load { cell, constr } => self.load(*cell, *constr),
        }
    }

    /// N13.
    pub(crate) fn placed(&mut self, what: &str) {
        if self.stage != Stage::Scheduled {
            self.fail(Rule::N13, format!("{what} stands in a program that has no schedule yet."));
        }
    }

    fn operator_at(&mut self, result: Option<Prim>, name: &str, prim: Prim) -> Option<Vec<Type>> {
        if result.is_none() {
            self.fail(Rule::N4, format!("The operator `{name}` does not exist at {}.", prim.name()));
        }
        Some(vec![Type::scalar(result?)])
    }

    // # What several ask of operands

    pub(crate) fn operand(&mut self, atom: Atom, expected: &Type) {
        let found = self.atom_ty(atom);
        if !agree(&found, expected) {
            let (atom, found, expected) = (self.show(atom), self.show_ty(&found), self.show_ty(expected));
            self.fail(Rule::N4, format!("The operand {atom} has type {found}, but {expected} is expected."));
        }
    }

    pub(crate) fn prim(&mut self, atom: Atom, prim: Prim) {
        self.operand(atom, &Type::scalar(prim));
    }

    /// A size, an index or a width.
    pub(crate) fn size(&mut self, atom: Atom) {
        self.prim(atom, Prim::I64);
    }

    pub(super) fn sizes(&mut self, atoms: &[Atom]) {
        atoms.iter().for_each(|atom| self.size(*atom));
    }

    /// The type of an array.
    pub(crate) fn array(&mut self, var: Var) -> Option<Type> {
        let ty = self.ty(var);
        if !ty.is_array() {
            let (name, found) = (self.show(var), self.show_ty(&ty));
            self.fail(Rule::N4, format!("The operand {name} has type {found}, but an array is expected."));
            return None;
        }
        Some(ty)
    }

    pub(crate) fn arrays(&mut self, vars: &[Var]) -> Option<Vec<Type>> {
        vars.iter().map(|var| self.array(*var)).collect()
    }

    /// What a lambda takes of these arrays.
    pub(crate) fn rows(&mut self, vars: &[Var]) -> Option<Vec<Type>> {
        let arrays = self.arrays(vars)?;
        Some(arrays.iter().filter_map(row_columns).flatten().collect())
    }

    /// As many operands as types, each of its type.
    pub(crate) fn operands(&mut self, atoms: &[Atom], expected: &[Type], what: &str) {
        if atoms.len() != expected.len() {
            let (found, expected) = (atoms.len(), expected.len());
            return self.fail(Rule::N4, format!("{what}: {found} operands where {expected} are expected."));
        }
        for (atom, expected) in atoms.iter().zip(expected) {
            self.operand(*atom, expected);
        }
    }
}
