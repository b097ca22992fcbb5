//! Values of Python as values of a program.
//!
//! A parameter takes what a result of its type would be (see `outgoing`), and whatever else says the same: lists for arrays, dataclasses and objects with
//! attributes for records, lists of records for arrays of them, rows or a pair of offsets and values for irregular arrays. An array is used where it is if its elements are of the type
//! of the parameter and side by side; it is never converted to another type, since that would hide a copy, or change numbers. Numbers in lists are, if they
//! stay the same.

use crate::array::{Array, Donated};
use crate::case::{Case, Opaque};
use crate::dlpack::{self, Import};
use crate::errors;
use crate::numpy::{as_plain, dtype_name, numpy};
use crate::program::Shared;
use crate::types::is_tuple;
use norn::engine::{Engine, Given, Held, Item, Kept};
use norn::{Argument, Handle};
use norn_exec::{Array as ExecArray, Column, Elements};
use norn_ir::nest::iface::Column as ColumnType;
use norn_ir::nest::{Elem, Entry, EntryParam, IfaceId, IfaceShape, Scalar};
use norn_values::{Data, Prim, Value};
use pyo3::exceptions::{PyOverflowError, PyRecursionError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::borrow::Cow;
use std::sync::Arc;

/// How deep records, lists and cases may be inside each other, but for cases in cases, which may be as deep as they like.
const DEEPEST: usize = 200;

/// Makes values for a program.
pub struct Incoming<'a, 'py> {
    py: Python<'py>,
    shared: &'a Arc<Shared>,
}

/// What is being made, for messages.
pub enum Place<'a> {
    /// An array on its own.
    Array,
    Argument {
        entry: &'a str,
        name: &'a str,
    },
    Field {
        of: &'a Place<'a>,
        name: &'a str,
    },
    Element {
        of: &'a Place<'a>,
        number: usize,
    },
    /// A value that a constructor holds.
    Payload {
        of: &'a Place<'a>,
        constructor: &'a str,
        number: usize,
    },
}

impl Place<'_> {
    fn words(&self) -> String {
        match self {
            Place::Array => "the array".to_string(),
            Place::Argument { entry, name } => format!("the argument `{name}` of `{entry}`"),
            Place::Field { of, name } => format!("the field `{name}` of {}", of.words()),
            Place::Element { of, number } => format!("the element {number} of {}", of.words()),
            Place::Payload { of, constructor, number } => {
                format!("the value {number} of `{constructor}` in {}", of.words())
            }
        }
    }

    fn depth(&self) -> usize {
        match self {
            Place::Array | Place::Argument { .. } => 0,
            Place::Field { of, .. } | Place::Element { of, .. } | Place::Payload { of, .. } => 1 + of.depth(),
        }
    }
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

/// A case whose values are being made.
struct Open<'py> {
    ty: IfaceId,
    name: String,
    parts: Vec<(Object<'py>, IfaceId)>,
    done: Vec<Item>,
}

impl<'a, 'py> Incoming<'a, 'py> {
    pub fn new(py: Python<'py>, shared: &'a Arc<Shared>) -> Incoming<'a, 'py> {
        Incoming { py, shared }
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

    fn wrong(&self, place: &Place, ty: &str, why: &str) -> PyErr {
        let mut words = place.words();
        words.replace_range(..1, "T");
        errors::arguments(self.py, format!("{words} must be of type {ty}, but {why}."))
    }

    fn wrong_kind(&self, place: &Place, ty: &str, object: &Object<'py>) -> PyErr {
        let class = object.get_type().name().map_or_else(|_| "?".to_string(), |name| name.to_string());
        self.wrong(place, ty, &format!("is of the class `{class}`"))
    }

    fn scalar(&self, object: &Object<'py>, prim: Prim, place: &Place) -> PyResult<Scalar> {
        let complain = |error: PyErr| {
            if error.is_instance_of::<PyOverflowError>(self.py) {
                let (least, most) = prim.extremes();
                let why = format!("{object} is not between {least} and {most}");
                return self.wrong(place, prim.name(), &why);
            }
            self.wrong_kind(place, prim.name(), object)
        };
        let outside = || {
            let (least, most) = prim.extremes();
            self.wrong(place, prim.name(), &format!("{object} is not between {least} and {most}"))
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

    /// A regular array, where it is.
    fn array(&self, object: &Object<'py>, prim: Prim, rank: usize, place: &Place) -> PyResult<Held> {
        let name = || format!("{}{}", "[]".repeat(rank), prim.name());
        let held = match self.shared_array(object, &name(), place)? {
            Some(held) => held,
            None => self.lent(&as_plain(object, prim)?, &name(), place)?,
        };
        self.checked(held, prim, rank, place)
    }

    /// The array, if it is of this type and has so many dimensions.
    fn checked(&self, held: Held, prim: Prim, rank: usize, place: &Place) -> PyResult<Held> {
        let name = || format!("{}{}", "[]".repeat(rank), prim.name());
        if held.prim() != prim {
            let (wanted, found) = (dtype_name(prim), dtype_name(held.prim()));
            let why = format!("its dtype is {found} instead of {wanted}");
            return Err(self.wrong(place, &name(), &why));
        }
        if held.dims().len() != rank {
            let shape: Vec<usize> = held.dims().iter().flatten().copied().collect();
            return Err(self.wrong(place, &name(), &format!("its shape is {shape:?}")));
        }
        Ok(held)
    }

    /// An array of any type and shape.
    pub fn any_array(&self, object: &Object<'py>, place: &Place) -> PyResult<Held> {
        if let Some(held) = self.shared_array(object, "an array", place)? {
            return Ok(held);
        }
        let array = self.py.import("numpy")?.getattr("ascontiguousarray")?.call1((object,))?;
        self.lent(&array, "an array", place)
    }

    /// An array that can be used as it is: one of ours, of NumPy, or of a library that speaks DLPack.
    fn shared_array(&self, object: &Object<'py>, ty: &str, place: &Place) -> PyResult<Option<Held>> {
        if let Some(view) = numpy(self.py)?.view(object) {
            let is_plain = view.is_plain && view.prim.is_some();
            return if is_plain { self.lent(object, ty, place).map(Some) } else { Ok(None) };
        }
        if let Ok(array) = object.cast::<Array>() {
            return array.get().held().map(Some);
        }
        if object.is_instance_of::<PyList>() {
            return Ok(None);
        }
        match dlpack::import(object, self.engine().exec())? {
            None => Ok(None),
            Some(Import::Here(held)) => Ok(Some(held)),
            Some(Import::Refused(why)) => Err(self.wrong(place, ty, &why)),
        }
    }

    /// An array of NumPy, where it is.
    fn lent(&self, array: &Object<'py>, ty: &str, place: &Place) -> PyResult<Held> {
        let view = numpy(self.py)?.view(array);
        let Some(view) = view else { return Err(self.wrong_kind(place, ty, array)) };
        let Some(prim) = view.prim else {
            return Err(self.wrong(place, ty, &format!("its dtype is {}", array.getattr("dtype")?)));
        };
        if !view.is_plain {
            let found = array.getattr("dtype")?;
            return Err(self.wrong(place, ty, &format!("its dtype is {found}, or it is not contiguous")));
        }
        let owner = Arc::new(array.clone().unbind());
        // SAFETY: the array is contiguous and aligned, and stays as it is as long as its object is there; that nobody writes to it during a call is
        // what all functions expect that release the lock of the interpreter.
        Ok(unsafe { Held::lend(prim, view.dims, view.address, view.bytes(), owner) })
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

    fn check_depth(&self, place: &Place) -> PyResult<()> {
        if place.depth() > DEEPEST {
            return Err(PyRecursionError::new_err("values inside of values are too deep"));
        }
        Ok(())
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

    /// An array whose rows differ in length.
    fn irregular(
        &self,
        object: &Object<'py>,
        prim: Prim,
        dims: &[bool],
        ty: &str,
        place: &Place,
    ) -> PyResult<ExecArray<'static>> {
        let flatten = self.py.import("norn._values")?.getattr("flatten")?;
        let dtype = numpy(self.py)?.dtype(self.py, prim)?;
        let flat = flatten.call1((object, PyList::new(self.py, dims)?, dtype));
        let flat = flat.map_err(|error| self.wrong(place, ty, &error.value(self.py).to_string()))?;
        let (dims, levels, values): (Vec<Option<usize>>, Vec<Object>, Object) = flat.extract()?;
        let values = self.lent(&values, ty, place)?;
        if values.prim() != prim {
            let (wanted, found) = (dtype_name(prim), dtype_name(values.prim()));
            return Err(self.wrong(
                place,
                ty,
                &format!("the dtype of its values is {found} instead of {wanted}"),
            ));
        }
        let fetched = |held: &Held| held.fetch().map_err(|message| errors::arguments(self.py, message));
        let mut offsets = Vec::with_capacity(levels.len());
        for level in &levels {
            let level = fetched(&self.lent(level, ty, place)?)?.into_parts().2;
            match level {
                Elements::Prim(data) => match data.into_owned() {
                    Data::I64(level) => offsets.push(Cow::Owned(level)),
                    _ => return Err(self.wrong(place, ty, "its offsets are no int64")),
                },
                Elements::Ref(_) => return Err(self.wrong_kind(place, ty, object)),
            }
        }
        let elements = fetched(&values)?.into_parts().2;
        ExecArray::new(dims, offsets, elements)
            .ok_or_else(|| self.wrong(place, ty, "its offsets do not fit its values"))
    }

    /// A value that has sums or cells in it.
    fn item(&self, object: &Object<'py>, ty: IfaceId, place: &Place) -> PyResult<Item> {
        self.check_depth(place)?;
        let engine = self.engine();
        let name = &engine.iface(ty).name;
        let invalid = |message: String| errors::arguments(self.py, message);
        match &engine.iface(ty).shape {
            IfaceShape::Scalar(prim) => Ok(Item::Value(value(self.scalar(object, *prim, place)?))),
            IfaceShape::Array(prim, rank) => {
                let held = self.array(object, *prim, *rank, place)?;
                let shape = held.dims().iter().flatten().copied().collect();
                let array = held.fetch().map_err(invalid)?;
                match array.into_parts().2 {
                    Elements::Prim(data) => Value::new(shape, data.into_owned())
                        .map(Item::Value)
                        .map_err(|_| self.wrong(place, name, "is too large")),
                    Elements::Ref(_) => Err(self.wrong_kind(place, name, object)),
                }
            }
            IfaceShape::Record(fields) => {
                let mut items = Vec::with_capacity(fields.len());
                for (number, (field, id)) in fields.iter().enumerate() {
                    let part = self.field(object, fields, number, 0, name, place)?;
                    items.push(self.item(&part, *id, &Place::Field { of: place, name: field })?);
                }
                engine.new_record(engine.item_type(ty), &items).map_err(invalid)
            }
            IfaceShape::OpaqueArray(elem, rank) => {
                let (mut dims, mut elements) = (Vec::new(), vec![object.clone()]);
                for _ in 0..*rank {
                    let count = elements.first().map_or(Ok(0), |row| row.len());
                    dims.push(count.map_err(|_| self.wrong_kind(place, name, object))?);
                    let mut next = Vec::new();
                    for row in &elements {
                        for element in row.try_iter()? {
                            next.push(element?);
                        }
                    }
                    elements = next;
                }
                let mut items = Vec::with_capacity(elements.len());
                for (number, element) in elements.iter().enumerate() {
                    items.push(self.item(element, *elem, &Place::Element { of: place, number })?);
                }
                engine.new_array(engine.item_type(ty), &dims, &items).map_err(invalid)
            }
            IfaceShape::Sum(_) | IfaceShape::Recursive(_) => self.case(object, ty, place),
            IfaceShape::Opaque => match object.cast::<Opaque>() {
                Ok(known) if Arc::ptr_eq(&known.get().shared, self.shared) && known.get().ty == ty => {
                    self.shared.program.to_item(known.get().handle.clone()).map_err(invalid)
                }
                Ok(_) | Err(_) => Err(self.wrong(place, name, "is none that this program has made")),
            },
        }
    }

    /// A value of a sum or of a recursive type. Cases in cases are opened one by one, so that they may be as deep as they like.
    fn case(&self, object: &Object<'py>, ty: IfaceId, place: &Place) -> PyResult<Item> {
        let mut open: Vec<Open<'py>> = Vec::new();
        let mut next = Some((object.clone(), ty));
        loop {
            let done = match next.take() {
                Some((object, ty)) => match self.opened(&object, ty, place)? {
                    Ok(item) => Some(item),
                    Err(case) => {
                        open.push(case);
                        None
                    }
                },
                None => None,
            };
            if let Some(item) = done {
                match open.last_mut() {
                    Some(case) => case.done.push(item),
                    None => return Ok(item),
                }
            }
            // What is open and complete becomes a value of the one around it.
            while let Some(case) = open.pop_if(|case| case.done.len() == case.parts.len()) {
                let engine = self.engine();
                let made = engine.construct(engine.item_type(case.ty), &case.name, &case.done);
                let item = made.map_err(|message| errors::arguments(self.py, message))?;
                match open.last_mut() {
                    Some(around) => around.done.push(item),
                    None => return Ok(item),
                }
            }
            let Some(case) = open.last_mut() else { continue };
            let number = case.done.len();
            let (object, ty) = case.parts[number].clone();
            let shape = &self.engine().iface(ty).shape;
            if matches!(shape, IfaceShape::Sum(_) | IfaceShape::Recursive(_)) {
                next = Some((object, ty));
            } else {
                let place = Place::Payload { of: place, constructor: &case.name, number };
                let item = self.item(&object, ty, &place)?;
                case.done.push(item);
                // It may be complete now.
                continue;
            }
        }
    }

    /// What a program has made, or else what has to be made first.
    fn opened(&self, object: &Object<'py>, ty: IfaceId, place: &Place) -> PyResult<Result<Item, Open<'py>>> {
        let engine = self.engine();
        let iface = engine.iface(ty);
        let (IfaceShape::Sum(constrs) | IfaceShape::Recursive(constrs)) = &iface.shape else {
            return Err(self.wrong_kind(place, &iface.name, object));
        };
        let Ok(case) = object.cast::<Case>() else { return Err(self.wrong_kind(place, &iface.name, object)) };
        let case = case.get();
        if let Some(made) = case.made().filter(|made| Arc::ptr_eq(&made.shared, self.shared) && made.ty == ty)
        {
            return Ok(Ok(made.item.clone()));
        }
        let values = case.tuple(self.py)?;
        let Some((name, types)) = constrs.iter().find(|(name, _)| name == case.name()) else {
            let names: Vec<&str> = constrs.iter().map(|(name, _)| name.as_str()).collect();
            let why = format!("`{}` is none of its constructors {}", case.name(), names.join(", "));
            return Err(self.wrong(place, &iface.name, &why));
        };
        if values.len() != types.len() {
            let why = format!("`{name}` holds {} values instead of {}", values.len(), types.len());
            return Err(self.wrong(place, &iface.name, &why));
        }
        let parts = values.iter().zip(types.iter().copied()).collect();
        Ok(Err(Open { ty, name: name.clone(), parts, done: Vec::new() }))
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
