//! Values as the world outside holds them: arguments and results of entry points.
//!
//! A value is one column (see `nest::iface`). Regular arrays of primitive types go from and to the
//! values of files; others, irregular or of refs, can be taken apart by rows, assembled from rows,
//! and handed back. Refs keep the region they lead into alive.

use crate::acc::Acc;
use crate::builder::{Builder, Row};
use crate::data::{Data, Kind};
use crate::dims::Dims;
use crate::irregular::regular_prefix;
use crate::region::{NULL, Region};
use crate::view::View;
use norn_ir::nest::iface::Column;
use norn_ir::nest::{Elem, Scalar};
use std::fmt;
use std::sync::Arc;

/// A value. Cloning is cheap, and values are equal when their bits are.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Scalar(Scalar),
    Array(Arc<Array>),
    Ref(Ref),
    Region(Region),
    Acc(Acc),
    Cert,
}

#[derive(Clone)]
pub struct Array {
    pub(crate) view: View,
    /// Where the refs in it lead.
    pub(crate) region: Option<Region>,
}

/// A cell of a recursive type.
#[derive(Clone, PartialEq, Debug)]
pub struct Ref {
    pub(crate) region: Region,
    pub(crate) cell: u32,
}

impl Value {
    pub fn from_host(value: &norn_values::Value) -> Value {
        let data = Data::from_host(value.data().clone());
        if value.is_scalar() {
            return scalar_at(&data, 0).map_or(Value::Cert, Value::Scalar);
        }
        Value::from_view(View::new(value.shape().into(), data), None)
    }

    /// A scalar or a regular array of a primitive type; nothing else has a form outside.
    pub fn to_host(&self) -> Option<norn_values::Value> {
        let (shape, data) = match self {
            Value::Scalar(scalar) => {
                let mut data = Data::with_capacity(Kind::Prim(scalar.prim()), 1).ok()?;
                data.push_word(scalar.bits());
                (Vec::new(), data)
            }
            Value::Array(array) => {
                let view = array.view.copy().ok()?;
                (view.shape.to_vec(), Arc::into_inner(view.data)?)
            }
            Value::Ref(_) | Value::Region(_) | Value::Acc(_) | Value::Cert => return None,
        };
        norn_values::Value::new(shape, data.into_host()?).ok()
    }

    /// As `to_host`, but an array that nobody else looks at is not copied. What has no form outside is given back.
    pub fn into_host(mut self) -> Result<norn_values::Value, Value> {
        if let Value::Array(array) = &mut self
            && let Some(Array { view, .. }) = Arc::get_mut(array)
            && let Some(host) = view.take_host()
        {
            return Ok(host);
        }
        self.to_host().ok_or(self)
    }

    /// The dimensions of an array, up to the first that is irregular; none for anything else.
    pub fn shape(&self) -> &[usize] {
        match self {
            Value::Array(array) => &array.view.shape,
            Value::Scalar(_) | Value::Ref(_) | Value::Region(_) | Value::Acc(_) | Value::Cert => &[],
        }
    }

    /// Element or row `index` of an array.
    pub fn index_outer(&self, index: usize) -> Option<Value> {
        let Value::Array(array) = self else { return None };
        let Array { view, region } = &**array;
        if index >= view.len() {
            return None;
        }
        match view.kind() {
            Kind::Prim(_) if view.shape.len() == 1 => {
                scalar_at(&view.data, view.offset + index).map(Value::Scalar)
            }
            Kind::Ref if view.shape.len() == 1 => {
                let cell = view.word(index) as u32;
                Some(Value::Ref(Ref { region: region.clone().unwrap_or_default(), cell }))
            }
            Kind::Prim(_) | Kind::Ref | Kind::Rows => Some(Value::from_view(view.row(index), region.clone())),
        }
    }

    /// The array of these rows, of which there is at least one, and which all have one type and shape.
    pub fn stack(rows: &[Value]) -> Option<Value> {
        let (kind, row) = match rows.first()? {
            Value::Scalar(scalar) => (Kind::Prim(scalar.prim()), Row::Word),
            Value::Ref(_) => (Kind::Ref, Row::Word),
            Value::Array(array) => (array.view.kind(), Row::Regular(array.view.shape.clone())),
            Value::Region(_) | Value::Acc(_) | Value::Cert => return None,
        };
        Value::build(rows, kind, row)
    }

    /// The irregular array of these rows, which are arrays of one type.
    pub fn stack_irregular(rows: &[Value]) -> Option<Value> {
        Value::build(rows, Kind::Rows, Row::Entry)
    }

    fn build(rows: &[Value], kind: Kind, row: Row) -> Option<Value> {
        let is_word = matches!(row, Row::Word);
        let mut region: Option<Region> = None;
        let mut builder = Builder::new(kind, row, rows.len()).ok()?;
        for row in rows {
            let from = match row {
                Value::Scalar(scalar) if is_word && Kind::Prim(scalar.prim()) == kind => {
                    builder.push_word(scalar.bits());
                    None
                }
                Value::Ref(place) if is_word && kind == Kind::Ref => {
                    builder.push_word(place.cell as u64);
                    (!place.is_null()).then_some(&place.region)
                }
                Value::Array(array) if !is_word && (kind == Kind::Rows || array.view.kind() == kind) => {
                    builder.push(&array.view).ok()?;
                    array.region.as_ref()
                }
                Value::Scalar(_)
                | Value::Array(_)
                | Value::Ref(_)
                | Value::Region(_)
                | Value::Acc(_)
                | Value::Cert => return None,
            };
            match (&region, from) {
                (Some(region), Some(from)) if !region.same(from) => return None,
                (None, Some(from)) => region = Some(from.clone()),
                (Some(_), Some(_)) | (_, None) => {}
            }
        }
        Some(Value::from_view(builder.finish(), region))
    }

    /// An array of this type without elements, or a ref that leads nowhere. None if the type is primitive.
    pub fn empty(column: &Column) -> Option<Value> {
        if column.irregular.is_empty() {
            return match column.elem {
                Elem::Prim(_) => None,
                Elem::Ref(..) => Some(Value::Ref(Ref { region: Region::default(), cell: NULL })),
            };
        }
        let dims: Vec<Option<usize>> = column.irregular.iter().map(|is| (!is).then_some(0)).collect();
        let prefix = regular_prefix(&dims);
        let kind = match column.elem {
            _ if prefix < dims.len() => Kind::Rows,
            Elem::Prim(prim) => Kind::Prim(prim),
            Elem::Ref(..) => Kind::Ref,
        };
        let shape: Dims = std::iter::repeat_n(0, prefix).collect();
        Some(Value::from_view(View::new(shape, Data::empty(kind)), None))
    }

    pub(crate) fn from_view(view: View, region: Option<Region>) -> Value {
        Value::Array(Arc::new(Array { view, region }))
    }
}

impl Ref {
    /// Whether it leads nowhere.
    pub(crate) fn is_null(&self) -> bool {
        self.cell == NULL
    }
}

fn scalar_at(data: &Data, index: usize) -> Option<Scalar> {
    match data.kind() {
        Kind::Prim(prim) => Scalar::from_bits(prim, data.word(index)),
        Kind::Ref | Kind::Rows => None,
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Array) -> bool {
        self.region == other.region && self.view == other.view
    }
}

impl PartialEq for View {
    fn eq(&self, other: &View) -> bool {
        self.shape == other.shape
            && self.kind() == other.kind()
            && match self.kind() {
                Kind::Rows => self.entries() == other.entries(),
                Kind::Prim(_) | Kind::Ref => (0..self.count()).all(|i| self.word(i) == other.word(i)),
            }
    }
}

impl PartialEq for Region {
    fn eq(&self, other: &Region) -> bool {
        self.same(other)
    }
}

impl PartialEq for Acc {
    fn eq(&self, other: &Acc) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.view, f)
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind();
        write!(f, "{}", self.shape)?;
        match kind {
            Kind::Rows => f.debug_list().entries(self.entries()).finish(),
            Kind::Ref => f.debug_list().entries((0..self.count()).map(|i| self.word(i))).finish(),
            Kind::Prim(_) => {
                let scalars = (0..self.count()).filter_map(|i| scalar_at(&self.data, self.offset + i));
                f.debug_list().entries(scalars).finish()
            }
        }
    }
}
