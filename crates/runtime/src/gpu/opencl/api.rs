//! Those functions of OpenCL (1.2) that we use, its numbers and its errors.

use crate::gpu::device_error::DeviceError;
use crate::gpu::functions::functions;
use std::ffi::{c_char, c_int, c_uint, c_void};

pub type Platform = *mut c_void;
pub type DeviceHandle = *mut c_void;
pub type Context = *mut c_void;
pub type CommandQueue = *mut c_void;
pub type Mem = *mut c_void;
pub type ProgramHandle = *mut c_void;
pub type KernelHandle = *mut c_void;
pub type Event = *mut c_void;
/// Nobody is called back.
pub type NoCallback = *const c_void;

pub const PLATFORM_NAME: c_uint = 0x0902;
pub const PLATFORM_VERSION: c_uint = 0x0901;
pub const PLATFORM_VENDOR: c_uint = 0x0903;
pub const DEVICE_TYPE_ALL: u64 = 0xffff_ffff;
pub const DEVICE_TYPE_CPU: u64 = 1 << 1;
pub const DEVICE_TYPE_GPU: u64 = 1 << 2;
pub const DEVICE_TYPE: c_uint = 0x1000;
pub const DEVICE_UNITS: c_uint = 0x1002;
pub const DEVICE_LARGEST_ALLOC: c_uint = 0x1010;
pub const DEVICE_FLOAT_CONFIG: c_uint = 0x101b;
pub const DEVICE_MEMORY: c_uint = 0x101f;
pub const DEVICE_NAME: c_uint = 0x102b;
pub const DRIVER_VERSION: c_uint = 0x102d;
pub const DEVICE_VERSION: c_uint = 0x102f;
pub const DEVICE_UNIFIED_MEMORY: c_uint = 0x1035;
pub const DEVICE_C_VERSION: c_uint = 0x103d;
pub const DEVICE_ALL_C_VERSIONS: c_uint = 0x1066;
pub const PARTITION_BY_COUNTS: isize = 0x1087;
pub const CORRECTLY_ROUNDED: u64 = 1 << 7;
pub const QUEUE_PROFILING: u64 = 1 << 1;
pub const MEM_READ_WRITE: u64 = 1;
pub const PROGRAM_BINARY_SIZES: c_uint = 0x1165;
pub const PROGRAM_BINARIES: c_uint = 0x1166;
pub const BUILD_LOG: c_uint = 0x1183;
pub const COMMAND_START: c_uint = 0x1282;
pub const COMMAND_END: c_uint = 0x1283;

functions! {
    OpenClApi {
        platforms = b"clGetPlatformIDs" (c_uint, *mut Platform, *mut c_uint) -> c_int;
        platform_info = b"clGetPlatformInfo" (Platform, c_uint, usize, *mut c_void, *mut usize) -> c_int;
        devices = b"clGetDeviceIDs" (Platform, u64, c_uint, *mut DeviceHandle, *mut c_uint) -> c_int;
        sub_devices = b"clCreateSubDevices" (
            DeviceHandle, *const isize, c_uint, *mut DeviceHandle, *mut c_uint,
        ) -> c_int;
        device_release = b"clReleaseDevice" (DeviceHandle) -> c_int;
        device_info = b"clGetDeviceInfo" (DeviceHandle, c_uint, usize, *mut c_void, *mut usize) -> c_int;
        context_create = b"clCreateContext" (
            *const isize, c_uint, *const DeviceHandle, NoCallback, *mut c_void, *mut c_int,
        ) -> Context;
        context_release = b"clReleaseContext" (Context) -> c_int;
        queue_create = b"clCreateCommandQueue" (Context, DeviceHandle, u64, *mut c_int) -> CommandQueue;
        queue_release = b"clReleaseCommandQueue" (CommandQueue) -> c_int;
        buffer_create = b"clCreateBuffer" (Context, u64, usize, *mut c_void, *mut c_int) -> Mem;
        buffer_release = b"clReleaseMemObject" (Mem) -> c_int;
        write = b"clEnqueueWriteBuffer" (
            CommandQueue, Mem, c_uint, usize, usize, *const c_void, c_uint, *const Event, *mut Event,
        ) -> c_int;
        read = b"clEnqueueReadBuffer" (
            CommandQueue, Mem, c_uint, usize, usize, *mut c_void, c_uint, *const Event, *mut Event,
        ) -> c_int;
        copy = b"clEnqueueCopyBuffer" (
            CommandQueue, Mem, Mem, usize, usize, usize, c_uint, *const Event, *mut Event,
        ) -> c_int;
        fill = b"clEnqueueFillBuffer" (
            CommandQueue, Mem, *const c_void, usize, usize, usize, c_uint, *const Event, *mut Event,
        ) -> c_int;
        program_of_source = b"clCreateProgramWithSource" (
            Context, c_uint, *const *const c_char, *const usize, *mut c_int,
        ) -> ProgramHandle;
        program_of_binary = b"clCreateProgramWithBinary" (
            Context, c_uint, *const DeviceHandle, *const usize, *const *const u8, *mut c_int, *mut c_int,
        ) -> ProgramHandle;
        program_build = b"clBuildProgram" (
            ProgramHandle, c_uint, *const DeviceHandle, *const c_char, NoCallback, *mut c_void,
        ) -> c_int;
        build_info = b"clGetProgramBuildInfo" (
            ProgramHandle, DeviceHandle, c_uint, usize, *mut c_void, *mut usize,
        ) -> c_int;
        program_info = b"clGetProgramInfo" (ProgramHandle, c_uint, usize, *mut c_void, *mut usize) -> c_int;
        program_release = b"clReleaseProgram" (ProgramHandle) -> c_int;
        kernel_create = b"clCreateKernel" (ProgramHandle, *const c_char, *mut c_int) -> KernelHandle;
        kernel_release = b"clReleaseKernel" (KernelHandle) -> c_int;
        set_arg = b"clSetKernelArg" (KernelHandle, c_uint, usize, *const c_void) -> c_int;
        launch = b"clEnqueueNDRangeKernel" (
            CommandQueue, KernelHandle, c_uint, *const usize, *const usize, *const usize, c_uint, *const Event, *mut Event,
        ) -> c_int;
        mark = b"clEnqueueMarkerWithWaitList" (CommandQueue, c_uint, *const Event, *mut Event) -> c_int;
        wait = b"clWaitForEvents" (c_uint, *const Event) -> c_int;
        event_times = b"clGetEventProfilingInfo" (Event, c_uint, usize, *mut c_void, *mut usize) -> c_int;
        event_create = b"clCreateUserEvent" (Context, *mut c_int) -> Event;
        event_set = b"clSetUserEventStatus" (Event, c_int) -> c_int;
        event_callback = b"clSetEventCallback" (
            Event, c_int, unsafe extern "C" fn(Event, c_int, *mut c_void), *mut c_void,
        ) -> c_int;
        event_release = b"clReleaseEvent" (Event) -> c_int;
        flush = b"clFlush" (CommandQueue) -> c_int;
        finish = b"clFinish" (CommandQueue) -> c_int;
    }
}

impl OpenClApi {
    pub fn find() -> Result<OpenClApi, String> {
        let names = if cfg!(windows) {
            ["OpenCL.dll"].as_slice()
        } else if cfg!(target_os = "macos") {
            ["/System/Library/Frameworks/OpenCL.framework/OpenCL"].as_slice()
        } else {
            ["libOpenCL.so.1", "libOpenCL.so"].as_slice()
        };
        let mut why = String::new();
        for name in names {
            // SAFETY: what is called so is OpenCL.
            match unsafe { OpenClApi::load(name) } {
                Ok(api) => return Ok(api),
                Err(error) if why.is_empty() => why = error,
                Err(_) => {}
            }
        }
        Err(why)
    }
}

pub fn check(doing: &'static str, code: c_int) -> Result<(), DeviceError> {
    if code == 0 { Ok(()) } else { Err(DeviceError { doing, error: describe(code), lost: is_loss(code) }) }
}

/// A number that a function asks for: a piece of information as bytes.
pub fn info_bytes(get: impl Fn(usize, *mut c_void, *mut usize) -> c_int) -> Option<Vec<u8>> {
    let mut size = 0;
    if get(0, std::ptr::null_mut(), &mut size) != 0 {
        return None;
    }
    let mut bytes = vec![0u8; size];
    (get(size, bytes.as_mut_ptr().cast(), &mut size) == 0).then_some(bytes)
}

/// What went wrong can only be the context's or the queue's end.
fn is_loss(code: c_int) -> bool {
    matches!(code, -14 | -34 | -36)
}

pub fn describe(code: c_int) -> String {
    let name = match code {
        -1 => "CL_DEVICE_NOT_FOUND",
        -2 => "CL_DEVICE_NOT_AVAILABLE",
        -3 => "CL_COMPILER_NOT_AVAILABLE",
        -4 => "CL_MEM_OBJECT_ALLOCATION_FAILURE",
        -5 => "CL_OUT_OF_RESOURCES",
        -6 => "CL_OUT_OF_HOST_MEMORY",
        -11 => "CL_BUILD_PROGRAM_FAILURE",
        -14 => "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
        -30 => "CL_INVALID_VALUE",
        -34 => "CL_INVALID_CONTEXT",
        -36 => "CL_INVALID_COMMAND_QUEUE",
        -38 => "CL_INVALID_MEM_OBJECT",
        -42 => "CL_INVALID_BINARY",
        -43 => "CL_INVALID_BUILD_OPTIONS",
        -45 => "CL_INVALID_PROGRAM_EXECUTABLE",
        -46 => "CL_INVALID_KERNEL_NAME",
        -49 => "CL_INVALID_ARG_INDEX",
        -50 => "CL_INVALID_ARG_VALUE",
        -51 => "CL_INVALID_ARG_SIZE",
        -52 => "CL_INVALID_KERNEL_ARGS",
        -54 => "CL_INVALID_WORK_GROUP_SIZE",
        -55 => "CL_INVALID_WORK_ITEM_SIZE",
        -61 => "CL_INVALID_BUFFER_SIZE",
        -63 => "CL_INVALID_GLOBAL_WORK_SIZE",
        _ => return format!("error {code} of OpenCL"),
    };
    name.to_string()
}
