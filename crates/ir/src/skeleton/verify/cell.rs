//! Cells and regions: N2, N4, N10.

use super::types::{SOME, agree, packed, with_length};
use super::{Checker, Rule, Stage};
use crate::skeleton::{Atom, Constr, DataId, Dim, Elem, Type, Var};

impl Checker<'_> {
    pub(super) fn new_region(&mut self) -> Option<Vec<Type>> {
        if self.stage == Stage::BeforeRegions {
            self.fail(Rule::N10, "There is a region before regions are inferred.");
        }
        Some(vec![Type::Region])
    }

    pub(super) fn alloc(
        &mut self,
        region: Option<Var>,
        data: DataId,
        constr: usize,
        fields: &[Atom],
    ) -> Option<Vec<Type>> {
        match (region, self.stage) {
            (Some(region), Stage::Complete | Stage::Scheduled | Stage::Kernels) => {
                self.region(region, "The region of a new cell")
            }
            (None, Stage::BeforeRegions) => {}
            (None, Stage::Complete | Stage::Scheduled | Stage::Kernels) => {
                self.fail(Rule::N10, "A new cell has no region.")
            }
            (Some(_), Stage::BeforeRegions) => {
                self.fail(Rule::N10, "A new cell has a region before regions are inferred.");
            }
        }
        let columns = self.constr(data, constr)?.columns.clone();
        self.fields(fields, &columns, region);
        Some(vec![Type::Value(Elem::Ref(data, region), Vec::new())])
    }

    /// It leads nowhere, so it is a ref into any region.
    pub(super) fn null(&mut self, data: DataId, bound: &[Type]) -> Option<Vec<Type>> {
        if data.0 as usize >= self.prog.datas.len() {
            self.fail(Rule::N2, format!("There is no data {}.", data.0));
        }
        let region = match bound.first().and_then(Type::elem) {
            Some(Elem::Ref(_, region)) => region,
            Some(Elem::Prim(_)) | None => None,
        };
        Some(vec![Type::Value(Elem::Ref(data, region), Vec::new())])
    }

    pub(super) fn load(&mut self, cell: Atom, constr: usize) -> Option<Vec<Type>> {
        let (data, region) = self.cell_type(cell)?;
        let columns = &self.constr(data, constr)?.columns;
        Some(columns.iter().flat_map(|ty| with_length(column_in(ty, region))).collect())
    }

    fn constr(&mut self, data: DataId, constr: usize) -> Option<&Constr> {
        let found = self.prog.datas.get(data.0 as usize).and_then(|data| data.constrs.get(constr));
        if found.is_none() {
            self.fail(Rule::N2, format!("Data {} has no constructor {constr}.", data.0));
        }
        found
    }

    fn fields(&mut self, fields: &[Atom], columns: &[Type], region: Option<Var>) {
        if fields.len() != columns.len() {
            let (found, expected) = (fields.len(), columns.len());
            return self.fail(Rule::N4, format!("A cell with {expected} columns is made of {found} fields."));
        }
        for (field, column) in fields.iter().zip(columns) {
            let found = self.atom_ty(*field);
            let expected = column_in(column, region);
            // A column says `?` where an array has sizes of its own.
            if !agree(&packed(&found, Some(&expected)), &expected) {
                let (field, found) = (self.show(*field), self.show_ty(&found));
                let mut expected = expected;
                expected.for_each_dim(&mut |dim| *dim = if *dim == Dim::Irregular { *dim } else { SOME });
                let expected = self.show_ty(&expected);
                let message = format!("The field {field} has type {found}, but its column has {expected}.");
                self.fail(Rule::N4, message);
            }
        }
    }

    pub(super) fn cell_type(&mut self, cell: Atom) -> Option<(DataId, Option<Var>)> {
        let ty = self.atom_ty(cell);
        if let Type::Value(Elem::Ref(data, region), dims) = &ty
            && dims.is_empty()
        {
            return Some((*data, *region));
        }
        let (cell, ty) = (self.show(cell), self.show_ty(&ty));
        self.fail(Rule::N4, format!("The operand {cell} has type {ty}, but a ref is expected."));
        None
    }
}

/// The type of a column of a cell in this region.
fn column_in(column: &Type, region: Option<Var>) -> Type {
    let mut ty = column.clone();
    ty.for_each_elem_mut(&mut |elem| match elem {
        Elem::Prim(_) => {}
        Elem::Ref(_, of) => *of = region,
    });
    ty
}
