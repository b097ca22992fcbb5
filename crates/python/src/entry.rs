//! An entry point as Python sees it: a function.

use crate::incoming::{Incoming, Passed};
use crate::interrupt::interruptible;
use crate::outgoing::Outgoing;
use crate::program::Shared;
use crate::{errors, types};
use norn::{Argument, CallOptions};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;
use std::time::Duration;

// No documentation comment: `__doc__` is that of the entry point.
#[pyclass(frozen, module = "norn")]
pub struct Entry {
    shared: Arc<Shared>,
    entry: norn::Entry,
    /// Among the entry points of its program.
    number: usize,
    options: CallOptions,
    arrays: Arrays,
}

/// What arrays of numbers in results become.
#[derive(Clone)]
pub enum Arrays {
    /// Those of NumPy, or `norn.Array` on a GPU.
    Usual,
    /// `norn.Array`, wherever they are.
    Kept,
    /// Those of this class of another library.
    Of(Arc<Py<PyAny>>),
}

impl Entry {
    /// The same entry point, with other arrays.
    fn again(&self, arrays: Arrays) -> Entry {
        let (shared, entry, options) = (self.shared.clone(), self.entry.clone(), self.options.clone());
        Entry { shared, entry, number: self.number, options, arrays }
    }

    pub fn new(shared: Arc<Shared>, number: usize, entry: norn::Entry) -> Entry {
        Entry { shared, entry, number, options: CallOptions::default(), arrays: Arrays::Usual }
    }

    /// The arguments in the order of the parameters.
    fn bind<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let name = self.entry.name();
        let params = &self.entry.head().params;
        if args.len() > params.len() {
            let (most, given) = (params.len(), args.len());
            let noun = if most == 1 { "argument" } else { "arguments" };
            return Err(PyTypeError::new_err(format!("{name}() takes {most} {noun}, but got {given}")));
        }
        let mut all: Vec<Bound<'py, PyAny>> = args.iter().collect();
        let mut used = 0;
        for param in &params[args.len()..] {
            let Some(arg) = named.map(|named| named.get_item(&param.name)).transpose()?.flatten() else {
                return Err(PyTypeError::new_err(format!("{name}() needs the argument `{}`", param.name)));
            };
            used += 1;
            all.push(arg);
        }
        if let Some(named) = named.filter(|named| named.len() > used) {
            let is_left = |key: &String| !params[args.len()..].iter().any(|param| param.name == *key);
            let names = named.keys().extract::<Vec<String>>()?;
            let extra = names.into_iter().find(is_left).unwrap_or_default();
            return Err(PyTypeError::new_err(format!(
                "{name}() has no parameter `{extra}` that is not given"
            )));
        }
        Ok(all)
    }
}

#[pymethods]
impl Entry {
    #[pyo3(signature = (*args, **named))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let args = self.bind(args, named)?;
        let head = self.entry.head();
        let incoming = Incoming::new(py, &self.shared);
        let mut passed = Vec::with_capacity(args.len());
        for (arg, param) in args.iter().zip(&head.params) {
            passed.push(incoming.argument(head, param, arg)?);
        }
        incoming.follow();
        let called = interruptible(py, self.shared.length(self.number), &self.options, |options| {
            let args: Vec<Argument> = passed.iter().map(Passed::argument).collect();
            self.entry.call_with(&args, options)
        })?;
        match called {
            Ok(called) => Outgoing::new(py, &self.shared, &self.arrays).value(head.result, called.value),
            Err(error) => Err(errors::call(py, self.shared.program.engine(), error)),
        }
    }

    /// The same entry point, whose calls may take so many seconds.
    fn within(&self, seconds: f64) -> PyResult<Entry> {
        let limit = Duration::try_from_secs_f64(seconds).map_err(|e| PyValueError::new_err(e.to_string()))?;
        let options = CallOptions { time_limit: Some(limit), ..self.options.clone() };
        Ok(Entry { options, ..self.again(self.arrays.clone()) })
    }

    /// The same entry point, of whose results all arrays are `norn.Array`, on every device.
    #[getter]
    fn kept(&self) -> Entry {
        self.again(Arrays::Kept)
    }

    /// The same entry point, of whose results all arrays are those of another library, such as `torch.Tensor`, over the same memory.
    fn into(&self, kind: Py<PyAny>) -> Entry {
        self.again(Arrays::Of(Arc::new(kind)))
    }

    /// So that `help` takes it for the function that it is.
    fn __get__<'py>(
        slf: Bound<'py, Self>,
        _object: &Bound<'py, PyAny>,
        _class: &Bound<'py, PyAny>,
    ) -> Bound<'py, Self> {
        slf
    }

    #[getter]
    fn __name__(&self) -> &str {
        self.entry.name()
    }

    #[getter]
    fn __qualname__(&self) -> &str {
        self.entry.name()
    }

    #[getter]
    fn __doc__(&self) -> String {
        types::doc(&self.entry)
    }

    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let head = self.entry.head();
        let engine = self.shared.program.engine();
        let name = |id, unique: bool| format!("{}{}", if unique { "*" } else { "" }, engine.iface(id).name);
        let params: Vec<(&str, String)> =
            head.params.iter().map(|param| (param.name.as_str(), name(param.ty, param.unique))).collect();
        let result = name(head.result, head.result_unique);
        py.import("norn._values")?.getattr("signature")?.call1((params, result))
    }

    fn __repr__(&self) -> String {
        format!("<norn entry point {}>", types::signature(&self.entry))
    }
}
