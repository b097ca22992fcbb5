//! Expressions: scalars here, the others where their subject is.

use super::device::GROUP;
use super::state::{Gen, Where};
use norn_ir::imp;
use norn_ir::nest::{ArrayExp, Atom, CellExp, ControlExp, Exp, Grid, ScalarExp, Var};

impl Gen<'_> {
    /// The expression of a statement that binds these variables, and has this mark.
    pub fn exp(&mut self, vars: &[Var], exp: &Exp, grid: Option<Grid>) {
        match exp {
            Exp::Scalar(exp) => self.scalar_exp(vars[0], exp),
            Exp::Control(exp) => self.control_exp(vars, exp),
            Exp::Array(exp) => self.array_exp(vars, exp),
            Exp::Cell(exp) => self.cell_exp(vars, exp),
            Exp::Op(op) => {
                // Kernels of a device, which the processor runs in its part of a task: only what is worth it is shared among its threads.
                let grid = grid.filter(|grid| self.at != Where::Cpu || grid.work != Atom::i64(0));
                let grid = grid.map(|grid| (self.scalar(grid.work), grid.balance));
                self.operator(vars, op, grid);
            }
        }
    }

    fn scalar_exp(&mut self, var: Var, exp: &ScalarExp) {
        match exp {
            ScalarExp::Atom(atom) => {
                let value = self.value(*atom);
                self.bind(var, value);
            }
            ScalarExp::Un(op, prim, x) => {
                let x = self.scalar(*x);
                self.bind_scalar(var, imp::Exp::un(*op, *prim, x));
            }
            ScalarExp::Bin(op, prim, x, y) => {
                let (x, y) = (self.scalar(*x), self.scalar(*y));
                self.bind_scalar(var, imp::Exp::bin(*op, *prim, x, y));
            }
            ScalarExp::Tri(op, prim, x, y, z) => {
                let [x, y, z] = [x, y, z].map(|atom: &Atom| Box::new(self.scalar(*atom)));
                self.bind_scalar(var, imp::Exp::Tri(*op, *prim, x, y, z));
            }
            ScalarExp::Convert { from, to, value } => {
                let value = self.scalar(*value).convert(*from, *to);
                self.bind_scalar(var, value);
            }
            ScalarExp::Workers => {
                let threads = match self.at {
                    Where::Host => imp::Exp::DeviceGroups.mul(GROUP),
                    Where::Cpu | Where::Thread | Where::Group => imp::Exp::Workers,
                };
                self.bind_scalar(var, threads);
            }
            ScalarExp::Tunable(number) => self.bind_scalar(var, imp::Exp::Tunable(*number)),
        }
    }

    fn control_exp(&mut self, vars: &[Var], exp: &ControlExp) {
        match exp {
            ControlExp::If { cond, then, els } => {
                let cond = self.scalar(*cond);
                self.if_(vars, cond, then, els);
            }
            ControlExp::Switch { scrutinee, cases, default } => {
                let prim = self.scalar_prim(*scrutinee);
                let scrutinee = self.scalar(*scrutinee).convert(prim, imp::Prim::I64);
                self.switch(vars, scrutinee, cases, default);
            }
            ControlExp::Loop { params, form, body } => self.loop_(vars, params, form, body),
            ControlExp::Call { fun, args } => self.call(vars, *fun, args),
            ControlExp::Const(id) => self.constant(vars, *id),
            ControlExp::Check(check) => self.check(vars[0], check),
        }
    }

    fn array_exp(&mut self, vars: &[Var], exp: &ArrayExp) {
        match exp {
            ArrayExp::ArrayLit(rows) => self.array_literal(vars[0], rows),
            ArrayExp::Range { prim, count, start, step } => self.range(vars[0], *prim, *count, *start, *step),
            ArrayExp::Replicate { count, value } => self.replicate(vars[0], *count, *value),
            ArrayExp::Index { array, slice } => self.index(vars, *array, slice),
            ArrayExp::Update { array, slice, value } => self.update(vars[0], *array, slice, *value),
            ArrayExp::Concat { arrays, size } => self.concat(vars[0], arrays, *size),
            ArrayExp::Reshape { array, old, new } => self.reshape(vars[0], *array, *old, new),
            ArrayExp::Rearrange { array, perm } => self.rearrange(vars[0], *array, perm),
            ArrayExp::Copy(array) => self.copy(vars[0], *array),
            ArrayExp::Coerce { array, dims } => self.coerce(vars[0], *array, dims),
            ArrayExp::FlatIndex { array, offset, dims } => self.flat_index(vars[0], *array, *offset, dims),
            ArrayExp::FlatUpdate { array, offset, strides, value } => {
                self.flat_update(vars[0], *array, *offset, strides, *value);
            }
            ArrayExp::Lengths(array) => self.lengths(vars[0], *array),
            ArrayExp::Ends(lengths) => self.ends(vars[0], *lengths),
            ArrayExp::JoinRows(array) => self.join_rows(vars, *array),
            ArrayExp::Segment { lengths, array } => self.segment(vars[0], *lengths, *array),
            ArrayExp::AccWrite { acc, index, values } => self.acc_write(vars[0], *acc, *index, values),
        }
    }

    fn cell_exp(&mut self, vars: &[Var], exp: &CellExp) {
        match exp {
            CellExp::Region => self.new_region(vars[0]),
            CellExp::Alloc { region, data, constr, fields } => {
                self.new_cell(vars[0], *region, *data, *constr, fields);
            }
            CellExp::Null(_) => self.bind_scalar(vars[0], imp::Exp::Const(imp::Scalar::U32(0))),
            CellExp::Tag { cell } => self.tag(vars[0], *cell),
            CellExp::Load { cell, constr } => self.load_cell(vars, *cell, *constr),
        }
    }

    /// The primitive type of a scalar.
    pub fn scalar_prim(&self, atom: Atom) -> imp::Prim {
        match atom {
            Atom::Const(scalar) => scalar.prim(),
            Atom::Var(var) => match self.ty(var).elem() {
                Some(elem) => super::repr::prim_of(elem),
                None => panic!("imp_gen: {} is no scalar", self.name(var)),
            },
        }
    }
}
