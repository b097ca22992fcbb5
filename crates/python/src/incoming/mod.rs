//! Values of Python as values of a program.
//!
//! A parameter takes what a result of its type would be (see `outgoing`), and whatever else says the same: lists for arrays, dataclasses and objects with
//! attributes for records, lists of records for arrays of them, rows or a pair of offsets and values for irregular arrays. An array is used where it is if its elements are of the type
//! of the parameter and side by side; it is never converted to another type, since that would hide a copy, or change numbers. Numbers in lists are, if they
//! stay the same.
//!
//! Arrays are in `arrays`. Values of types with sums or cells are items (`items`); all others are columns, which are made here.

mod arrays;
mod items;
mod place;

pub use place::Place;

use crate::array::Donated;
use crate::case::Opaque;
use crate::numpy::numpy;
use crate::program::Shared;
use crate::types::is_tuple;
use norn::engine::{Engine, Given, Item, Kept};
use norn::{Argument, Handle};
use norn_exec::{Column, Exec};
use norn_ir::nest::iface::Column as ColumnType;
use norn_ir::nest::{Elem, Entry, EntryParam, IfaceId, IfaceShape, Scalar};
use norn_values::{Prim, Value};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::cell::RefCell;
use std::sync::Arc;

/// Makes values for a program.
pub struct Incoming<'a, 'py> {
    py: Python<'py>,
    shared: &'a Arc<Shared>,
    /// Streams of other libraries that the device has to follow before it uses the values.
    streams: RefCell<Vec<u64>>,
}

type Object<'py> = Bound<'py, PyAny>;

/// An argument as it is passed.
pub enum Passed {
    Handle(Handle),
    Given(Given),
}

impl Passed {
    pub fn argument(&self) -> Argument<'_> {
        match self {
            Passed::Handle(handle) => handle.into(),
            Passed::Given(given) => Argument::Given(given),
        }
    }
}

impl<'a, 'py> Incoming<'a, 'py> {
    pub fn new(py: Python<'py>, shared: &'a Arc<Shared>) -> Incoming<'a, 'py> {
        Incoming { py, shared, streams: RefCell::default() }
    }

    /// When all values have been made: the device follows those who may still be writing them.
    pub fn follow(&self) {
        for stream in self.streams.take() {
            if let Some(gpu) = self.engine().exec().and_then(Exec::gpu) {
                gpu.follow_queue(stream);
            }
        }
    }

    fn engine(&self) -> &'a Engine {
        self.shared.program.engine()
    }

    /// The argument for a parameter.
    pub fn argument(&self, entry: &Entry, param: &EntryParam, object: &Object<'py>) -> PyResult<Passed> {
        let place = Place::Argument { entry: &entry.name, name: &param.name };
        if let Ok(donated) = object.cast::<Donated>() {
            let name = &self.engine().iface(param.ty).name;
            let held = donated.get().take()?;
            let IfaceShape::Array(prim, rank) = self.engine().iface(param.ty).shape else {
                return Err(self.wrong(&place, name, "only arrays of numbers can be donated"));
            };
            let kept = Kept::array(self.checked(held, prim, rank, &place)?);
            return kept
                .map(|kept| Passed::Given(Given::new(kept)))
                .ok_or_else(|| self.wrong(&place, name, "is no regular array"));
        }
        self.handle(param, object, &place).map(Passed::Handle)
    }

    fn handle(&self, param: &EntryParam, object: &Object<'py>, place: &Place) -> PyResult<Handle> {
        let engine = self.engine();
        let iface = engine.iface(param.ty);
        match &iface.shape {
            IfaceShape::Scalar(prim) => {
                Ok(Handle::Item(Item::Value(value(self.scalar(object, *prim, place)?))))
            }
            IfaceShape::Array(prim, rank) => {
                let held = self.array(object, *prim, *rank, place)?;
                let kept = Kept::array(held);
                kept.map(Handle::Kept).ok_or_else(|| self.wrong(place, &iface.name, "is no regular array"))
            }
            IfaceShape::Opaque => match object.cast::<Opaque>() {
                Ok(known) if Arc::ptr_eq(&known.get().shared, self.shared) && known.get().ty == param.ty => {
                    Ok(known.get().handle.clone())
                }
                Ok(_) | Err(_) => Err(self.wrong(place, &iface.name, "is none that this program has made")),
            },
            IfaceShape::OpaqueArray(..)
            | IfaceShape::Record(_)
            | IfaceShape::Sum(_)
            | IfaceShape::Recursive(_) => {
                if self.shared.has_cases(param.ty) {
                    return self.item(object, param.ty, place).map(Handle::Item);
                }
                let mut columns = Vec::with_capacity(iface.columns.len());
                self.columns(object, param.ty, 0, &mut iface.columns.iter(), &mut columns, place)?;
                let kept = engine.of_columns(param.ty, columns);
                kept.map(Handle::Kept).ok_or_else(|| self.wrong(place, &iface.name, "has not its shape"))
            }
        }
    }

    fn scalar(&self, object: &Object<'py>, prim: Prim, place: &Place) -> PyResult<Scalar> {
        let outside = || {
            let (least, most) = prim.extremes();
            self.wrong(place, prim.name(), &format!("{object} is not between {least} and {most}"))
        };
        let complain = |error: PyErr| {
            let is_outside = error.is_instance_of::<PyOverflowError>(self.py);
            if is_outside { outside() } else { self.wrong_kind(place, prim.name(), object) }
        };
        if prim.is_int() {
            let number = if prim == Prim::U64 {
                object.extract::<u64>().map(i128::from)
            } else {
                object.extract::<i64>().map(i128::from)
            };
            let number = number.map_err(complain)?;
            let (least, most) = prim.extremes();
            return if (least..=most).contains(&number) {
                Ok(Scalar::from_int(prim, number))
            } else {
                Err(outside())
            };
        }
        if prim == Prim::Bool {
            return object.extract::<bool>().map(Scalar::Bool).map_err(complain);
        }
        if object.is_instance_of::<PyString>() {
            return Err(self.wrong_kind(place, prim.name(), object));
        }
        let number: f64 = object.extract().map_err(complain)?;
        Ok(Scalar::from_float(prim, number))
    }

    /// Adds the columns of a value with `rank` dimensions around a type.
    fn columns(
        &self,
        object: &Object<'py>,
        ty: IfaceId,
        rank: usize,
        types: &mut dyn Iterator<Item = &ColumnType>,
        out: &mut Vec<Column<'static>>,
        place: &Place,
    ) -> PyResult<()> {
        self.check_depth(place)?;
        let engine = self.engine();
        let name = || format!("{}{}", "[]".repeat(rank), engine.iface(ty).name);
        match &engine.iface(ty).shape {
            IfaceShape::Scalar(_) | IfaceShape::Array(..) => {
                let column = types.next().map(|column| (column.elem, &column.irregular[..]));
                out.push(match column {
                    Some((Elem::Prim(prim), [])) => Column::Scalar(self.scalar(object, prim, place)?),
                    Some((Elem::Prim(prim), dims)) if !dims.contains(&true) => {
                        Column::Held(self.array(object, prim, dims.len(), place)?)
                    }
                    Some((Elem::Prim(prim), dims)) => {
                        Column::Array(self.irregular(object, prim, dims, &name(), place)?)
                    }
                    Some((Elem::Ref(..), _)) | None => return Err(self.wrong_kind(place, &name(), object)),
                });
                Ok(())
            }
            IfaceShape::OpaqueArray(elem, more) => {
                self.columns(object, *elem, rank + more, types, out, place)
            }
            IfaceShape::Record(fields) => {
                if fields.is_empty() {
                    // The column of `()` has nothing to say.
                    types.next();
                    if rank > 0 {
                        return Err(self.wrong(place, &name(), "arrays of `()` cannot be made"));
                    }
                    out.push(Column::Scalar(Scalar::Bool(false)));
                }
                for (number, (field, id)) in fields.iter().enumerate() {
                    let part = self.field(object, fields, number, rank, &name(), place)?;
                    self.columns(&part, *id, rank, types, out, &Place::Field { of: place, name: field })?;
                }
                Ok(())
            }
            IfaceShape::Sum(_) | IfaceShape::Recursive(_) | IfaceShape::Opaque => {
                Err(self.wrong_kind(place, &name(), object))
            }
        }
    }

    /// A field of a record; of an array of records, the array of that field.
    fn field(
        &self,
        object: &Object<'py>,
        fields: &[(String, IfaceId)],
        number: usize,
        rank: usize,
        ty: &str,
        place: &Place,
    ) -> PyResult<Object<'py>> {
        let name = &fields[number].0;
        // A list is one of elements, whose fields are collected.
        if rank > 0
            && let Ok(rows) = object.cast::<PyList>()
        {
            let parts = PyList::empty(self.py);
            for (i, row) in rows.iter().enumerate() {
                let place = Place::Element { of: place, number: i };
                parts.append(self.field(&row, fields, number, rank - 1, ty, &place)?)?;
            }
            return Ok(parts.into_any());
        }
        if is_tuple(fields) {
            let found = object.len().ok().filter(|_| !object.is_instance_of::<PyDict>());
            return match found {
                Some(count) if count == fields.len() => object.get_item(number),
                Some(count) => {
                    Err(self.wrong(place, ty, &format!("has {count} parts instead of {}", fields.len())))
                }
                None => Err(self.wrong_kind(place, ty, object)),
            };
        }
        let missing = || self.wrong(place, ty, &format!("has no field `{name}`"));
        if object.hasattr("keys")? || numpy(self.py)?.view(object).is_some() {
            return object.get_item(name).map_err(|_| missing());
        }
        match object.getattr(name.as_str()) {
            Ok(value) => Ok(value),
            Err(_) => object.get_item(name).map_err(|_| missing()),
        }
    }
}

fn value(scalar: Scalar) -> Value {
    match scalar {
        Scalar::I8(x) => Value::scalar(x),
        Scalar::I16(x) => Value::scalar(x),
        Scalar::I32(x) => Value::scalar(x),
        Scalar::I64(x) => Value::scalar(x),
        Scalar::U8(x) => Value::scalar(x),
        Scalar::U16(x) => Value::scalar(x),
        Scalar::U32(x) => Value::scalar(x),
        Scalar::U64(x) => Value::scalar(x),
        Scalar::F16(x) => Value::scalar(x),
        Scalar::F32(x) => Value::scalar(x),
        Scalar::F64(x) => Value::scalar(x),
        Scalar::Bool(x) => Value::scalar(x),
    }
}
