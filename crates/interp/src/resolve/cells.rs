//! Cells of recursive types.

use super::{At, Resolver};
use crate::code::{Alloc, Bind, Load, Op};
use crate::region::NULL;
use norn_ir::nest::{Atom, DataId, Elem, Scalar, Type, Var};

impl Resolver<'_> {
    pub(super) fn alloc(
        &mut self,
        region: Option<Var>,
        data: DataId,
        constr: usize,
        fields: &[Atom],
        at: &mut At,
    ) {
        let columns = &self.prog.datas[data.0 as usize].constrs[constr].columns;
        let mut operands = self.operands(fields, at.live);
        for ((operand, field), column) in operands.iter_mut().zip(fields).zip(columns) {
            let (op, packed) = self.packed(*operand, *field, column);
            at.push_all(op);
            *operand = packed;
        }
        let alloc = Alloc {
            dst: self.word(at.stm.vars[0]),
            region: region.map(|region| self.object(region)),
            data: data.0,
            constr: constr as u32,
            fields: operands.into(),
        };
        at.push(Op::Alloc(Box::new(alloc)));
    }

    pub(super) fn null(&mut self, at: &mut At) {
        let src = self.word_of(Scalar::U32(NULL).into());
        at.push(Op::Copy { dst: self.word(at.stm.vars[0]), src });
    }

    pub(super) fn tag(&mut self, cell: Atom, at: &mut At) {
        let (_, region) = self.cell_type(cell);
        at.push(Op::Tag { dst: self.word(at.stm.vars[0]), cell: self.word_of(cell), region });
    }

    pub(super) fn load(&mut self, cell: Atom, constr: usize, at: &mut At) {
        let (data, region) = self.cell_type(cell);
        let columns = &self.prog.datas[data.0 as usize].constrs[constr].columns;
        let mut vars = at.stm.vars.iter();
        let mut next = || *vars.next().expect("a load binds a variable for each field");
        let bind = |column: &Type| match column.dims().first() {
            None => Bind::Word(self.word(next())),
            Some(dim) if dim.atom().is_none() => {
                Bind::Entry { length: self.word(next()), row: self.object(next()) }
            }
            Some(_) => Bind::Row(self.object(next())),
        };
        let dsts = columns.iter().map(bind).collect();
        let load = Load { cell: self.word_of(cell), region, constr: constr as u32, dsts };
        at.push(Op::Load(Box::new(load)));
    }

    /// What a cell is, and the place of its region.
    fn cell_type(&self, cell: Atom) -> (DataId, Option<u32>) {
        match cell.var().and_then(|var| self.ty(var).elem()) {
            Some(Elem::Ref(data, region)) => (data, region.map(|region| self.object(region))),
            Some(Elem::Prim(_)) | None => panic!("a ref was expected"),
        }
    }
}
