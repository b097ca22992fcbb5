//! N4 for scalar operators; every other expression is handed to the file of its kind.
//!
//! The type of each result is returned, for the statement to compare, unless the operands make no sense.

use super::types::{SOME, agree, row_columns, with_length};
use super::{Checker, Rule, Stage};
use crate::nest::{Atom, Exp, Prim, Stm, Type, Var, tag_prim};

impl Checker<'_> {
    /// `bound` are the types of the variables that the statement binds.
    pub(super) fn exp(&mut self, exp: &Exp, stm: &Stm, bound: &[Type]) -> Option<Vec<Type>> {
        match exp {
            Exp::Atom(x) => Some(vec![self.atom_ty(*x)]),
            Exp::Un(op, prim, x) => {
                self.prim(*x, *prim);
                self.operator_at(op.result(*prim), op.name(), *prim)
            }
            Exp::Bin(op, prim, x, y) => {
                self.prim(*x, *prim);
                self.prim(*y, op.second(*prim));
                self.operator_at(op.result(*prim), op.name(), *prim)
            }
            Exp::Tri(op, prim, x, y, z) => {
                [x, y, z].into_iter().for_each(|x| self.prim(*x, *prim));
                self.operator_at(op.result(*prim), op.name(), *prim)
            }
            Exp::Convert { from, to, value } => {
                self.prim(*value, *from);
                Some(vec![Type::scalar(*to)])
            }
            Exp::If { cond, then, els } => self.if_(*cond, then, els, bound),
            Exp::Switch { scrutinee, cases, default } => self.switch(*scrutinee, cases, default, bound),
            Exp::Loop { params, form, body } => self.loop_(params, form, body),
            Exp::Call { fun, args } => self.call(*fun, args),
            Exp::Const(id) => self.constant(*id, &stm.vars),
            Exp::Check(check) => {
                self.check(check);
                Some(vec![Type::Cert])
            }
            Exp::ArrayLit(rows) => self.array_literal(rows, bound),
            Exp::Range { prim, count, start, step } => self.range(*prim, *count, *start, *step),
            Exp::Replicate { count, value } => self.replicate(*count, *value),
            Exp::Index { array, slice } => Some(with_length(self.sliced(*array, slice)?)),
            Exp::Update { array, slice, value } => self.update(*array, slice, *value),
            Exp::Concat { size, arrays } => self.concat(*size, arrays),
            Exp::Reshape { array, old, new } => self.reshape(*array, *old, new),
            Exp::Rearrange { array, perm } => self.rearrange(*array, perm),
            Exp::Copy(array) => self.copy(*array),
            Exp::Coerce { array, dims } => self.coerce(*array, dims),
            Exp::FlatIndex { array, offset, dims } => self.flat_index(*array, *offset, dims),
            Exp::FlatUpdate { array, offset, strides, value } => {
                self.flat_update(*array, *offset, strides, *value)
            }
            Exp::Lengths(array) => {
                self.irregular(*array)?;
                Some(vec![Type::array(Prim::I64, vec![SOME])])
            }
            Exp::JoinRows(array) => self.irregular(*array)?.row().map(with_length),
            Exp::Segment { lengths, array } => self.segment(*lengths, *array),
            Exp::Map { width, inputs, lambda } => self.map(*width, inputs, lambda, bound),
            Exp::Reduce { width, inputs, op } => self.reduce(*width, inputs, op),
            Exp::Scan { width, inputs, op } => self.scan(*width, inputs, op),
            Exp::Fused { width, inputs, lambda, scans, reductions } => {
                let rows = self.inputs(*width, inputs)?;
                let found = self.lambda(lambda, &rows, "the lambda of `fused`");
                self.fused(&found, scans, reductions, bound)
            }
            Exp::Filter { width, inputs, lambda } | Exp::Partition { width, inputs, lambda } => {
                self.filter(*width, inputs, lambda, bound)
            }
            Exp::Sort { width, keys, wanted } => self.sort(*width, *keys, *wanted),
            Exp::Scatter { width, dests, inputs, lambda } => {
                Some(self.scatter(*width, dests, inputs, lambda)?.0)
            }
            Exp::Hist { width, dests, inputs, lambda, op } => {
                let (dests, columns) = self.scatter(*width, dests, inputs, lambda)?;
                self.reduction(op, &columns);
                Some(dests)
            }
            Exp::Stream { width, inputs, form, lambda } => self.stream(*width, inputs, form, lambda),
            Exp::AccStream { width, dests, inputs, op, lambda } => {
                self.acc_stream(*width, dests, inputs, op.as_ref(), lambda)
            }
            Exp::AccWrite { acc, index, values } => self.acc_write(*acc, *index, values),
            Exp::Region => self.new_region(),
            Exp::Alloc { region, data, constr, fields } => self.alloc(*region, *data, *constr, fields),
            Exp::Null(data) => self.null(*data, bound),
            Exp::Tag { cell } => {
                let (data, _) = self.cell_type(*cell)?;
                let constructors = self.prog.datas.get(data.0 as usize).map_or(0, |d| d.constrs.len());
                Some(vec![Type::scalar(tag_prim(constructors))])
            }
            Exp::Load { cell, constr } => self.load(*cell, *constr),
            Exp::Workers => {
                self.placed("`workers`");
                Some(vec![Type::i64()])
            }
        }
    }

    /// N13.
    pub(super) fn placed(&mut self, what: &str) {
        if self.stage != Stage::Flat {
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

    pub(super) fn operand(&mut self, atom: Atom, wanted: &Type) {
        let found = self.atom_ty(atom);
        if !agree(&found, wanted) {
            let (atom, found, wanted) = (self.show(atom), self.show_ty(&found), self.show_ty(wanted));
            self.fail(Rule::N4, format!("The operand {atom} has type {found}, but {wanted} is expected."));
        }
    }

    pub(super) fn prim(&mut self, atom: Atom, prim: Prim) {
        self.operand(atom, &Type::scalar(prim));
    }

    /// A size, an index or a width.
    pub(super) fn size(&mut self, atom: Atom) {
        self.prim(atom, Prim::I64);
    }

    pub(super) fn sizes(&mut self, atoms: &[Atom]) {
        atoms.iter().for_each(|atom| self.size(*atom));
    }

    /// The type of an array.
    pub(super) fn array(&mut self, var: Var) -> Option<Type> {
        let ty = self.ty(var);
        if !ty.is_array() {
            let (name, found) = (self.show(var), self.show_ty(&ty));
            self.fail(Rule::N4, format!("The operand {name} has type {found}, but an array is expected."));
            return None;
        }
        Some(ty)
    }

    pub(super) fn arrays(&mut self, vars: &[Var]) -> Option<Vec<Type>> {
        vars.iter().map(|var| self.array(*var)).collect()
    }

    /// What a lambda takes of these arrays.
    pub(super) fn rows(&mut self, vars: &[Var]) -> Option<Vec<Type>> {
        let arrays = self.arrays(vars)?;
        Some(arrays.iter().filter_map(row_columns).flatten().collect())
    }

    /// As many operands as types, each of its type.
    pub(super) fn operands(&mut self, atoms: &[Atom], wanted: &[Type], what: &str) {
        if atoms.len() != wanted.len() {
            let (found, wanted) = (atoms.len(), wanted.len());
            return self.fail(Rule::N4, format!("{what}: {found} operands where {wanted} are expected."));
        }
        for (atom, wanted) in atoms.iter().zip(wanted) {
            self.operand(*atom, wanted);
        }
    }
}
