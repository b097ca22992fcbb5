//! What a library for a GPU has of its kernels: their text, and a table that says how they are launched (rts/library/gpu).

use super::Target;
use super::tables::quoted;
use norn_emit::{Access, DeviceKernel, DeviceParam, DeviceText};
use norn_ir::imp::{Entry, Prog, Type};
use std::fmt::Write;

const STATE: &str = include_str!("../../rts/gpu/state.h");
const PIECES: &str = include_str!("../../rts/library/gpu/pieces.h");
const CACHE: &str = include_str!("../../rts/library/gpu/cache.h");
const OPENCL: &str = include_str!("../../rts/library/gpu/opencl.h");
const CUDA: &str = include_str!("../../rts/library/gpu/cuda.h");
const DEVICE: &str = include_str!("../../rts/library/gpu/device.h");
/// What the host's part of a program asks for.
const HOST: &str = concat!(
    include_str!("../../rts/library/gpu/host.h"),
    include_str!("../../rts/library/gpu/regions.h"),
    include_str!("../../rts/library/gpu/launch.h"),
);
const INTERFACE: &str = include_str!("../../rts/library/gpu/interface.h");
const NO_DEVICE: &str = include_str!("../../rts/library/no_device.h");
/// What PoCL is given instead of its own header.
const POCL_DECLARATIONS: &str = include_str!("../../rts/gpu/pocl.h");

/// The parts of a library's text that depend on what its arrays are on.
pub struct DeviceParts {
    /// Before memory is defined.
    pub before_memory: String,
    pub after_memory: &'static str,
    /// Functions of the interface.
    pub interface: &'static str,
}

pub fn device_parts(prog: &Prog, target: Target) -> DeviceParts {
    let (text, driver, pocl) = match target {
        Target::Cpu => {
            return DeviceParts { before_memory: NO_DEVICE.into(), after_memory: "", interface: "" };
        }
        Target::OpenCl => {
            (norn_emit::emit_opencl(prog), OPENCL, texts("norn_pocl_declarations", POCL_DECLARATIONS))
        }
        Target::Cuda => (norn_emit::emit_cuda(prog), CUDA, String::new()),
    };
    DeviceParts {
        before_memory: [STATE, PIECES, &kernels(&text), &pocl, CACHE, driver, DEVICE].concat(),
        after_memory: HOST,
        interface: INTERFACE,
    }
}

/// The text of all kernels, and how each is launched.
fn kernels(DeviceText { text, kernels, starts: _ }: &DeviceText) -> String {
    let mut out = String::from("\n");
    for (number, kernel) in kernels.iter().enumerate() {
        let params: Vec<String> = kernel.params.iter().map(|param| described(*param)).collect();
        let params = if params.is_empty() { "0".to_string() } else { params.join(", ") };
        let _ = writeln!(out, "static const unsigned char norn_device_params_{number}[] = {{{params}}};");
    }
    out += "static const norn_device_kernel norn_device_kernels[] = {\n";
    for (number, kernel) in kernels.iter().enumerate() {
        let DeviceKernel { name, group_size, params, uses_heap, pool, .. } = kernel;
        let pool = pool.map_or("-1".to_string(), |param| param.to_string());
        let _ = writeln!(
            out,
            "    {{{}, {group_size}, {}, norn_device_params_{number}, {uses_heap}, {pool}}},",
            quoted(name),
            params.len()
        );
    }
    if kernels.is_empty() {
        out += "    {0},\n";
    }
    let most_params = kernels.iter().map(|kernel| kernel.params.len()).max().unwrap_or(0);
    // Indices have 32 bits, with a sign.
    let smallest = kernels.iter().map(|kernel| u64::from(kernel.smallest_element)).min().unwrap_or(1);
    let _ = writeln!(
        out,
        "}};\nenum {{ norn_device_kernel_count = {}, NORN_MOST_PARAMS = {} }};",
        kernels.len(),
        most_params.max(1)
    );
    let _ = writeln!(out, "static const u64 norn_narrow_bytes = {}u;", smallest << 31);
    let _ = writeln!(
        out,
        "static const bool norn_kernels_fail = {};",
        kernels.iter().any(|kernel| kernel.may_fail)
    );
    out + &texts("norn_device_text", text)
}

/// A constant of C, with a literal for each line.
fn texts(name: &str, text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("    {}\n", quoted(&format!("{line}\n")))).collect();
    format!("static const char {name}[] =\n{lines}    \"\";\n")
}

/// See `NORN_POINTER` and what is near it.
fn described(param: DeviceParam) -> String {
    let accessed = |Access { reads, writes }: Access| u8::from(reads) + 2 * u8::from(writes);
    let number = match param {
        DeviceParam::Pointer(access) => 16 + accessed(access),
        DeviceParam::Region(access) => 32 + accessed(access),
        DeviceParam::Scalar(bytes) => bytes,
    };
    number.to_string()
}

/// Whether the function of an entry point has its arrays on the GPU: all of them, or none.
pub fn is_remote(prog: &Prog, entry: &Entry) -> bool {
    let fun = &prog.funs[entry.fun.0 as usize];
    let params = fun.params.iter().map(|param| fun.vars[param.0 as usize].ty);
    params.chain(fun.ret.iter().copied()).any(|ty| matches!(ty, Type::Remote(_)))
}
