//! Tensors by way of C functions: libraries with DLPack 1.3, as PyTorch, have a table of them in the class of their arrays.
//!
//! With `__dlpack__`, a library makes our stream follow its own, in Python: objects for the stream and for an event, which took longer than all the rest of a short
//! call. Here it only names the stream on which it works, and the device follows that itself.

use crate::dlpack::{Given, Tensor};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CStr, c_int, c_void};
use std::ptr::null_mut;

const TABLE: &CStr = c"dlpack_exchange_api";
/// Of the protocol: tables of other versions have another form.
const MAJOR: u32 = 1;

/// A tensor with the version of its form, which is what the functions give.
#[repr(C)]
pub struct Versioned {
    version: [u32; 2],
    context: *mut c_void,
    pub deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    pub tensor: Tensor,
}

/// Any of the functions may be missing.
#[repr(C)]
struct Table {
    version: [u32; 2],
    older: *const Table,
    _allocate: *const c_void,
    give: Option<unsafe extern "C" fn(*mut ffi::PyObject, *mut *mut Versioned) -> c_int>,
    _take: *const c_void,
    _look: *const c_void,
    stream: Option<unsafe extern "C" fn(c_int, i32, *mut *mut c_void) -> c_int>,
}

/// The functions that the class of an object offers.
pub struct Offered<'a, 'py> {
    object: &'a Bound<'py, PyAny>,
    give: unsafe extern "C" fn(*mut ffi::PyObject, *mut *mut Versioned) -> c_int,
    stream: unsafe extern "C" fn(c_int, i32, *mut *mut c_void) -> c_int,
}

/// What the class of an object offers, if it is what is needed. Not for a tensor of PyTorch whose derivatives would be lost: `__dlpack__` explains that.
pub fn offered<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Option<Offered<'a, 'py>> {
    let py = object.py();
    let capsule = object.get_type().getattr_opt(intern!(py, "__dlpack_c_exchange_api__")).ok()??;
    let derived = object.getattr_opt(intern!(py, "requires_grad")).ok()?;
    if derived.is_some_and(|derived| derived.is_truthy().unwrap_or(true)) {
        return None;
    }
    let capsule = capsule.cast::<PyCapsule>().ok()?;
    let mut table: *const Table = capsule.pointer_checked(Some(TABLE)).ok()?.as_ptr().cast();
    // SAFETY: tables of all versions begin with the version and an older one, and are there as long as the class.
    unsafe {
        while !table.is_null() && (*table).version[0] > MAJOR {
            table = (*table).older;
        }
        let table = table.as_ref().filter(|table| table.version[0] == MAJOR)?;
        Some(Offered { object, give: table.give?, stream: table.stream? })
    }
}

impl Offered<'_, '_> {
    /// The array, ours until it is given back.
    pub fn give(&self) -> PyResult<Given> {
        let mut tensor = null_mut();
        // SAFETY: the object is of the class that has the function, and this thread has the lock of the interpreter.
        let code = unsafe { (self.give)(self.object.as_ptr(), &raw mut tensor) };
        self.check(code == 0 && !tensor.is_null())?;
        Ok(Given::Versioned(tensor))
    }

    /// The stream on which the library works on a device.
    pub fn stream(&self, device: i32, number: i32) -> PyResult<u64> {
        let mut stream = null_mut();
        // SAFETY: as above.
        let code = unsafe { (self.stream)(device, number, &raw mut stream) };
        self.check(code == 0)?;
        Ok(stream as u64)
    }

    fn check(&self, is_done: bool) -> PyResult<()> {
        let failed = || PyBufferError::new_err("its library does not share it");
        if is_done { Ok(()) } else { Err(PyErr::take(self.object.py()).unwrap_or_else(failed)) }
    }
}
