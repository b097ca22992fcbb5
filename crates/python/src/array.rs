//! `norn.Array`: an array that stays where a program has it, on its GPU or in the host's memory.
//!
//! Memory on the host is shared with NumPy without a copy: the NumPy array keeps ours alive, and is writable only if nobody else holds it. `donate` gives the array up, so that the next call may
//! overwrite it in place; using it afterwards is an error.

use crate::dlpack;
use crate::exchange;
use crate::numpy::{dtype_name, numpy};
use norn::engine::Held;
use norn_exec::{Array as ExecArray, Elements};
use norn_values::Data;
use pyo3::exceptions::{PyAttributeError, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Keeps memory of ours as long as an array of NumPy is over it.
#[pyclass(frozen, module = "norn")]
pub struct Memory(Held);

#[pymethods]
impl Memory {
    /// Where it begins.
    #[getter]
    fn address(&self) -> u64 {
        self.0.address()
    }
}

/// An array that stays where a program has it. Calls take it as it is; `numpy()` copies it from a GPU.
#[pyclass(frozen, module = "norn")]
pub struct Array(Mutex<Option<Held>>);

/// An array that the next call takes for itself.
#[pyclass(frozen, module = "norn")]
pub struct Donated(Mutex<Option<Held>>);

impl Donated {
    /// The array, once.
    pub fn take(&self) -> PyResult<Held> {
        taken(&self.0).take().ok_or_else(donated)
    }
}

fn taken(held: &Mutex<Option<Held>>) -> MutexGuard<'_, Option<Held>> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

fn donated() -> PyErr {
    PyValueError::new_err("the array was donated to a call")
}

impl Array {
    pub fn new(held: Held) -> Array {
        Array(Mutex::new(Some(held)))
    }

    /// What it is, unless it was donated.
    pub fn held(&self) -> PyResult<Held> {
        taken(&self.0).clone().ok_or_else(donated)
    }

    /// The array where the program works.
    pub fn on_device(py: Python<'_>, program: &norn::Program, held: Held) -> PyResult<Held> {
        let Some(exec) = program.engine().exec().filter(|exec| exec.gpu().is_some() && held.gpu().is_none())
        else {
            return Ok(held);
        };
        let moved = py.detach(|| {
            let array = held.fetch()?;
            exec.hold(&array).ok_or_else(|| "There is not enough memory on the GPU.".to_string())
        });
        moved.map_err(PyMemoryError::new_err)
    }

    fn dims(&self) -> PyResult<Vec<usize>> {
        Ok(dims(&self.held()?))
    }
}

pub fn dims(held: &Held) -> Vec<usize> {
    held.dims().iter().flatten().copied().collect()
}

/// A result: an array of NumPy if it is in the host's memory, over that memory.
pub fn out<'py>(py: Python<'py>, held: Held) -> PyResult<Bound<'py, PyAny>> {
    if held.host_bytes().is_some() {
        over(py, held, true)
    } else {
        Ok(Bound::new(py, Array::new(held))?.into_any())
    }
}

/// As an array of a class of another library.
pub fn into<'py>(class: &Bound<'py, PyAny>, held: Held) -> PyResult<Bound<'py, PyAny>> {
    match exchange::made_of(class, &held)? {
        Some(made) => Ok(made),
        None => exchange::converted(class, Bound::new(class.py(), Array::new(held))?.into_any()),
    }
}

/// The elements as an array of NumPy.
pub fn from_data<'py>(py: Python<'py>, dims: &[usize], data: Data) -> PyResult<Bound<'py, PyAny>> {
    over(py, of_data(dims, data)?, true)
}

/// The elements as an array of ours.
pub fn of_data(dims: &[usize], data: Data) -> PyResult<Held> {
    let held = Held::of_host(dims, Arc::new(data));
    held.ok_or_else(|| PyRuntimeError::new_err("an array without its elements"))
}

/// An array of NumPy over memory of the host. If nobody else has it, it may be written to.
fn over(py: Python<'_>, held: Held, is_alone: bool) -> PyResult<Bound<'_, PyAny>> {
    let Some(bytes) = held.host_bytes() else {
        return Err(PyRuntimeError::new_err("an array of a GPU has no address here"));
    };
    let (prim, dims, address) = (held.prim(), dims(&held), bytes.as_ptr());
    let owner = Bound::new(py, Memory(held))?.into_any();
    // SAFETY: the memory is there as long as the owner is. Only a result that nobody else has is writable.
    unsafe { numpy(py)?.over(prim, &dims, address, is_alone, owner) }
}

/// A copy in the host's memory.
pub fn fetched(py: Python<'_>, held: &Held) -> PyResult<Data> {
    let array: ExecArray = py.detach(|| held.fetch()).map_err(PyRuntimeError::new_err)?;
    match array.into_parts().2 {
        Elements::Prim(data) => Ok(data.into_owned()),
        Elements::Ref(_) => Err(PyRuntimeError::new_err("an array of cells")),
    }
}

#[pymethods]
impl Array {
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.dims()?)
    }

    #[getter]
    fn ndim(&self) -> PyResult<usize> {
        Ok(self.dims()?.len())
    }

    #[getter]
    fn size(&self) -> PyResult<usize> {
        Ok(self.dims()?.iter().product())
    }

    #[getter]
    fn nbytes(&self) -> PyResult<u64> {
        Ok(self.held()?.bytes())
    }

    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        numpy(py)?.dtype(py, self.held()?.prim())
    }

    /// Where it is: "cpu", or the name of the GPU.
    #[getter]
    fn device(&self) -> PyResult<String> {
        Ok(self.held()?.gpu().map_or_else(|| "cpu".to_string(), |gpu| gpu.facts().name.clone()))
    }

    /// The address of the first element, in the memory of its device.
    #[getter]
    fn address(&self) -> PyResult<u64> {
        Ok(self.held()?.address())
    }

    /// Gives it to the next call: an entry point that consumes it overwrites it where it is, if nobody else has it. It cannot be used any more.
    fn donate(&self) -> PyResult<Donated> {
        Ok(Donated(Mutex::new(Some(taken(&self.0).take().ok_or_else(donated)?))))
    }

    /// As an array of another library, over the same memory: `into(torch.Tensor)`.
    fn into<'py>(&self, kind: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        into(kind, self.held()?)
    }

    /// As an array of NumPy: without a copy, and read-only, if it is in the host's memory.
    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let held = self.held()?;
        if held.host_bytes().is_some() {
            return over(py, held, false);
        }
        from_data(py, &dims(&held), fetched(py, &held)?)
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = self.numpy(py)?;
        let named = PyDict::new(py);
        if copy == Some(true) {
            named.set_item("copy", true)?;
        }
        match dtype {
            None if named.is_empty() => Ok(array),
            dtype => {
                let dtype = dtype.map_or_else(|| array.getattr("dtype"), Ok)?;
                if named.is_empty() {
                    named.set_item("copy", false)?;
                }
                array.call_method("astype", (dtype,), Some(&named))
            }
        }
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.dims()?.first().copied().unwrap_or(0))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.numpy(py)?.get_item(index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numpy(py)?.call_method0("__iter__")
    }

    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numpy(py)?.call_method0("tolist")
    }

    fn __dlpack_device__(&self) -> PyResult<(i32, i32)> {
        dlpack::device(&self.held()?)
    }

    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<i64>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = max_version;
        dlpack::export(py, &self.held()?, stream, dl_device, copy == Some(true))
    }

    /// By which CuPy and Numba find arrays on a GPU of NVIDIA.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if !dlpack::is_cuda(&self.held()?) {
            return Err(PyAttributeError::new_err("the array is not on a GPU of NVIDIA"));
        }
        let fields = PyDict::new(py);
        fields.set_item("shape", self.shape(py)?)?;
        fields.set_item("typestr", numpy(py)?.dtype(py, self.held()?.prim())?.getattr("str")?)?;
        fields.set_item("data", (self.held()?.address(), false))?;
        fields.set_item("version", 3)?;
        Ok(fields)
    }

    /// What `print` shows: the elements, as of an array of NumPy.
    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numpy(py)?.call_method0("__str__")
    }

    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<String> {
        let Ok(held) = self.held() else { return Ok("<norn.Array, donated>".to_string()) };
        let (shape, device) = (self.shape(py)?, self.device()?);
        Ok(format!("<norn.Array {}{shape} on {device}>", dtype_name(held.prim())))
    }
}
