//! Values taken apart for other backends, and assembled again.
//!
//! An array is then its elements in row-major order, and for each `?` where the rows begin. A cell is its constructor and its
//! fields. Whoever takes the parts need not know how the interpreter holds them.

use crate::data::{Data, Kind};
use crate::dims::{Dims, product};
use crate::entry::has_type;
use crate::irregular::fit;
use crate::region::{Cell, NULL, Region, copy_cells, for_each_ref_in, move_refs, moved};
use crate::slice::Part;
use crate::value::{Ref, Value};
use crate::view::View;
use norn_ir::nest::{Column, Elem, Scalar};
use norn_values::Data as Host;
use std::sync::Arc;

/// An array.
#[derive(Clone, PartialEq, Debug)]
pub struct Parts {
    /// `None` where it is `?`, which the first never is.
    pub dims: Vec<Option<usize>>,
    /// For each `?`: from which element of the next level to which each row goes. One more than there are rows, the first 0.
    pub offsets: Vec<Vec<i64>>,
    pub elements: Elements,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Elements {
    Prim(Host),
    /// Numbers of cells.
    Ref(Vec<u32>),
}

/// A cell of a region.
#[derive(Clone, PartialEq, Debug)]
pub struct CellParts {
    /// Which of the program's data it is.
    pub data: usize,
    pub constr: usize,
    pub fields: Vec<Field>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Field {
    /// The bits of a scalar, or the number of a cell.
    Word(u64),
    Array(Parts),
}

/// The number of the cell that a ref leads to which leads nowhere.
pub const NO_CELL: u32 = NULL;

impl Value {
    /// The parts of an array that is a column of this type. None if it is not.
    pub fn to_parts(&self, column: &Column) -> Option<Parts> {
        let Value::Array(array) = self else { return None };
        to_parts(&array.view, column.elem, &column.irregular)
    }

    /// Where the refs in an array lead, or a ref.
    pub fn region(&self) -> Option<&Region> {
        match self {
            Value::Array(array) => array.region.as_ref(),
            Value::Ref(place) => Some(&place.region),
            Value::Scalar(_) | Value::Region(_) | Value::Acc(_) | Value::Cert => None,
        }
    }

    /// The cells that the refs in an array lead to, or a ref.
    pub fn refs(&self) -> Vec<u32> {
        let mut found = Vec::new();
        match self {
            Value::Array(array) if array.region.is_some() => {
                for_each_ref_in(&array.view, &mut |cell| found.push(cell));
            }
            Value::Ref(place) => found.push(place.cell),
            Value::Array(_) | Value::Scalar(_) | Value::Region(_) | Value::Acc(_) | Value::Cert => {}
        }
        found
    }

    /// The same values with all refs into one region, if there is a ref among them: that which has the most cells of those that they lead into, to
    /// which the cells that others lead to are added. The datas are those of the program.
    pub fn in_one_region(datas: &[norn_ir::nest::Data], values: &[Value]) -> (Vec<Value>, Option<Region>) {
        let regions = values.iter().filter_map(Value::region);
        let Some(region) = regions.max_by_key(|region| region.read().cells.len()).cloned() else {
            return (values.to_vec(), None);
        };
        let moved_here = |value: &Value| match value.region() {
            Some(from) if !from.same(&region) => {
                let places = copy_cells(datas, from, &region, value.refs().into_iter());
                match value {
                    Value::Array(array) => {
                        Value::from_view(move_refs(&array.view, &places), Some(region.clone()))
                    }
                    Value::Ref(place) => Value::from_cell(region.clone(), moved(&places, place.cell)),
                    Value::Scalar(_) | Value::Region(_) | Value::Acc(_) | Value::Cert => value.clone(),
                }
            }
            Some(_) | None => value.clone(),
        };
        (values.iter().map(moved_here).collect(), Some(region))
    }

    /// A new cell with these columns. Those with refs are copied into one region, to which the cell is added. None if there are too many cells, or
    /// the columns are not those of the constructor. The datas are those of the program.
    pub fn new_cell(
        datas: &[norn_ir::nest::Data],
        data: usize,
        constr: usize,
        columns: &[Value],
    ) -> Option<Value> {
        let types = &datas.get(data)?.constrs.get(constr)?.columns;
        let (columns, region) = Value::in_one_region(datas, columns);
        let field = |(value, ty): (&Value, &norn_ir::nest::Type)| match value {
            Value::Scalar(scalar) => Some(Part::Word(scalar.bits())),
            Value::Ref(place) => Some(Part::Word(place.cell.into())),
            Value::Array(_) => {
                // A row in a cell has a length of its own.
                let dims = ty.dims().iter().enumerate();
                let irregular = dims.map(|(i, dim)| i > 0 && dim.atom().is_none()).collect();
                match value.fit(&Column { elem: ty.elem()?, irregular })? {
                    Value::Array(array) => Some(Part::View(array.view.clone())),
                    Value::Scalar(_) | Value::Ref(_) | Value::Region(_) | Value::Acc(_) | Value::Cert => None,
                }
            }
            Value::Region(_) | Value::Acc(_) | Value::Cert => None,
        };
        let fields: Option<Box<[Part]>> = columns.iter().zip(types).map(field).collect();
        let fields = fields.filter(|fields| fields.len() == types.len())?;
        let region = region.unwrap_or_default();
        let place = {
            let store = &mut region.write();
            let place = u32::try_from(store.cells.len()).ok().filter(|place| *place < NULL)?;
            store.push(Cell { data: data as u32, constr: constr as u32, fields });
            place
        };
        Some(Value::from_cell(region, place))
    }

    /// The array with these parts, which fit together, and whose refs lead into the region.
    pub fn from_parts(parts: Parts, region: Option<Region>) -> Value {
        Value::from_view(from_parts(parts), region)
    }

    /// The same as a column of this type: rows of one length where the type is regular. None if it is no such array.
    pub fn fit(&self, column: &Column) -> Option<Value> {
        let Value::Array(array) = self else { return Some(self.clone()) };
        let kind = match column.elem {
            Elem::Prim(prim) => Kind::Prim(prim),
            Elem::Ref(..) => Kind::Ref,
        };
        let pattern: Vec<Option<usize>> = column.irregular.iter().map(|is| (!is).then_some(0)).collect();
        if !has_type(&array.view, pattern.len(), kind) {
            return None;
        }
        Some(Value::from_view(fit(&array.view, &pattern, kind).ok()?, array.region.clone()))
    }

    /// A cell of a region.
    pub fn from_cell(region: Region, cell: u32) -> Value {
        Value::Ref(Ref { region, cell })
    }
}

impl Ref {
    /// The number of the cell.
    pub fn cell(&self) -> u32 {
        self.cell
    }

    /// The constructor of the cell and its columns. None if there is no cell. The datas are those of the program.
    pub fn open(&self, datas: &[norn_ir::nest::Data]) -> Option<(usize, Vec<Value>)> {
        let store = self.region.read();
        let cell = store.cells.get(self.cell as usize)?;
        let columns = &datas.get(cell.data as usize)?.constrs.get(cell.constr as usize)?.columns;
        let field = |(field, column): (&Part, &norn_ir::nest::Type)| match (field, column.elem()?) {
            (Part::Word(word), Elem::Prim(prim)) => Scalar::from_bits(prim, *word).map(Value::Scalar),
            (Part::Word(word), Elem::Ref(..)) => {
                Some(Value::Ref(Ref { region: self.region.clone(), cell: *word as u32 }))
            }
            (Part::View(view), Elem::Prim(_)) => Some(Value::from_view(view.clone(), None)),
            (Part::View(view), Elem::Ref(..)) => {
                Some(Value::from_view(view.clone(), Some(self.region.clone())))
            }
        };
        let fields: Option<Vec<Value>> = cell.fields.iter().zip(columns).map(field).collect();
        Some((cell.constr as usize, fields?))
    }
}

impl Region {
    /// All cells, by their numbers. The datas are those of the program.
    pub fn cells(&self, datas: &[norn_ir::nest::Data]) -> Option<Vec<CellParts>> {
        let store = self.read();
        let cell = |cell: &Cell| {
            let columns = &datas[cell.data as usize].constrs[cell.constr as usize].columns;
            let field = |(field, column): (&Part, &norn_ir::nest::Type)| match field {
                Part::Word(word) => Some(Field::Word(*word)),
                Part::View(view) => {
                    let mut irregular: Vec<bool> =
                        column.dims().iter().map(|dim| dim.atom().is_none()).collect();
                    // A row knows its own length.
                    *irregular.first_mut()? = false;
                    to_parts(view, column.elem()?, &irregular).map(Field::Array)
                }
            };
            let fields: Option<Vec<Field>> = cell.fields.iter().zip(columns).map(field).collect();
            Some(CellParts { data: cell.data as usize, constr: cell.constr as usize, fields: fields? })
        };
        store.cells.iter().map(cell).collect()
    }

    /// A region with these cells. Refs in them lead to others of them.
    pub fn from_cells(cells: Vec<CellParts>) -> Region {
        let region = Region::default();
        let cell = |cell: CellParts| Cell {
            data: cell.data as u32,
            constr: cell.constr as u32,
            fields: cell
                .fields
                .into_iter()
                .map(|field| match field {
                    Field::Word(word) => Part::Word(word),
                    Field::Array(parts) => Part::View(from_parts(parts)),
                })
                .collect(),
        };
        {
            let store = &mut region.write();
            cells.into_iter().map(cell).for_each(|cell| store.push(cell));
        }
        region
    }

    /// Whether both are one region.
    pub fn is(&self, other: &Region) -> bool {
        self.same(other)
    }
}

fn to_parts(view: &View, elem: Elem, irregular: &[bool]) -> Option<Parts> {
    let kind = match elem {
        Elem::Prim(prim) => Kind::Prim(prim),
        Elem::Ref(..) => Kind::Ref,
    };
    let pattern: Vec<Option<usize>> = irregular.iter().map(|is| (!is).then_some(0)).collect();
    if !has_type(view, irregular.len(), kind) {
        return None;
    }
    let view = fit(view, &pattern, kind).ok()?;
    let mut parts = Parts { dims: Vec::new(), offsets: Vec::new(), elements: Elements::Ref(Vec::new()) };
    parts.dims.extend(view.shape.iter().map(|dim| Some(*dim)));
    let mut level = vec![view];
    while parts.dims.len() < irregular.len() {
        let rows: Vec<View> = level.iter().flat_map(|view| view.entries()).cloned().collect();
        let mut offsets = vec![0];
        let mut end = 0;
        for row in &rows {
            end += i64::try_from(row.len()).ok()?;
            offsets.push(end);
        }
        parts.offsets.push(offsets);
        // Of rows that are not there, only the number of dimensions is known.
        let rest = &pattern[parts.dims.len() + 1..];
        let regular = rest.iter().position(Option::is_none).unwrap_or(rest.len());
        let inner = rows.first().map_or_else(|| vec![0; regular], |row| row.shape[1..].to_vec());
        if inner.len() != regular || rows.iter().any(|row| row.shape[1..] != inner[..]) {
            return None;
        }
        parts.dims.push(None);
        parts.dims.extend(inner.into_iter().map(Some));
        level = rows;
    }
    let count = level.iter().map(View::count).sum();
    let mut data = Data::with_capacity(kind, count).ok()?;
    for view in &level {
        if view.kind() != kind {
            return None;
        }
        data.extend(&view.data, view.offset..view.offset + view.count());
    }
    parts.elements = match data.into_refs() {
        Ok(cells) => Elements::Ref(cells),
        Err(data) => Elements::Prim(data.into_host()?),
    };
    Some(parts)
}

fn from_parts(parts: Parts) -> View {
    let data = match parts.elements {
        Elements::Prim(host) => Data::from_host(host),
        Elements::Ref(cells) => Data::from_refs(cells),
    };
    let mut data = Arc::new(data);
    let mut levels =
        parts.dims.split(Option::is_none).map(|dims| -> Dims { dims.iter().flatten().copied().collect() });
    let outermost = levels.next().unwrap_or_else(|| Dims::one(0));
    let inner: Vec<Dims> = levels.collect();
    for (offsets, dims) in parts.offsets.iter().zip(&inner).rev() {
        let unit = product(dims);
        let row = |ends: &[i64]| View {
            shape: Dims::join(&[(ends[1] - ends[0]) as usize], dims),
            offset: ends[0] as usize * unit,
            data: data.clone(),
        };
        data = Arc::new(Data::from_rows(offsets.windows(2).map(row).collect()));
    }
    View { shape: outermost, offset: 0, data }
}
