//! Arrays of numbers: those of NumPy, of libraries that speak DLPack, of programs, and lists.

use super::{Incoming, Object, Place};
use crate::array::{Array, fetched};
use crate::dlpack::{self, Import};
use crate::numpy::{as_plain, dtype_name, numpy};
use norn::engine::Held;
use norn_exec::{Array as ExecArray, Elements};
use norn_values::{Element, Prim};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::borrow::Cow;
use std::sync::Arc;

impl<'py> Incoming<'_, 'py> {
    /// A regular array, where it is.
    pub(super) fn array(
        &self,
        object: &Object<'py>,
        prim: Prim,
        rank: usize,
        place: &Place,
    ) -> PyResult<Held> {
        let name = || format!("{}{}", "[]".repeat(rank), prim.name());
        let held = match self.shared_array(object, &name, place)? {
            Some(held) => held,
            None => self.lent(&as_plain(object, prim)?, &name, place)?,
        };
        self.checked(held, prim, rank, place)
    }

    /// The array, if it is of this type and has so many dimensions.
    pub(super) fn checked(&self, held: Held, prim: Prim, rank: usize, place: &Place) -> PyResult<Held> {
        let name = || format!("{}{}", "[]".repeat(rank), prim.name());
        if held.prim() != prim {
            let (expected, found) = (dtype_name(prim), dtype_name(held.prim()));
            let why = format!("its dtype is {found} instead of {expected}");
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
        if let Some(held) = self.shared_array(object, &|| "an array".to_string(), place)? {
            return Ok(held);
        }
        let array = self.py.import("numpy")?.getattr("ascontiguousarray")?.call1((object,))?;
        self.lent(&array, &|| "an array".to_string(), place)
    }

    /// An array that can be used as it is: one of ours, of NumPy, or of a library that speaks DLPack.
    fn shared_array(
        &self,
        object: &Object<'py>,
        ty: &dyn Fn() -> String,
        place: &Place,
    ) -> PyResult<Option<Held>> {
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
        match dlpack::import(object, self.engine().exec(), &mut self.streams.borrow_mut())? {
            None => Ok(None),
            Some(Import::Here(held)) => Ok(Some(held)),
            Some(Import::Refused(why)) => Err(self.wrong(place, &ty(), &why)),
        }
    }

    /// An array of NumPy, where it is.
    fn lent(&self, array: &Object<'py>, ty: &dyn Fn() -> String, place: &Place) -> PyResult<Held> {
        let view = numpy(self.py)?.view(array);
        let Some(view) = view else { return Err(self.wrong_kind(place, &ty(), array)) };
        let Some(prim) = view.prim else {
            return Err(self.wrong(place, &ty(), &format!("its dtype is {}", array.getattr("dtype")?)));
        };
        if !view.is_plain {
            let found = array.getattr("dtype")?;
            return Err(self.wrong(place, &ty(), &format!("its dtype is {found}, or it is not contiguous")));
        }
        let owner = Arc::new(array.clone().unbind());
        // SAFETY: the array is contiguous and aligned, and stays as it is as long as its object is there; that nobody writes to it during a call is
        // what all functions expect that release the lock of the interpreter.
        Ok(unsafe { Held::lend(prim, view.dims, view.address, view.bytes(), owner) })
    }

    /// An array whose rows differ in length.
    pub(super) fn irregular(
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
        let name = || ty.to_string();
        let values = self.lent(&values, &name, place)?;
        if values.prim() != prim {
            let (expected, found) = (dtype_name(prim), dtype_name(values.prim()));
            return Err(self.wrong(
                place,
                ty,
                &format!("the dtype of its values is {found} instead of {expected}"),
            ));
        }
        let mut offsets = Vec::with_capacity(levels.len());
        for level in &levels {
            let level = i64::from_data(fetched(self.py, &self.lent(level, &name, place)?)?);
            let level = level.ok_or_else(|| self.wrong(place, ty, "its offsets are no int64"))?;
            offsets.push(Cow::Owned(level));
        }
        let elements = Elements::Prim(Cow::Owned(fetched(self.py, &values)?));
        ExecArray::new(dims, offsets, elements)
            .ok_or_else(|| self.wrong(place, ty, "its offsets do not fit its values"))
    }
}
