//! The driver of NVIDIA's GPUs: those functions of libcuda that we use, and its errors.

use crate::gpu::device_error::DeviceError;
use crate::gpu::functions::functions;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::null;

pub type Context = *mut c_void;
pub type Stream = *mut c_void;
pub type Event = *mut c_void;
pub type ModuleHandle = *mut c_void;
pub type Function = *mut c_void;
pub type GraphHandle = *mut c_void;
pub type GraphInstance = *mut c_void;
pub type Node = *mut c_void;

/// `CUDA_KERNEL_NODE_PARAMS_v1`
#[repr(C)]
pub struct NodeParams {
    pub function: Function,
    pub groups: [c_uint; 3],
    pub group_size: [c_uint; 3],
    pub shared: c_uint,
    pub places: *mut *mut c_void,
    pub extra: *mut *mut c_void,
}

/// How much memory a function can share that is not of a fixed size.
pub const MOST_SHARED: c_int = 8;
pub const NON_BLOCKING_STREAM: c_uint = 1;
/// Of an event.
pub const NO_TIMING: c_uint = 2;

/// Numbers of attributes of a device.
pub const MULTIPROCESSORS: c_int = 16;
pub const INTEGRATED: c_int = 18;
pub const THREADS_PER_MULTIPROCESSOR: c_int = 39;
pub const CAPABILITY_MAJOR: c_int = 75;
pub const CAPABILITY_MINOR: c_int = 76;

pub const OUT_OF_MEMORY: c_int = 2;
/// Of a stream that has not come to its end.
pub const NOT_READY: c_int = 600;

functions! {
    /// Functions whose names end in `_v2` have another meaning without it.
    Driver {
        init = b"cuInit" (c_uint) -> c_int;
        driver_version = b"cuDriverGetVersion" (*mut c_int) -> c_int;
        device_count = b"cuDeviceGetCount" (*mut c_int) -> c_int;
        device = b"cuDeviceGet" (*mut c_int, c_int) -> c_int;
        device_name = b"cuDeviceGetName" (*mut c_char, c_int, c_int) -> c_int;
        device_attribute = b"cuDeviceGetAttribute" (*mut c_int, c_int, c_int) -> c_int;
        device_memory = b"cuDeviceTotalMem_v2" (*mut usize, c_int) -> c_int;
        context_retain = b"cuDevicePrimaryCtxRetain" (*mut Context, c_int) -> c_int;
        context_release = b"cuDevicePrimaryCtxRelease_v2" (c_int) -> c_int;
        context_reset = b"cuDevicePrimaryCtxReset_v2" (c_int) -> c_int;
        context_make_current = b"cuCtxSetCurrent" (Context) -> c_int;
        stream_create = b"cuStreamCreate" (*mut Stream, c_uint) -> c_int;
        stream_destroy = b"cuStreamDestroy_v2" (Stream) -> c_int;
        stream_wait = b"cuStreamWaitEvent" (Stream, Event, c_uint) -> c_int;
        stream_synchronise = b"cuStreamSynchronize" (Stream) -> c_int;
        stream_query = b"cuStreamQuery" (Stream) -> c_int;
        alloc = b"cuMemAlloc_v2" (*mut u64, usize) -> c_int;
        free = b"cuMemFree_v2" (u64) -> c_int;
        alloc_host = b"cuMemAllocHost_v2" (*mut *mut c_void, usize) -> c_int;
        free_host = b"cuMemFreeHost" (*mut c_void) -> c_int;
        copy_to_device = b"cuMemcpyHtoDAsync_v2" (u64, *const c_void, usize, Stream) -> c_int;
        copy_to_host = b"cuMemcpyDtoHAsync_v2" (*mut c_void, u64, usize, Stream) -> c_int;
        copy_within = b"cuMemcpyDtoDAsync_v2" (u64, u64, usize, Stream) -> c_int;
        fill = b"cuMemsetD8Async" (u64, u8, usize, Stream) -> c_int;
        module_load = b"cuModuleLoadData" (*mut ModuleHandle, *const c_void) -> c_int;
        module_unload = b"cuModuleUnload" (ModuleHandle) -> c_int;
        module_function = b"cuModuleGetFunction" (*mut Function, ModuleHandle, *const c_char) -> c_int;
        function_set = b"cuFuncSetAttribute" (Function, c_int, c_int) -> c_int;
        launch = b"cuLaunchKernel" (
            Function, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Stream, *mut *mut c_void, *mut *mut c_void,
        ) -> c_int;
        graph_create = b"cuGraphCreate" (*mut GraphHandle, c_uint) -> c_int;
        graph_destroy = b"cuGraphDestroy" (GraphHandle) -> c_int;
        graph_add_kernel = b"cuGraphAddKernelNode" (
            *mut Node, GraphHandle, *const Node, usize, *const NodeParams,
        ) -> c_int;
        graph_instantiate = b"cuGraphInstantiateWithFlags" (*mut GraphInstance, GraphHandle, u64) -> c_int;
        graph_instance_destroy = b"cuGraphExecDestroy" (GraphInstance) -> c_int;
        graph_set_kernel = b"cuGraphExecKernelNodeSetParams" (GraphInstance, Node, *const NodeParams) -> c_int;
        graph_launch = b"cuGraphLaunch" (GraphInstance, Stream) -> c_int;
        event_create = b"cuEventCreate" (*mut Event, c_uint) -> c_int;
        event_record = b"cuEventRecord" (Event, Stream) -> c_int;
        event_synchronise = b"cuEventSynchronize" (Event) -> c_int;
        event_elapsed = b"cuEventElapsedTime" (*mut f32, Event, Event) -> c_int;
        event_destroy = b"cuEventDestroy_v2" (Event) -> c_int;
        error_name = b"cuGetErrorName" (c_int, *mut *const c_char) -> c_int;
        error_text = b"cuGetErrorString" (c_int, *mut *const c_char) -> c_int;
    }
}

impl Driver {
    /// The driver, if it is there and willing.
    pub fn find() -> Result<Driver, String> {
        let names = if cfg!(windows) { ["nvcuda.dll"].as_slice() } else { &["libcuda.so.1", "libcuda.so"] };
        let mut why = String::new();
        for name in names {
            // SAFETY: what is called so is the driver.
            match unsafe { Driver::load(name) } {
                Ok(driver) => return Ok(driver),
                Err(error) if why.is_empty() => why = error,
                Err(_) => {}
            }
        }
        Err(why)
    }

    pub fn check(&self, doing: &'static str, code: c_int) -> Result<(), DeviceError> {
        if code == 0 {
            return Ok(());
        }
        Err(DeviceError { doing, error: self.describe(code), lost: is_loss(code) })
    }

    /// `CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)`
    pub fn describe(&self, code: c_int) -> String {
        let text = |get: unsafe extern "system" fn(c_int, *mut *const c_char) -> c_int| {
            let mut text = null();
            // SAFETY: the text is written to a variable that lives long enough.
            let found = unsafe { get(code, &mut text) } == 0 && !text.is_null();
            // SAFETY: texts of the driver end in a zero, and last as long as it is loaded, which is for ever.
            found.then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
        };
        match (text(self.error_name), text(self.error_text)) {
            (Some(name), Some(text)) => format!("{name} ({text})"),
            (Some(name), None) => name,
            (None, _) => format!("error {code} of CUDA"),
        }
    }
}

/// Whether a context gives nothing but this error from now on.
fn is_loss(code: c_int) -> bool {
    matches!(
        code,
        // Memory errors of the hardware, and of its links.
        214 | 220 | 226
        // A context that is gone.
        | 201 | 709
        // Illegal addresses, timeouts, assertions, and other things that kernels do.
        | 700 | 702 | 710 | 714..=719 | 721 | 999
    )
}
