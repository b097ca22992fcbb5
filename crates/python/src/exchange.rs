//! Tensors by way of C functions: libraries with DLPack 1.3, as PyTorch, have a table of them in the class of their arrays.
//!
//! With `__dlpack__`, a library makes our stream follow its own, in Python: objects for the stream and for an event, which took longer than all the rest of a short
//! call. Here it only names the stream on which it works, and the device follows that itself. The other way round, it makes an array of its own over memory of ours.

use crate::dlpack::{self, Given, Tensor};
use norn::engine::Held;
use pyo3::exceptions::{PyBufferError, PyTypeError};
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
    pub version: [u32; 2],
    pub context: *mut c_void,
    pub deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    pub flags: u64,
    pub tensor: Tensor,
}

type Give = unsafe extern "C" fn(*mut ffi::PyObject, *mut *mut Versioned) -> c_int;
type Take = unsafe extern "C" fn(*mut Versioned, *mut *mut c_void) -> c_int;
type CurrentStream = unsafe extern "C" fn(c_int, i32, *mut *mut c_void) -> c_int;

/// Any of the functions may be missing.
#[repr(C)]
struct Table {
    version: [u32; 2],
    older: *const Table,
    _allocate: *const c_void,
    give: Option<Give>,
    take: Option<Take>,
    _look: *const c_void,
    stream: Option<CurrentStream>,
}

/// The functions that the class of an object offers.
pub struct Offered<'a, 'py> {
    object: &'a Bound<'py, PyAny>,
    give: Give,
    stream: CurrentStream,
}

/// What the class of an object offers, if it is what is needed. Not for a tensor of PyTorch whose derivatives would be lost: `__dlpack__` explains that.
pub fn offered<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Option<Offered<'a, 'py>> {
    let py = object.py();
    let table = table(object.get_type().as_any())?;
    let derived = object.getattr_opt(intern!(py, "requires_grad")).ok()?;
    if derived.is_some_and(|derived| derived.is_truthy().unwrap_or(true)) {
        return None;
    }
    Some(Offered { object, give: table.give?, stream: table.stream? })
}

/// The table of a class, if it has one of a version that is known here.
fn table<'py>(class: &Bound<'py, PyAny>) -> Option<&'py Table> {
    let capsule = class.getattr_opt(intern!(class.py(), "__dlpack_c_exchange_api__")).ok()??;
    let capsule = capsule.cast::<PyCapsule>().ok()?;
    let mut table: *const Table = capsule.pointer_checked(Some(TABLE)).ok()?.as_ptr().cast();
    // SAFETY: tables of all versions begin with the version and an older one, and are there as long as the process.
    unsafe {
        while !table.is_null() && (*table).version[0] > MAJOR {
            table = (*table).older;
        }
        table.as_ref().filter(|table| table.version[0] == MAJOR)
    }
}

/// An array of ours as one of a class of another library, over the same memory. A class without such functions has a function `from_dlpack` beside it.
pub fn made_of<'py>(class: &Bound<'py, PyAny>, held: &Held) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some((take, stream)) = table(class).and_then(|table| table.take.zip(table.stream)) else {
        return Ok(None);
    };
    let failed =
        || PyErr::take(class.py()).unwrap_or_else(|| PyBufferError::new_err("its library does not take it"));
    let (device, number) = dlpack::device(held)?;
    // Whoever has the array may still read it on that stream when it is given back.
    let mut queue = null_mut();
    // SAFETY: this thread has the lock of the interpreter.
    if dlpack::is_cuda(held) && unsafe { stream(device, number, &raw mut queue) } != 0 {
        return Err(failed());
    }
    let lent = dlpack::lend(held, dlpack::is_cuda(held).then_some(queue as u64))?;
    let mut object = null_mut();
    // SAFETY: as above. The tensor is that of the function, if it returns 0.
    let code = unsafe { take(lent, &raw mut object) };
    if code != 0 || object.is_null() {
        // SAFETY: then it is ours still.
        drop(Given::Versioned(lent));
        return Err(failed());
    }
    // SAFETY: the object is a new reference.
    Ok(Some(unsafe { Bound::from_owned_ptr(class.py(), object.cast()) }))
}

/// The same by way of `from_dlpack`, for a class without such functions: a function of its package, or of the module `dlpack` in it, as that of JAX.
pub fn converted<'py>(class: &Bound<'py, PyAny>, array: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    let module: String = class.getattr(intern!(py, "__module__")).and_then(|name| name.extract())?;
    let name = module.split('.').next().unwrap_or_default();
    let found = match py.import(name)?.getattr_opt(intern!(py, "from_dlpack"))? {
        Some(convert) => Some(convert),
        None => {
            py.import(format!("{name}.dlpack")).ok().and_then(|module| module.getattr("from_dlpack").ok())
        }
    };
    match found {
        Some(convert) => convert.call1((array,)),
        None => Err(PyTypeError::new_err(format!("no function makes {} of an array", class.repr()?))),
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
