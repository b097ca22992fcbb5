//! Arrays of other libraries, by way of DLPack: PyTorch, JAX, CuPy and others give and take memory in this form, on processors and GPUs.
//!
//! An array that comes in is used where it is, if the program works there. On a GPU of NVIDIA our stream follows that of its library, so
//! nobody waits: by way of the library's C functions (`exchange`) where it has them, and otherwise the library does it. Calls end when their results are there; so what goes out can be used at once, on any stream. When it is given back, our stream follows the
//! one that it was asked for with, since that may still read it.

use crate::array::dims;
use crate::exchange::{self, Versioned};
use norn::engine::{Api, Held, SharedQueue};
use norn_exec::Exec;
use norn_values::Prim;
use pyo3::exceptions::{PyBufferError, PyRuntimeError, PyValueError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::ffi::{CStr, c_void};
use std::slice::from_raw_parts;
use std::sync::Arc;

const CPU: i32 = 1;
const CUDA: i32 = 2;
const CUDA_HOST: i32 = 3;
const CUDA_MANAGED: i32 = 13;

const TENSOR: &CStr = c"dltensor";
const USED_TENSOR: &CStr = c"used_dltensor";

#[repr(C)]
#[derive(Clone, Copy)]
struct ElementType {
    code: u8,
    bits: u8,
    lanes: u16,
}

#[repr(C)]
pub struct Tensor {
    data: *mut u8,
    device: i32,
    device_number: i32,
    rank: i32,
    element: ElementType,
    dims: *mut i64,
    /// In elements; null if they are side by side.
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
pub struct Managed {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// An array that somebody else has made, in one of two forms. It is given back with this.
pub enum Given {
    Plain(*mut Managed),
    Versioned(*mut Versioned),
}

// SAFETY: whoever has made it takes it back from any thread, by the rules of DLPack.
unsafe impl Send for Given {}
// SAFETY: nothing is done with it but to give it back.
unsafe impl Sync for Given {}

impl Given {
    fn tensor(&self) -> &Tensor {
        // SAFETY: it is there until it is given back.
        unsafe {
            match self {
                Given::Plain(managed) => &(**managed).tensor,
                Given::Versioned(versioned) => &(**versioned).tensor,
            }
        }
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        // SAFETY: it is ours to give back, once.
        unsafe {
            match *self {
                Given::Plain(managed) => (*managed).deleter.into_iter().for_each(|give| give(managed)),
                Given::Versioned(tensor) => (*tensor).deleter.into_iter().for_each(|give| give(tensor)),
            }
        }
    }
}

/// An array that comes in.
pub enum Import {
    Here(Held),
    /// What cannot be used where it is: a reason, without a full stop.
    Refused(String),
}

/// The array that another library offers, for a program; None if the object offers none.
///
/// The streams that the program has to follow are added to `streams`, each once: to follow one takes longer than all the rest.
pub fn import(
    object: &Bound<'_, PyAny>,
    exec: Option<&Exec>,
    streams: &mut Vec<u64>,
) -> PyResult<Option<Import>> {
    let given = match exchange::offered(object) {
        Some(offered) => {
            let given = offered.give()?;
            let Tensor { device, device_number: number, .. } = *given.tensor();
            if let Some(why) = out_of_reach(device, number, exec) {
                return Ok(Some(Import::Refused(why)));
            }
            if is_on_gpu(device) {
                let stream = offered.stream(CUDA, number)?;
                if !streams.contains(&stream) {
                    streams.push(stream);
                }
            }
            given
        }
        None => {
            let py = object.py();
            let Some(offer) = object.getattr_opt(intern!(py, "__dlpack__"))? else { return Ok(None) };
            let place = object.call_method0(intern!(py, "__dlpack_device__"))?;
            let (device, number): (i32, i32) = place.extract()?;
            if let Some(why) = out_of_reach(device, number, exec) {
                return Ok(Some(Import::Refused(why)));
            }
            taken(&match queue(exec).filter(|_| is_on_gpu(device)) {
                Some(queue) => {
                    let named = PyDict::new(py);
                    named.set_item(intern!(py, "stream"), queue.handle)?;
                    offer.call((), Some(&named))?
                }
                None => offer.call0()?,
            })?
        }
    };
    use_given(given, exec).map(Some)
}

fn is_on_gpu(device: i32) -> bool {
    matches!(device, CUDA | CUDA_MANAGED)
}

fn queue(exec: Option<&Exec>) -> Option<SharedQueue> {
    exec.and_then(Exec::gpu).and_then(|gpu| gpu.shared_queue())
}

/// Why a program cannot use what is on a device, if it cannot.
fn out_of_reach(device: i32, number: i32, exec: Option<&Exec>) -> Option<String> {
    match (device, queue(exec)) {
        (CPU | CUDA_HOST, _) => None,
        (CUDA | CUDA_MANAGED, None) => Some(
            "it is on a GPU of NVIDIA, but the program is not; load it with backend=\"cuda\"".to_string(),
        ),
        (CUDA | CUDA_MANAGED, Some(queue)) => (queue.device != number)
            .then(|| format!("it is on cuda:{number}, but the program on cuda:{}", queue.device)),
        (other, _) => Some(format!("it is on a device of DLPack's kind {other}")),
    }
}

fn use_given(given: Given, exec: Option<&Exec>) -> PyResult<Import> {
    let tensor = given.tensor();
    let rank = tensor.rank as usize;
    // SAFETY: a tensor has as many dimensions as it says.
    let sizes = if rank == 0 { &[][..] } else { unsafe { from_raw_parts(tensor.dims, rank) } };
    let sizes: Vec<usize> = sizes.iter().map(|size| *size as usize).collect();
    // SAFETY: and as many strides, if it has any.
    let strides =
        (!tensor.strides.is_null() && rank > 0).then(|| unsafe { from_raw_parts(tensor.strides, rank) });
    if !strides.is_none_or(|strides| are_side_by_side(&sizes, strides)) {
        return Ok(Import::Refused("its elements are not side by side; make it contiguous".to_string()));
    }
    let Some(prim) = prim(tensor.element) else {
        return Ok(Import::Refused("its elements are of a type that programs do not have".to_string()));
    };
    let address = (tensor.data as u64).wrapping_add(tensor.byte_offset);
    let bytes = sizes.iter().product::<usize>() * prim.size();
    let held = if is_on_gpu(tensor.device) {
        // SAFETY: the elements are there until the tensor is given back, on the GPU of the program, whose queue follows that of the tensor.
        exec.and_then(|exec| unsafe { exec.lend(prim, &sizes, address, Arc::new(given)) })
    } else {
        let (address, owner) = (address as usize as *const u8, Arc::new(given));
        // SAFETY: the elements are there until the tensor is given back, and nobody writes to what is used in a call.
        Some(unsafe { Held::lend(prim, &sizes, address, bytes, owner) })
    };
    let refused = || Import::Refused("kernels cannot use it where it is; clone it".to_string());
    Ok(held.map_or_else(refused, Import::Here))
}

/// Takes what a capsule holds.
fn taken(capsule: &Bound<'_, PyAny>) -> PyResult<Given> {
    let capsule = capsule.cast::<PyCapsule>()?;
    let tensor = capsule.pointer_checked(Some(TENSOR))?;
    // SAFETY: the capsule is one, and the name lasts for ever. From now on the tensor is ours.
    if unsafe { ffi::PyCapsule_SetName(capsule.as_ptr(), USED_TENSOR.as_ptr()) } != 0 {
        return Err(PyErr::fetch(capsule.py()));
    }
    Ok(Given::Plain(tensor.as_ptr().cast()))
}

fn are_side_by_side(dims: &[usize], strides: &[i64]) -> bool {
    let mut expected = 1i64;
    if dims.contains(&0) {
        return true;
    }
    dims.iter().zip(strides).rev().all(|(dim, stride)| {
        let fits = *dim == 1 || *stride == expected;
        expected *= *dim as i64;
        fits
    })
}

fn prim(element: ElementType) -> Option<Prim> {
    let ElementType { code, bits, lanes: 1 } = element else { return None };
    Some(match (code, bits) {
        (0, 8) => Prim::I8,
        (0, 16) => Prim::I16,
        (0, 32) => Prim::I32,
        (0, 64) => Prim::I64,
        (1, 8) => Prim::U8,
        (1, 16) => Prim::U16,
        (1, 32) => Prim::U32,
        (1, 64) => Prim::U64,
        (2, 16) => Prim::F16,
        (2, 32) => Prim::F32,
        (2, 64) => Prim::F64,
        (6, 8) => Prim::Bool,
        _ => return None,
    })
}

fn element(prim: Prim) -> ElementType {
    let code = match prim {
        Prim::I8 | Prim::I16 | Prim::I32 | Prim::I64 => 0,
        Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 => 1,
        Prim::F16 | Prim::F32 | Prim::F64 => 2,
        Prim::Bool => 6,
    };
    ElementType { code, bits: 8 * prim.size() as u8, lanes: 1 }
}

pub fn is_cuda(held: &Held) -> bool {
    held.gpu().is_some_and(|gpu| gpu.facts().api == Api::Cuda)
}

/// The kind and the number of the device that an array is on.
pub fn device(held: &Held) -> PyResult<(i32, i32)> {
    match held.gpu() {
        None => Ok((CPU, 0)),
        Some(gpu) => match gpu.shared_queue() {
            Some(queue) => Ok((CUDA, queue.device)),
            None => Err(PyBufferError::new_err("arrays of an OpenCL device cannot be shared; use numpy()")),
        },
    }
}

/// What is given to another library, in one of two forms: the array, the dimensions, and the stream of whoever asked for it.
struct Lent<F> {
    form: F,
    dims: Vec<i64>,
    held: Held,
    stream: Option<u64>,
}

impl<F> Lent<F> {
    fn new(held: &Held, stream: Option<u64>, form: impl FnOnce(Tensor) -> F) -> PyResult<*mut Lent<F>> {
        let (device, device_number) = device(held)?;
        let dims: Vec<i64> = dims(held).into_iter().map(|dim| dim as i64).collect();
        let form = form(Tensor {
            data: held.address() as usize as *mut u8,
            device,
            device_number,
            rank: dims.len() as i32,
            element: element(held.prim()),
            // They stay where they are when the vector moves.
            dims: dims.as_ptr().cast_mut(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        });
        Ok(Box::into_raw(Box::new(Lent { form, dims, held: held.clone(), stream })))
    }

    /// # Safety
    /// It was made by `new`, and this is called once.
    unsafe fn end(lent: *mut Lent<F>) {
        // SAFETY: as the caller promises.
        let lent = unsafe { Box::from_raw(lent) };
        if let (Some(gpu), Some(stream)) = (lent.held.gpu(), lent.stream) {
            gpu.follow_queue(stream);
        }
        drop(lent.dims);
    }
}

/// The array for a function of another library.
pub fn lend(held: &Held, stream: Option<u64>) -> PyResult<*mut Versioned> {
    let lent = Lent::new(held, stream, |tensor| Versioned {
        version: [1, 0],
        context: std::ptr::null_mut(),
        deleter: Some(take_back_versioned),
        flags: 0,
        tensor,
    })?;
    // SAFETY: it was just made, and stays where it is.
    unsafe {
        (*lent).form.context = lent.cast();
        Ok(&raw mut (*lent).form)
    }
}

/// A capsule with the array.
pub fn export<'py>(
    py: Python<'py>,
    held: &Held,
    stream: Option<i64>,
    requested: Option<(i32, i32)>,
    copy: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let (kind, number) = device(held)?;
    if requested.is_some_and(|requested| requested != (kind, number)) || copy {
        return Err(PyBufferError::new_err("the array can be shared only where it is, and without a copy"));
    }
    if kind == CPU && stream.is_some() {
        return Err(PyValueError::new_err("an array in the host's memory has no stream"));
    }
    // Those numbers that are no handles: the legacy stream, and that of each thread.
    let stream = stream.and_then(|stream| u64::try_from(stream).ok());
    let lent = Lent::new(held, stream, |tensor| Managed {
        tensor,
        context: std::ptr::null_mut(),
        deleter: Some(take_back),
    })?;
    // SAFETY: it was just made, and stays where it is.
    let managed = unsafe {
        (*lent).form.context = lent.cast();
        &raw mut (*lent).form
    };
    // SAFETY: the name lasts for ever, and the destructor takes back what nobody has taken.
    let capsule = unsafe { ffi::PyCapsule_New(managed.cast(), TENSOR.as_ptr(), Some(destroy)) };
    if capsule.is_null() {
        // SAFETY: nobody else knows it.
        unsafe { take_back(managed) };
        return Err(PyRuntimeError::new_err("there is no memory for a capsule"));
    }
    // SAFETY: the capsule is a new reference.
    Ok(unsafe { Bound::from_owned_ptr(py, capsule) })
}

/// # Safety
/// It was made by `export`, and this is called once.
unsafe extern "C" fn take_back(managed: *mut Managed) {
    // SAFETY: as the caller promises.
    unsafe { Lent::<Managed>::end((*managed).context.cast()) };
}

/// # Safety
/// It was made by `lend`, and this is called once.
unsafe extern "C" fn take_back_versioned(versioned: *mut Versioned) {
    // SAFETY: as the caller promises.
    unsafe { Lent::<Versioned>::end((*versioned).context.cast()) };
}

/// # Safety
/// It is a capsule of `export`.
unsafe extern "C" fn destroy(capsule: *mut ffi::PyObject) {
    // SAFETY: as the caller promises. Who has taken the tensor has renamed the capsule.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, TENSOR.as_ptr()) != 0 {
            let managed = ffi::PyCapsule_GetPointer(capsule, TENSOR.as_ptr());
            take_back(managed.cast());
        }
    }
}
