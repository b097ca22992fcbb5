//! Values of sums and of recursive types: a constructor by its name, with what it holds.
//!
//! What a program has made is taken apart when somebody looks into it, level by level: a tree of a million nodes costs nothing to return and to
//! hand back, and can be as deep as it likes.

use crate::entry::Arrays;
use crate::outgoing::Outgoing;
use crate::program::Shared;
use norn::Handle;
use norn::engine::Item;
use norn_ir::nest::{IfaceId, IfaceShape};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A value of a sum or of a recursive type: `Case("circle", 2.0)` is `#circle 2.0`.
#[pyclass(frozen, module = "norn")]
pub struct Case {
    name: String,
    values: PyOnceLock<Py<PyTuple>>,
    made: Option<Made>,
}

/// What a program has made.
pub struct Made {
    pub shared: Arc<Shared>,
    pub ty: IfaceId,
    pub item: Item,
}

impl Case {
    pub fn of(made: Made) -> PyResult<Case> {
        let name =
            made.shared.program.engine().variant(&made.item).map_err(PyRuntimeError::new_err)?.to_string();
        Ok(Case { name, values: PyOnceLock::new(), made: Some(made) })
    }

    pub fn made(&self) -> Option<&Made> {
        self.made.as_ref()
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let values = self.values.get_or_try_init(py, || -> PyResult<Py<PyTuple>> {
            match &self.made {
                None => Ok(PyTuple::empty(py).unbind()),
                Some(Made { shared, ty, item }) => {
                    let engine = shared.program.engine();
                    let parts = engine.destruct(item).map_err(PyRuntimeError::new_err)?;
                    let (IfaceShape::Sum(constrs) | IfaceShape::Recursive(constrs)) =
                        &engine.iface(*ty).shape
                    else {
                        return Err(PyRuntimeError::new_err("a case of a type that is no sum"));
                    };
                    let types = constrs.iter().find(|(name, _)| *name == self.name).map(|(_, types)| types);
                    let out = Outgoing::new(py, shared, &Arrays::Usual);
                    let values = parts.into_iter().zip(types.into_iter().flatten());
                    let values: PyResult<Vec<Bound<PyAny>>> =
                        values.map(|(part, ty)| out.item(*ty, part)).collect();
                    Ok(PyTuple::new(py, values?)?.unbind())
                }
            }
        })?;
        Ok(values.bind(py).clone())
    }
}

#[pymethods]
impl Case {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("name", "values")
    }

    #[new]
    #[pyo3(signature = (name, *values))]
    fn new(name: String, values: Bound<'_, PyTuple>) -> Case {
        let py = values.py();
        let cell = PyOnceLock::new();
        let _ = cell.set(py, values.unbind());
        Case { name, values: cell, made: None }
    }

    #[getter(name)]
    fn name_(&self) -> &str {
        &self.name
    }

    /// What the constructor holds.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.tuple(py)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.tuple(py)?.len())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.tuple(py)?.as_any().get_item(index)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Case>() else { return Ok(false) };
        let other = other.get();
        Ok(self.name == other.name && self.tuple(py)?.eq(other.tuple(py)?)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        self.name.hash(&mut hasher);
        self.tuple(py)?.hash()?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        if let Some(Made { shared, item, .. }) = &self.made {
            return Ok(norn::engine::show(shared.program.engine(), item, norn::engine::SHOWN_ELEMENTS));
        }
        let mut text = format!("Case({:?}", self.name);
        for value in self.tuple(py)?.iter() {
            text += ", ";
            text += &value.repr()?.to_string();
        }
        Ok(text + ")")
    }
}

/// A value that only its program knows, such as a function. It can be handed back.
#[pyclass(frozen, module = "norn")]
pub struct Opaque {
    pub shared: Arc<Shared>,
    pub ty: IfaceId,
    pub handle: Handle,
}

#[pymethods]
impl Opaque {
    fn __repr__(&self) -> String {
        format!("<norn.Opaque {}>", self.shared.program.engine().iface(self.ty).name)
    }
}
