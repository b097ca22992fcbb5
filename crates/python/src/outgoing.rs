//! Values of a program as values of Python.
//!
//! | type | value |
//! |---|---|
//! | scalars | `int`, `float`, `bool` |
//! | arrays of numbers | `numpy.ndarray` over the memory of the result, or `norn.Array` if that is on a GPU |
//! | tuples | `tuple` |
//! | records | `dict`, or the class that was given for the type |
//! | arrays of records | a record of arrays |
//! | irregular arrays | `norn.Irregular`: offsets and values |
//! | sums, recursive types | `norn.Case`, and lists of it |
//! | functions | `norn.Opaque` |

use crate::array::{self, Array};
use crate::case::{Case, Made, Opaque};
use crate::entry::Arrays;
use crate::program::Shared;
use crate::types::is_tuple;
use norn::Handle;
use norn::engine::{Engine, Held, Item};
use norn_exec::{Array as ExecArray, Column, Elements};
use norn_ir::nest::{IfaceId, IfaceShape, Scalar};
use norn_values::Data;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::Arc;

pub struct Outgoing<'a, 'py> {
    py: Python<'py>,
    shared: &'a Arc<Shared>,
    arrays: &'a Arrays,
}

impl<'a, 'py> Outgoing<'a, 'py> {
    pub fn new(py: Python<'py>, shared: &'a Arc<Shared>, arrays: &'a Arrays) -> Outgoing<'a, 'py> {
        Outgoing { py, shared, arrays }
    }

    fn engine(&self) -> &'a Engine {
        self.shared.program.engine()
    }

    /// A result of this type.
    pub fn value(&self, ty: IfaceId, handle: Handle) -> PyResult<Bound<'py, PyAny>> {
        match handle {
            Handle::Item(Item::Value(value)) if !value.is_scalar() => {
                let (shape, data) = value.into_parts();
                self.held(array::of_data(&shape, data)?)
            }
            handle if self.shared.has_cases(ty) => {
                if self.engine().iface(ty).shape == IfaceShape::Opaque {
                    return self.opaque(ty, handle);
                }
                let program = &self.shared.program;
                let item = self.py.detach(|| program.to_item(handle)).map_err(PyRuntimeError::new_err)?;
                self.item(ty, item)
            }
            handle => {
                let columns =
                    self.engine().to_columns(ty, handle).ok_or_else(|| broken(self.engine(), ty))?;
                self.columns(ty, 0, &mut columns.into_iter())
            }
        }
    }

    /// A value that is here.
    pub fn item(&self, ty: IfaceId, item: Item) -> PyResult<Bound<'py, PyAny>> {
        let engine = self.engine();
        if !self.shared.has_cases(ty) {
            return self.value(ty, Handle::Item(item));
        }
        match &engine.iface(ty).shape {
            IfaceShape::Record(fields) => {
                let mut values = Vec::with_capacity(fields.len());
                for (name, id) in fields {
                    values
                        .push(self.item(*id, engine.project(&item, name).map_err(PyRuntimeError::new_err)?)?);
                }
                self.record(ty, fields, 0, values)
            }
            IfaceShape::OpaqueArray(elem, rank) => self.list(*elem, *rank, &item, &mut Vec::new()),
            IfaceShape::Sum(_) | IfaceShape::Recursive(_) => {
                Case::of(Made { shared: self.shared.clone(), ty, item })?.into_bound_py_any(self.py)
            }
            IfaceShape::Opaque => self.opaque(ty, Handle::Item(item)),
            IfaceShape::Scalar(_) | IfaceShape::Array(..) => Err(broken(engine, ty)),
        }
    }

    /// The part of an array at these indices, as lists of lists of its elements.
    fn list(
        &self,
        elem: IfaceId,
        rank: usize,
        array: &Item,
        at: &mut Vec<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let engine = self.engine();
        if at.len() == rank {
            let indices: Vec<i64> = at.iter().map(|i| *i as i64).collect();
            return self.item(elem, engine.index(array, &indices).map_err(PyRuntimeError::new_err)?);
        }
        let count = engine.row_count(array, at).map_err(PyRuntimeError::new_err)?;
        let list = PyList::empty(self.py);
        for i in 0..count {
            at.push(i);
            let row = self.list(elem, rank, array, at);
            at.pop();
            list.append(row?)?;
        }
        Ok(list.into_any())
    }

    fn opaque(&self, ty: IfaceId, handle: Handle) -> PyResult<Bound<'py, PyAny>> {
        Opaque { shared: self.shared.clone(), ty, handle }.into_bound_py_any(self.py)
    }

    /// A value with `rank` dimensions around a type, out of its columns.
    fn columns(
        &self,
        ty: IfaceId,
        rank: usize,
        columns: &mut dyn Iterator<Item = Column<'static>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let engine = self.engine();
        let mut next = || columns.next().ok_or_else(|| broken(engine, ty));
        match &engine.iface(ty).shape {
            IfaceShape::Scalar(_) | IfaceShape::Array(..) => match next()? {
                Column::Scalar(scalar) => self.scalar(scalar),
                Column::Held(held) => self.held(held),
                Column::Array(array) => self.array(array),
                Column::Ref(_) => Err(broken(engine, ty)),
            },
            IfaceShape::OpaqueArray(elem, more) => self.columns(*elem, rank + more, columns),
            IfaceShape::Record(fields) => {
                if fields.is_empty() {
                    // The column of `()` has nothing to say.
                    next()?;
                }
                let mut values = Vec::with_capacity(fields.len());
                for (_, id) in fields {
                    values.push(self.columns(*id, rank, columns)?);
                }
                self.record(ty, fields, rank, values)
            }
            IfaceShape::Sum(_) | IfaceShape::Recursive(_) | IfaceShape::Opaque => Err(broken(engine, ty)),
        }
    }

    fn record(
        &self,
        ty: IfaceId,
        fields: &[(String, IfaceId)],
        rank: usize,
        values: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if is_tuple(fields) {
            return Ok(PyTuple::new(self.py, values)?.into_any());
        }
        let dict = PyDict::new(self.py);
        for ((name, _), value) in fields.iter().zip(values) {
            dict.set_item(name, value)?;
        }
        match self.shared.class(self.py, &self.engine().iface(ty).name).filter(|_| rank == 0) {
            Some(class) => class.bind(self.py).call((), Some(&dict)),
            None => Ok(dict.into_any()),
        }
    }

    fn scalar(&self, scalar: Scalar) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        match scalar {
            Scalar::I8(x) => x.into_bound_py_any(py),
            Scalar::I16(x) => x.into_bound_py_any(py),
            Scalar::I32(x) => x.into_bound_py_any(py),
            Scalar::I64(x) => x.into_bound_py_any(py),
            Scalar::U8(x) => x.into_bound_py_any(py),
            Scalar::U16(x) => x.into_bound_py_any(py),
            Scalar::U32(x) => x.into_bound_py_any(py),
            Scalar::U64(x) => x.into_bound_py_any(py),
            Scalar::F16(x) => x.to_f64().into_bound_py_any(py),
            Scalar::F32(x) => x.into_bound_py_any(py),
            Scalar::F64(x) => x.into_bound_py_any(py),
            Scalar::Bool(x) => x.into_bound_py_any(py),
        }
    }

    fn held(&self, held: Held) -> PyResult<Bound<'py, PyAny>> {
        match self.arrays {
            Arrays::Usual => array::out(self.py, held),
            Arrays::Kept => Array::new(held).into_bound_py_any(self.py),
            Arrays::Of(class) => array::into(class.bind(self.py), held),
        }
    }

    /// An array of numbers, with offsets where rows differ in length.
    fn array(&self, array: ExecArray<'static>) -> PyResult<Bound<'py, PyAny>> {
        let (dims, offsets, elements) = array.into_parts();
        let Elements::Prim(data) = elements else { return Err(PyRuntimeError::new_err("an array of cells")) };
        let segments: Vec<Vec<usize>> =
            dims.split(Option::is_none).map(|sizes| sizes.iter().flatten().copied().collect()).collect();
        let rows = |level: usize| -> Vec<usize> {
            let total = level.checked_sub(1).and_then(|before| offsets[before].last());
            total.map(|total| *total as usize).into_iter().chain(segments[level].iter().copied()).collect()
        };
        let mut value = array::from_data(self.py, &rows(segments.len() - 1), data.into_owned())?;
        if offsets.is_empty() {
            return Ok(value);
        }
        let class = self.py.import("norn._values")?.getattr("Irregular")?;
        for (level, ends) in offsets.iter().enumerate().rev() {
            let ends = array::from_data(self.py, &[ends.len()], Data::I64(ends.to_vec()))?;
            value = class.call1((PyTuple::new(self.py, rows(level))?, ends, value))?;
        }
        Ok(value)
    }
}

fn broken(engine: &Engine, ty: IfaceId) -> PyErr {
    PyRuntimeError::new_err(format!("a value of {} has not the columns of its type", engine.iface(ty).name))
}
