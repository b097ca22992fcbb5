//! The group kernels of a program as text for a GPU.

use norn_emit::{DeviceKernel, DeviceParam, DeviceText};
use norn_ir::imp::Prog;
use norn_runtime::gpu::{Access, Api, Kernel, Module, Param};

/// In the language that the GPU's driver compiles.
pub fn module(prog: &Prog, api: Api) -> Module {
    let DeviceText { text, starts, kernels } = match api {
        Api::Cuda => norn_emit::emit_cuda(prog),
        Api::OpenCl => norn_emit::emit_opencl(prog),
        Api::Processor => panic!("the processor has no kernels"),
    };
    Module { text, starts, kernels: kernels.into_iter().map(kernel).collect() }
}

fn kernel(kernel: DeviceKernel) -> Kernel {
    let DeviceKernel { name, group_size, params, uses_heap, pool, smallest_element, may_fail } = kernel;
    let param = |param: DeviceParam| match param {
        DeviceParam::Pointer(norn_emit::Access { reads, writes }) => Param::Pointer(Access { reads, writes }),
        DeviceParam::Region(norn_emit::Access { reads, writes }) => Param::Region(Access { reads, writes }),
        DeviceParam::Scalar(bytes) => Param::Scalar(bytes),
    };
    let params = params.into_iter().map(param).collect();
    Kernel { name, group_size, params, uses_heap, pool, smallest_element, may_fail }
}
