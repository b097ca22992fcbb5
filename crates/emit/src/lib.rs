//! Code generation: imp as C for the CPU, and as CUDA C++ or OpenCL C for devices with groups of threads.
//!
//! There is one printer. The differences between dialects of C are behind `dialect::Dialect`; the primitives of the
//! device are in headers (rts/cpu). Those that a program needs are pasted in front of it, so
//! that the text compiles alone. The same program always becomes the same text, on every machine: the C preprocessor decides what depends
//! on the machine.
//!
//! A function becomes `static int f_NAME(norn_worker *w, arguments.., results by pointer..)`, a kernel a `norn_kernel`
//! that finds its arguments in a struct; both return how they ended (rts/cpu/abi.h). Expressions are printed as they
//! stand: they have no effects, and C computes them in any order.
//!
//! Group kernels, and the functions that they call, become another text, in the dialect of the device (rts/gpu). A function is the
//! same as in C, but its `norn_worker` is a thread. A group kernel is
//!
//! ```text
//! NORN_KERNEL(256, 1) k_NAME(norn_state *norn_run, i64 n, f32 *xs, ..)                                      CUDA
//! NORN_KERNEL(256, 1) k_NAME(__global norn_state *norn_run, __global u8 *norn_heap, i64 n,
//!                         __global u8 *norn_base_xs, i64 norn_offset_xs, ..)                                 OpenCL
//! ```
//!
//! where only kernels that use the heap have it as a parameter. It begins with a test whether an earlier kernel failed.
//!
//! The text in C has to be compiled with `-fwrapv -fno-strict-aliasing -fno-math-errno -fno-trapping-math` (integers wrap
//! around, cells hold values of all types, mathematical functions set no errno and raise no signals) and linked with
//! `-lm`. Warnings are of no interest (`-w`). That in OpenCL C has to be compiled with
//! `-cl-fp32-correctly-rounded-divide-sqrt` where the device can do that.

#![forbid(unsafe_code)]

mod access;
mod atomic;
mod code;
mod device;
mod dialect;
mod divisors;
mod exp;
mod group;
mod host;
mod leave;
mod mask;
mod mask_exp;
mod names;
mod once;
mod own;
mod pending;
mod program;
mod reach;
mod recycled;
mod scalar;
mod scans;
mod scope;
mod stmt;
mod tables;
mod vector;
mod vector_exp;

pub use access::Access;
pub use device::{DeviceKernel, DeviceParam, DeviceText};
use norn_ir::imp::Prog;

/// A program in C for the CPU. It exports what rts/cpu/abi.h says: `norn_entry_0`, .. in the order of the entry points, and
/// `norn_globals`. The program obeys the rules of imp.
pub fn emit_c(prog: &Prog) -> String {
    program::emit(prog, &dialect::C)
}

/// The group kernels of a program in CUDA C++, for NVRTC. No function that they call is recursive.
pub fn emit_cuda(prog: &Prog) -> DeviceText {
    device::emit(prog, &dialect::Cuda)
}

/// The group kernels of a program in OpenCL C. No function that they call is recursive.
pub fn emit_opencl(prog: &Prog) -> DeviceText {
    device::emit(prog, &dialect::OpenCl)
}
