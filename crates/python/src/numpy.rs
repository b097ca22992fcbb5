//! NumPy's arrays, by way of its C interface: what an array of theirs has, and arrays of theirs over memory of ours.
//!
//! NumPy gives a table of functions to whoever asks its module for it. The places in the table and the first fields of an array and
//! of a dtype are what every compiled extension relies on, and have not changed from NumPy 1 to 2.

use norn_values::Prim;
use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCapsule, PyType};
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::slice::from_raw_parts;

/// An array as NumPy has it, after the header that all objects have.
#[repr(C)]
struct Fields {
    header: ffi::PyObject,
    data: *mut u8,
    rank: c_int,
    dims: *const isize,
    strides: *const isize,
    base: *mut ffi::PyObject,
    dtype: *const DtypeFields,
    flags: c_int,
}

/// The first fields of a dtype.
#[repr(C)]
struct DtypeFields {
    header: ffi::PyObject,
    scalar_type: *mut ffi::PyObject,
    kind: c_char,
    letter: c_char,
    byte_order: c_char,
    other: c_char,
    number: c_int,
}

const C_CONTIGUOUS: c_int = 0x1;
const ALIGNED: c_int = 0x100;
const WRITEABLE: c_int = 0x400;

type DtypeFromNumber = unsafe extern "C" fn(c_int) -> *mut ffi::PyObject;
type NewFromDtype = unsafe extern "C" fn(
    *mut ffi::PyTypeObject,
    *mut ffi::PyObject,
    c_int,
    *const isize,
    *const isize,
    *mut c_void,
    c_int,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;
type SetBase = unsafe extern "C" fn(*mut ffi::PyObject, *mut ffi::PyObject) -> c_int;

pub struct NumPy {
    array: Py<PyType>,
    dtype_from_number: DtypeFromNumber,
    new_from_dtype: NewFromDtype,
    set_base: SetBase,
}

// SAFETY: functions of NumPy may be called from any thread that is attached to the interpreter, as all users of this are.
unsafe impl Send for NumPy {}
// SAFETY: as above.
unsafe impl Sync for NumPy {}

static NUMPY: PyOnceLock<NumPy> = PyOnceLock::new();

/// What an array of NumPy has, as long as it is borrowed.
pub struct View<'a> {
    pub address: *mut u8,
    pub dims: &'a [usize],
    /// None if it is a type that programs do not have.
    pub prim: Option<Prim>,
    /// Whether its elements are side by side, row by row, aligned, and in the order of this machine's bytes.
    pub is_plain: bool,
}

impl View<'_> {
    pub fn bytes(&self) -> usize {
        self.dims.iter().product::<usize>() * self.prim.map_or(0, Prim::size)
    }
}

pub fn numpy(py: Python<'_>) -> PyResult<&NumPy> {
    NUMPY.get_or_try_init(py, || {
        // NumPy 2 has moved it.
        let module = py.import("numpy._core.multiarray").or_else(|_| py.import("numpy.core.multiarray"))?;
        let capsule = module.getattr("_ARRAY_API")?.cast_into::<PyCapsule>()?;
        let table = capsule.pointer_checked(None)?.as_ptr().cast::<*const c_void>();
        // SAFETY: the capsule leads to NumPy's table, in which these places have been those of these functions since NumPy 1.7.
        unsafe {
            let array = Bound::from_borrowed_ptr(py, (*table.add(2)).cast_mut().cast());
            let array =
                array.cast_into::<PyType>().map_err(|_| PyImportError::new_err("numpy has no ndarray"))?;
            Ok(NumPy {
                array: array.unbind(),
                dtype_from_number: std::mem::transmute::<*const c_void, DtypeFromNumber>(*table.add(45)),
                new_from_dtype: std::mem::transmute::<*const c_void, NewFromDtype>(*table.add(94)),
                set_base: std::mem::transmute::<*const c_void, SetBase>(*table.add(282)),
            })
        }
    })
}

/// The number by which NumPy knows the type of elements.
pub fn number(prim: Prim) -> c_int {
    let long = size_of::<std::ffi::c_long>() == 8;
    match prim {
        Prim::Bool => 0,
        Prim::I8 => 1,
        Prim::U8 => 2,
        Prim::I16 => 3,
        Prim::U16 => 4,
        Prim::I32 => 5,
        Prim::U32 => 6,
        Prim::I64 if long => 7,
        Prim::U64 if long => 8,
        Prim::I64 => 9,
        Prim::U64 => 10,
        Prim::F32 => 11,
        Prim::F64 => 12,
        Prim::F16 => 23,
    }
}

fn prim(number: c_int) -> Option<Prim> {
    let long = size_of::<std::ffi::c_long>() == 8;
    Some(match number {
        0 => Prim::Bool,
        1 => Prim::I8,
        2 => Prim::U8,
        3 => Prim::I16,
        4 => Prim::U16,
        5 => Prim::I32,
        6 => Prim::U32,
        7 if long => Prim::I64,
        7 => Prim::I32,
        8 if long => Prim::U64,
        8 => Prim::U32,
        9 => Prim::I64,
        10 => Prim::U64,
        11 => Prim::F32,
        12 => Prim::F64,
        23 => Prim::F16,
        _ => return None,
    })
}

/// As NumPy names it.
pub fn dtype_name(prim: Prim) -> &'static str {
    match prim {
        Prim::Bool => "bool",
        Prim::I8 => "int8",
        Prim::U8 => "uint8",
        Prim::I16 => "int16",
        Prim::U16 => "uint16",
        Prim::I32 => "int32",
        Prim::U32 => "uint32",
        Prim::I64 => "int64",
        Prim::U64 => "uint64",
        Prim::F16 => "float16",
        Prim::F32 => "float32",
        Prim::F64 => "float64",
    }
}

impl NumPy {
    /// What the array has, if it is one.
    pub fn view<'a>(&self, object: &'a Bound<'_, PyAny>) -> Option<View<'a>> {
        if !object.is_instance(self.array.bind(object.py())).unwrap_or(false) {
            return None;
        }
        // SAFETY: the object is an array of NumPy, which begins with these fields, and has as many dimensions as it says.
        unsafe {
            let fields = &*object.as_ptr().cast::<Fields>();
            let dtype = &*fields.dtype;
            let native = matches!(dtype.byte_order as u8, b'=' | b'|')
                || dtype.byte_order as u8 == if cfg!(target_endian = "little") { b'<' } else { b'>' };
            let plain = C_CONTIGUOUS | ALIGNED;
            let rank = fields.rank as usize;
            let dims = if rank == 0 { &[][..] } else { from_raw_parts(fields.dims.cast::<usize>(), rank) };
            Some(View {
                address: fields.data,
                dims,
                prim: prim(dtype.number),
                is_plain: native && fields.flags & plain == plain,
            })
        }
    }

    pub fn dtype<'py>(&self, py: Python<'py>, prim: Prim) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: the number is that of a type, and the result is a new reference, or null with an exception.
        unsafe { Bound::from_owned_ptr_or_err(py, (self.dtype_from_number)(number(prim))) }
    }

    /// An array over memory of somebody else, which the owner keeps.
    ///
    /// # Safety
    /// As long as the owner is there, so are as many elements as the dimensions say; if the array is writable, nobody else relies on them.
    pub unsafe fn over<'py>(
        &self,
        prim: Prim,
        dims: &[usize],
        address: *const u8,
        writable: bool,
        owner: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = owner.py();
        let dtype = self.dtype(py, prim)?;
        let flags = C_CONTIGUOUS | ALIGNED | if writable { WRITEABLE } else { 0 };
        // An array without elements has none anywhere, but a null pointer would make NumPy look for memory.
        let address = if address.is_null() { std::ptr::dangling::<u64>().cast() } else { address };
        // SAFETY: the type is that of arrays, the dimensions are as many as is said, the dtype's reference is taken over, and
        // the memory is there, as the caller promises. What is no success is null, with an exception.
        unsafe {
            let array = (self.new_from_dtype)(
                self.array.as_ptr().cast(),
                dtype.into_ptr(),
                dims.len() as c_int,
                dims.as_ptr().cast(),
                null_mut(),
                address.cast_mut().cast(),
                flags,
                null_mut(),
            );
            let array = Bound::from_owned_ptr_or_err(py, array)?;
            // This takes over the reference to the owner.
            if (self.set_base)(array.as_ptr(), owner.into_ptr()) < 0 {
                return Err(PyErr::fetch(py));
            }
            Ok(array)
        }
    }
}

/// The array, or what NumPy makes of a list, side by side in memory and of this type where no value is changed by that: an array of another
/// type stays as it is, for the caller to complain.
pub fn as_plain<'py>(object: &Bound<'py, PyAny>, prim: Prim) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    py.import("norn._values")?.getattr("as_plain")?.call1((object, numpy(py)?.dtype(py, prim)?))
}
