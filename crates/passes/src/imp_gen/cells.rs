//! Regions and cells: values of recursive types.
//!
//! A cell is what `imp` says: the number of its constructor, its columns, and the elements of the arrays among these. So arrays are copied when a
//! cell is made, and where they are read from it they are the memory of the cell, with the block that it is in.
//!
//! On the host of a device, cells are in its own memory, but for those with arrays: these are made on the device, and arrays are found there (`on_device`). So the
//! elements of arrays need not be moved.

use super::repr::{Array, Part, Repr, prim_of};
use super::state::{Gen, Where, part_elems};
use norn_ir::imp::cells::cell_layout;
use norn_ir::imp::{DeviceStmt, Elem, Exp, Prim, Scalar, Stmt, Type, Var as ImpVar};
use norn_ir::nest::{self, Atom, DataId, Dim, Var};

const WORD: Elem = Elem::Prim(Prim::U64);
const TAG: Elem = Elem::Prim(Prim::U32);
const BYTE: Elem = Elem::Prim(Prim::U8);
const I64: Elem = Elem::Prim(Prim::I64);

/// A field on its way into a cell.
enum Field {
    Scalar(Elem, Exp),
    Array { length: Option<Exp>, parts: Vec<Piece> },
}

/// The elements of a part that go into a cell.
struct Piece {
    elem: Elem,
    /// Where element 0 is, or would be.
    ptr: Exp,
    first: Exp,
    count: Exp,
    /// The words that they need.
    words: Exp,
    /// A regular array is copied from any layout.
    from: Option<Array>,
}

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
        let site = self.operator_site("constructor");
        let cell = self.code.new_var(self.name(var), Type::Scalar(Prim::U32));
        let fields: Vec<Field> =
            fields.iter().zip(columns).map(|(field, column)| self.field(*field, column)).collect();
        let layout = cell_layout(columns);
        let fixed = layout.words as i64;
        let behind = fields.iter().flat_map(Field::pieces).map(|piece| piece.words.clone());
        let total = self.code.atom("words", Exp::sum(behind).add(fixed));
        let is_remote = self.at == Where::Host && fields.iter().any(|field| !field.pieces().is_empty());
        let (base, remote) = match is_remote {
            true => self.new_remote_cell(cell, &region, total, fixed, site),
            false => {
                self.settle_region(&region);
                self.code.push(Stmt::CellNew { cell, region: region.clone(), words: total, site });
                (self.code.bind("cell", Exp::cell(region, cell)), None)
            }
        };
        let place_of = remote.as_ref().map_or(base, |remote| remote.ptr);
        self.code.store(TAG, Exp::cast(TAG, base), 0, Exp::Const(Scalar::U32(constr as u32)));
        // Where the next elements go.
        let mut place = Exp::i64(fixed);
        for (field, byte) in fields.into_iter().zip(layout.columns) {
            let mut byte = byte as i64;
            match field {
                Field::Scalar(elem, value) => self.put_field(base, byte, elem, value),
                Field::Array { length, parts } => {
                    if let Some(length) = length {
                        self.put_field(base, byte, I64, length);
                        byte += 8;
                    }
                    for piece in parts {
                        let next = self.code.atom("place", place.clone().add(piece.words.clone()));
                        self.put_piece(base, place_of, byte, place, piece);
                        place = next;
                        byte += 8;
                    }
                }
            }
        }
        if let Some(remote) = remote {
            self.write_remote_cell(base, remote, fixed);
        }
        self.bind(var, Repr::Scalar(cell.into()));
    }

    /// Writes a number to this byte of a cell, and those behind it.
    fn put_field(&mut self, base: ImpVar, byte: i64, elem: Elem, value: Exp) {
        self.code.store(elem, Exp::cast(elem, base), byte / elem.bytes(), value);
    }

    /// Copies elements to a place in a cell, of which a word says where it is.
    fn put_piece(&mut self, base: ImpVar, cell: ImpVar, byte: i64, place: Exp, piece: Piece) {
        let Piece { elem, ptr, first, count, words: _, from } = piece;
        let start = place.clone().mul(8).sub(first.clone().mul(elem.bytes()));
        self.put_field(base, byte, I64, start);
        let to = Exp::offset(WORD, cell, place);
        let to = self.code.bind("to", if elem == WORD { to } else { Exp::cast(elem, to) });
        match from {
            Some(array) => {
                let sizes: Vec<Exp> = array.lead.iter().map(|lead| lead.size.clone()).collect();
                let to = self.row_major(array.prim, &sizes, Part::lent(to.into()));
                self.copy_into(&to, &array);
            }
            None => {
                let from = Exp::offset(elem, ptr, first);
                match self.at {
                    Where::Host => {
                        self.code.push(Stmt::Device(DeviceStmt::Copy { elem, to: to.into(), from, count }));
                    }
                    Where::Cpu | Where::Thread | Where::Group => self.code.copy(elem, to, from, count),
                }
            }
        }
    }

    /// A field as it lies in a cell.
    fn field(&mut self, field: Atom, column: &nest::Type) -> Field {
        let elem = Elem::Prim(prim_of(column.elem().expect("imp_gen: a column of no values")));
        let array = match self.value(field) {
            Repr::Scalar(value) => return Field::Scalar(elem, value),
            Repr::Array(array) => array,
            Repr::Acc(_) | Repr::Region(_) | Repr::Cert => panic!("imp_gen: a field that is no value"),
        };
        let mut irregular: Vec<bool> = column.dims().iter().map(|dim| *dim == Dim::Irregular).collect();
        let length = irregular[0].then(|| array.length());
        irregular[0] = false;
        let array = self.in_pattern(&array, &irregular);
        if array.is_regular() {
            let sizes = array.lead.iter().map(|lead| lead.size.clone());
            let count = self.code.atom("count", Exp::product(sizes));
            let mut piece = self.piece(elem, array.data.ptr.clone(), Exp::i64(0), count);
            piece.from = Some(array);
            return Field::Array { length, parts: vec![piece] };
        }
        let array = self.in_row_major(array);
        let mut parts = Vec::new();
        let lead = array.lead.iter().map(|lead| lead.size.clone());
        // Which elements of the next part belong to the array.
        let (mut first, mut count) = (Exp::i64(0), self.code.atom("count", Exp::product(lead)));
        for (level, part) in array.offsets.iter().enumerate() {
            let entries = self.code.atom("entries", count.clone().add(1));
            parts.push(self.piece(I64, part.ptr.clone(), first.clone(), entries));
            let from = self.offset_at(part.ptr.clone(), first.clone());
            let from = self.code.atom("from", from);
            let to = self.offset_at(part.ptr.clone(), first.add(count));
            let unit = self.unit(&array.tail, level);
            first = self.code.atom("first", from.clone().mul(unit.clone()));
            count = self.code.atom("count", to.sub(from).mul(unit));
        }
        parts.push(self.piece(elem, array.data.ptr.clone(), first, count));
        Field::Array { length, parts }
    }

    fn piece(&mut self, elem: Elem, ptr: Exp, first: Exp, count: Exp) -> Piece {
        let words = match elem.bytes() {
            8 => count.clone(),
            bytes => count.clone().mul(bytes).add(7).quot(8),
        };
        Piece { elem, ptr, first, count, words: self.code.atom("words", words), from: None }
    }

    /// The first word of a cell, the block that it is in, and what it is a cell of. So many of its words are looked at.
    fn cell(&mut self, cell: Atom, words: impl Fn(DataId) -> usize) -> (ImpVar, Exp, DataId) {
        let Some(nest::Elem::Ref(data, Some(region))) = cell.var().and_then(|var| self.ty(var).elem()) else {
            panic!("imp_gen: a cell without a region")
        };
        let (region, cell) = (self.region(region), self.scalar(cell));
        if self.at == Where::Host {
            let (region, cell, words) = (region.clone(), cell.clone(), words(data) as u32);
            self.code.push(Stmt::Device(DeviceStmt::Look { region, cell, words }));
        }
        let base = self.code.bind("cell", Exp::cell(region.clone(), cell.clone()));
        (base, Exp::cell_block(region, cell), data)
    }

    /// The host is about to add cells to the region: it has to know where those end that kernels have added.
    fn settle_region(&mut self, region: &Exp) {
        if self.at == Where::Host {
            self.code.push(Stmt::Device(DeviceStmt::Settle(region.clone())));
        }
    }

    /// Somebody else on the host is about to look at cells of the region, or to add some: it has to know those that kernels have added.
    pub fn fetch_region(&mut self, region: &Exp) {
        if self.at == Where::Host {
            self.code.push(Stmt::Device(DeviceStmt::Fetch(region.clone())));
        }
    }

    pub fn tag(&mut self, var: Var, cell: Atom) {
        let (base, _, data) = self.cell(cell, |_| 1);
        let prim = nest::tag_prim(self.prog.datas[data.0 as usize].constrs.len());
        let tag = Exp::load(TAG, Exp::cast(TAG, base), 0).convert(Prim::U32, prim);
        self.bind_scalar(var, tag);
    }

    pub fn load_cell(&mut self, vars: &[Var], cell: Atom, constr: usize) {
        let prog = self.prog;
        let columns = |data: DataId| &prog.datas[data.0 as usize].constrs[constr].columns;
        let (base, block, data) = self.cell(cell, |data| cell_layout(columns(data)).words);
        let columns = columns(data);
        let has_arrays = columns.iter().any(nest::Type::is_array);
        let remote = (has_arrays && self.at == Where::Host).then(|| self.remote_cell(cell));
        let block = match &remote {
            Some(remote) => Some(remote.block),
            None => has_arrays.then(|| self.code.bind("block", block)),
        };
        let place_of = remote.as_ref().map_or(base, |remote| remote.ptr);
        let mut vars = vars.iter();
        let mut next = || *vars.next().expect("imp_gen: more fields than variables");
        let layout = cell_layout(columns);
        for (column, byte) in columns.iter().zip(layout.columns) {
            let mut byte = byte as i64;
            let elem = Elem::Prim(prim_of(column.elem().expect("imp_gen: a column of no values")));
            let Some(block) = block.filter(|_| column.is_array()) else {
                self.bind_scalar(next(), field_at(base, byte, elem));
                continue;
            };
            let mut sizes: Vec<Option<Exp>> = column
                .dims()
                .iter()
                .map(|dim| match dim {
                    Dim::Size(Atom::Const(size)) => Some(Exp::Const(*size)),
                    Dim::Size(Atom::Var(_)) | Dim::Irregular | Dim::Result(_) => None,
                })
                .collect();
            if sizes[0].is_none() {
                let var = next();
                self.bind_scalar(var, field_at(base, byte, I64));
                sizes[0] = Some(self.scalar(var.into()));
                byte += 8;
            }
            let mut parts = Vec::new();
            for elem in part_elems(column) {
                let start = self.code.bind("start", field_at(base, byte, I64));
                let place = Exp::offset(BYTE, Exp::cast(BYTE, place_of), start);
                let ptr = self.code.bind("field", if elem == BYTE { place } else { Exp::cast(elem, place) });
                if remote.is_some() {
                    self.code.push(Stmt::Retain(block.into()));
                }
                parts.push(Part::borrowed(ptr.into(), block.into()));
                byte += 8;
            }
            let array = self.array_of_parts(column, &sizes, parts);
            // The region may move while the array is used.
            let array = if remote.is_some() { self.own_array(array) } else { array };
            self.bind(next(), Repr::Array(array));
        }
        if let Some(remote) = remote {
            self.code.release(remote.block);
        }
    }
}

impl Field {
    fn pieces(&self) -> &[Piece] {
        match self {
            Field::Scalar(..) => &[],
            Field::Array { length: _, parts } => parts,
        }
    }
}

/// The number at this byte of a cell.
fn field_at(base: ImpVar, byte: i64, elem: Elem) -> Exp {
    Exp::load(elem, Exp::cast(elem, base), byte / elem.bytes())
}
