//! Errors as exceptions. The classes are in norn/_errors.py.

use norn::engine::Engine;
use norn::{CallError, CompileError, Paint};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

fn raise(py: Python<'_>, class: &str, args: impl for<'p> pyo3::call::PyCallArgs<'p>) -> PyErr {
    let made = py
        .import("norn._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1(args));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Arguments that do not fit. The message is a sentence.
pub fn arguments(py: Python<'_>, message: String) -> PyErr {
    raise(py, "ArgumentError", (message,))
}

pub fn compile(py: Python<'_>, error: CompileError) -> PyErr {
    let plain = error.render(Paint::Plain);
    let painted = error.render(Paint::Ansi);
    match error {
        CompileError::Io(_) => raise(py, "FileError", (plain.trim_end(),)),
        CompileError::Rejected(_) | CompileError::Tune(_) => raise(py, "CompileError", (plain, painted)),
        CompileError::Device(_) => raise(py, "DeviceError", (plain.trim_end(),)),
        CompileError::Bug(message) => PyRuntimeError::new_err(message),
    }
}

pub fn call(py: Python<'_>, engine: &Engine, error: CallError) -> PyErr {
    match error {
        CallError::Arguments(message) => arguments(py, message),
        CallError::Bug(message) => PyRuntimeError::new_err(message),
        CallError::Failed(_) => {
            let shown = engine.run_error(error);
            raise(py, "Failure", (shown.message, shown.rendered))
        }
        CallError::Cancelled => raise(py, "Cancelled", (error.to_string(),)),
        CallError::TimedOut(_) => raise(py, "TimedOut", (error.to_string(),)),
    }
}
