//! The Python package `norn`: programs are loaded, and their entry points called, with NumPy's arrays and those of other libraries.
//!
//! - `program` and `entry` are what Python sees of a program; `array` is an array that stays where a program has it.
//! - `incoming` makes values of a program of Python's, `outgoing` Python's of a program's. Regular arrays of numbers are not copied on the
//!   way, also inside of records. `case` is a value of a sum or of a recursive type.
//! - `interrupt` ends calls when the user asks for it.
//! - `numpy` and `dlpack` are how memory is shared with others.
//! - `types` has the types of a program in words of Python.
//!
//! What can be written in Python is in the folder `norn` beside this crate: exceptions, decorators, adapters.

mod array;
mod case;
mod dlpack;
mod entry;
mod errors;
mod exchange;
mod incoming;
mod interrupt;
mod numpy;
mod outgoing;
mod program;
mod types;

use pyo3::prelude::*;

#[pymodule]
fn _norn(module: &Bound<PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<program::Context>()?;
    module.add_class::<program::Program>()?;
    module.add_class::<entry::Entry>()?;
    module.add_class::<array::Array>()?;
    module.add_class::<array::Donated>()?;
    module.add_class::<array::Memory>()?;
    module.add_class::<case::Case>()?;
    module.add_class::<case::Opaque>()?;
    Ok(())
}
