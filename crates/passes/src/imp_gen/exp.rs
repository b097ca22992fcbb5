//! Expressions: scalars here, the others where their subject is.

use super::device::GROUP;
use super::state::{Gen, Where};
use norn_ir::imp;
use norn_ir::nest::{ArrayExp, Atom, CellExp, ControlExp, Exp, Grid, ScalarExp, Var};

impl Gen<'_> {
    /// The expression of a statement that binds these variables, and has this mark.
    pub fn exp(&mut self, vars: &[Var], exp: &Exp, grid: Option<Grid>) {
        match exp {
            Exp::Scalar(ScalarExp::Atom(atom)) => {
                let value = self.value(*atom);
                self.bind(vars[0], value);
            }
            Exp::Scalar(ScalarExp::Un(op, prim, x)) => {
                let x = self.scalar(*x);
                self.bind_scalar(vars[0], imp::Exp::un(*op, *prim, x));
            }
            Exp::Scalar(ScalarExp::Bin(op, prim, x, y)) => {
                let (x, y) = (self.scalar(*x), self.scalar(*y));
                self.bind_scalar(vars[0], imp::Exp::bin(*op, *prim, x, y));
            }
            Exp::Scalar(ScalarExp::Tri(op, prim, x, y, z)) => {
                let [x, y, z] = [x, y, z].map(|atom: &Atom| Box::new(self.scalar(*atom)));
                self.bind_scalar(vars[0], imp::Exp::Tri(*op, *prim, x, y, z));
            }
            Exp::Scalar(ScalarExp::Convert { from, to, value }) => {
                let value = self.scalar(*value).convert(*from, *to);
                self.bind_scalar(vars[0], value);
            }
            Exp::Control(ControlExp::If { cond, then, els }) => {
                let cond = self.scalar(*cond);
                self.if_(vars, cond, then, els);
            }
            Exp::Control(ControlExp::Switch { scrutinee, cases, default }) => {
                let prim = self.scalar_prim(*scrutinee);
                let scrutinee = self.scalar(*scrutinee).convert(prim, imp::Prim::I64);
                self.switch(vars, scrutinee, cases, default);
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => self.loop_(vars, params, form, body),
            Exp::Control(ControlExp::Call { fun, args }) => self.call(vars, *fun, args),
            Exp::Control(ControlExp::Const(id)) => self.constant(vars, *id),
            Exp::Control(ControlExp::Check(check)) => self.check(vars[0], check),

            Exp::Array(ArrayExp::ArrayLit(rows)) => self.array_literal(vars[0], rows),
            Exp::Array(ArrayExp::Range { prim, count, start, step }) => {
                self.range(vars[0], *prim, *count, *start, *step)
            }
            Exp::Array(ArrayExp::Replicate { count, value }) => self.replicate(vars[0], *count, *value),
            Exp::Array(ArrayExp::Index { array, slice }) => self.index(vars, *array, slice),
            Exp::Array(ArrayExp::Update { array, slice, value }) => {
                self.update(vars[0], *array, slice, *value)
            }
            Exp::Array(ArrayExp::Concat { arrays, size }) => self.concat(vars[0], arrays, *size),
            Exp::Array(ArrayExp::Reshape { array, old, new }) => self.reshape(vars[0], *array, *old, new),
            Exp::Array(ArrayExp::Rearrange { array, perm }) => self.rearrange(vars[0], *array, perm),
            Exp::Array(ArrayExp::Copy(array)) => self.copy(vars[0], *array),
            Exp::Array(ArrayExp::Coerce { array, dims }) => self.coerce(vars[0], *array, dims),
            Exp::Array(ArrayExp::FlatIndex { array, offset, dims }) => {
                self.flat_index(vars[0], *array, *offset, dims)
            }
            Exp::Array(ArrayExp::FlatUpdate { array, offset, strides, value }) => {
                self.flat_update(vars[0], *array, *offset, strides, *value);
            }

            Exp::Array(ArrayExp::Lengths(array)) => self.lengths(vars[0], *array),
            Exp::Array(ArrayExp::JoinRows(array)) => self.join_rows(vars, *array),
            Exp::Array(ArrayExp::Segment { lengths, array }) => self.segment(vars[0], *lengths, *array),

            Exp::Op(_) => {
                let grid = grid.map(|grid| (self.scalar(grid.work), grid.balance));
                self.operator(vars, exp, grid);
            }
            Exp::Scalar(ScalarExp::Workers) => {
                let threads = match self.at {
                    Where::Host => imp::Exp::DeviceGroups.mul(GROUP),
                    Where::Cpu | Where::Thread => imp::Exp::Workers,
                };
                self.bind_scalar(vars[0], threads);
            }
            Exp::Array(ArrayExp::AccWrite { acc, index, values }) => {
                self.acc_write(vars[0], *acc, *index, values)
            }

            Exp::Cell(CellExp::Region) => self.new_region(vars[0]),
            Exp::Cell(CellExp::Alloc { region, data, constr, fields }) => {
                self.new_cell(vars[0], *region, *data, *constr, fields);
            }
            Exp::Cell(CellExp::Null(_)) => self.bind_scalar(vars[0], imp::Exp::Const(imp::Scalar::U32(0))),
            Exp::Cell(CellExp::Tag { cell }) => self.tag(vars[0], *cell),
            Exp::Cell(CellExp::Load { cell, constr }) => self.load_cell(vars, *cell, *constr),
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
