//! Regions and cells: values of recursive types.

use super::repr::{Part, Repr};
use super::state::{Gen, part_elems};
use norn_ir::imp::{Elem, Exp, Prim, Scalar, Stmt, Type};
use norn_ir::nest::{self, Atom, DataId, Dim, Var};

const WORD: Elem = Elem::Prim(Prim::U64);

impl Gen<'_> {
    /// A region, which ends with the open body.
    pub fn new_region(&mut self, var: Var) {
        let region = self.code.new_var(self.name(var), Type::Region);
        self.code.push(Stmt::RegionNew(region));
        self.owners.add_region(region.into());
        self.bind(var, Repr::Region(region.into()));
    }

    pub fn new_cell(&mut self, var: Var, region: Option<Var>, data: DataId, constr: usize, fields: &[Atom]) {
        let region = region.map(|region| self.region(region));
        let region = region.unwrap_or_else(|| panic!("imp_gen: a cell without a region"));
        let columns = &self.prog.datas[data.0 as usize].constrs[constr].columns;
        let words = 1 + columns.iter().map(words).sum::<u32>();
        let site = self.operator_site("constructor");
        let cell = self.code.new_var(self.name(var), Type::Scalar(Prim::U32));
        // The parts of arrays first: what makes them may make cells too, but nothing in between reads this one.
        let fields: Vec<Repr> =
            fields.iter().zip(columns).map(|(field, column)| self.field(*field, column)).collect();
        self.code.push(Stmt::CellNew { cell, region: region.clone(), words, site });
        let base = self.code.bind("cell", Exp::cell(region.clone(), cell));
        self.code.store(WORD, base, 0, Exp::Const(Scalar::U64(constr as u64)));
        let mut word = 1;
        for (field, column) in fields.iter().zip(columns) {
            match field {
                Repr::Scalar(value) => {
                    let elem = Elem::Prim(super::repr::prim_of(
                        column.elem().expect("imp_gen: a column of no values"),
                    ));
                    self.code.store(elem, at(base.into(), word, elem), 0, value.clone());
                    word += 1;
                }
                Repr::Array(array) => {
                    if column.dims()[0] == Dim::Irregular {
                        let i64 = Elem::Prim(Prim::I64);
                        self.code.store(i64, at(base.into(), word, i64), 0, array.length());
                        word += 1;
                    }
                    for part in array.parts() {
                        let (ptr, block) = (part.ptr.clone(), part.block.clone());
                        self.code.store(Elem::Any, at(base.into(), word, Elem::Any), 0, ptr);
                        self.code.store(
                            Elem::Block,
                            at(base.into(), word + 1, Elem::Block),
                            0,
                            block.clone(),
                        );
                        self.code.push(Stmt::RegionKeep { region: region.clone(), block });
                        word += 2;
                    }
                }
                Repr::Acc(_) | Repr::Region(_) | Repr::Cert => panic!("imp_gen: a field that is no value"),
            }
        }
        self.bind(var, Repr::Scalar(cell.into()));
    }

    /// A field as it lies in a cell; arrays are handed over.
    fn field(&mut self, field: Atom, column: &nest::Type) -> Repr {
        match self.value(field) {
            Repr::Array(array) => {
                let mut irregular: Vec<bool> =
                    column.dims().iter().map(|dim| *dim == Dim::Irregular).collect();
                irregular[0] = false;
                let array = self.in_pattern(&array, &irregular);
                Repr::Array(self.keep_array(array))
            }
            other => other,
        }
    }

    /// The first word of a cell, and what it is a cell of.
    fn cell(&mut self, cell: Atom) -> (Exp, DataId) {
        let Some(nest::Elem::Ref(data, Some(region))) = cell.var().and_then(|var| self.ty(var).elem()) else {
            panic!("imp_gen: a cell without a region")
        };
        let (region, cell) = (self.region(region), self.scalar(cell));
        let base = self.code.bind("cell", Exp::cell(region, cell));
        (base.into(), data)
    }

    pub fn tag(&mut self, var: Var, cell: Atom) {
        let (base, data) = self.cell(cell);
        let prim = nest::tag_prim(self.prog.datas[data.0 as usize].constrs.len());
        let tag = Exp::load(WORD, base, 0).convert(Prim::U64, prim);
        self.bind_scalar(var, tag);
    }

    pub fn load_cell(&mut self, vars: &[Var], cell: Atom, constr: usize) {
        let (base, data) = self.cell(cell);
        let columns = &self.prog.datas[data.0 as usize].constrs[constr].columns;
        let mut vars = vars.iter();
        let mut next = || *vars.next().expect("imp_gen: more fields than variables");
        let mut word = 1;
        for column in columns {
            let elem =
                Elem::Prim(super::repr::prim_of(column.elem().expect("imp_gen: a column of no values")));
            if !column.is_array() {
                let value = Exp::load(elem, at(base.clone(), word, elem), 0);
                self.bind_scalar(next(), value);
                word += 1;
                continue;
            }
            let mut sizes: Vec<Option<Exp>> = column
                .dims()
                .iter()
                .map(|dim| match dim {
                    Dim::Size(Atom::Const(size)) => Some(Exp::Const(*size)),
                    Dim::Size(Atom::Var(_)) | Dim::Irregular | Dim::Result(_) => None,
                })
                .collect();
            if sizes[0].is_none() {
                let i64 = Elem::Prim(Prim::I64);
                let var = next();
                self.bind_scalar(var, Exp::load(i64, at(base.clone(), word, i64), 0));
                sizes[0] = Some(self.scalar(var.into()));
                word += 1;
            }
            let mut parts = Vec::new();
            for elem in part_elems(column) {
                let ptr = Exp::load(Elem::Any, at(base.clone(), word, Elem::Any), 0);
                let ptr = self.code.bind("field", Exp::cast(elem, ptr));
                let block = Exp::load(Elem::Block, at(base.clone(), word + 1, Elem::Block), 0);
                let block = self.code.bind("field", block);
                parts.push(Part::borrowed(ptr.into(), block.into()));
                word += 2;
            }
            let array = self.array_of_parts(column, &sizes, parts);
            self.bind(next(), Repr::Array(array));
        }
    }
}

/// The word of a cell at this place, as a pointer to such an element.
fn at(base: Exp, word: u32, elem: Elem) -> Exp {
    let ptr = Exp::offset(WORD, base, Exp::i64(word.into()));
    if elem == WORD { ptr } else { Exp::cast(elem, ptr) }
}

/// How many words a column takes.
fn words(column: &nest::Type) -> u32 {
    if !column.is_array() {
        return 1;
    }
    let length = u32::from(column.dims()[0] == Dim::Irregular);
    length + 2 * part_elems(column).len() as u32
}
