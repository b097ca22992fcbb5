//! OpenCL C 1.2, with doubles and 64-bit atomic operations where a program needs them.

use super::device::{self, PointerParams};
use super::{Arithmetic, DeviceDialect, Dialect, Needs, Side};
use norn_ir::imp::{BinOp, Elem, Fun, LoopForm, Prim};

pub(crate) struct OpenCl;

impl Dialect for OpenCl {
    fn headers(&self, needs: &Needs) -> Vec<&'static str> {
        let wide = include_str!("../../rts/gpu/opencl_wide.h");
        device::headers(needs, include_str!("../../rts/gpu/opencl.h"), wide)
    }

    fn arithmetic(&self) -> Arithmetic {
        // Two of them would be a type that is reserved for 128 bits.
        Arithmetic { wraps: false, has_doubles: false, long: "l" }
    }

    fn side(&self) -> Side {
        Side::Device
    }

    fn pointer(&self, elem: Elem) -> String {
        device::pointer(elem)
    }

    fn block(&self) -> &'static str {
        device::BLOCK
    }

    fn region(&self) -> &'static str {
        device::REGION
    }

    fn function_head(&self, name: &str, fun: &Fun) -> String {
        device::function_head(name, fun)
    }

    fn loop_hint(&self, _: &LoopForm, count: Option<i64>) -> Option<&'static str> {
        device::loop_hint(count)
    }

    fn words(&self) -> &'static [&'static str] {
        WORDS
    }
}

impl DeviceDialect for OpenCl {
    fn heap_param(&self) -> Option<&'static str> {
        Some("NORN_GLOBAL u8 *norn_heap")
    }

    /// A buffer and an offset into it, in bytes: a host knows no addresses.
    fn pointer_params(&self, ty: &str, name: &str) -> PointerParams {
        let (base, offset) = (format!("norn_base_{name}"), format!("norn_offset_{name}"));
        let value = format!("({ty})({base} + {offset})");
        PointerParams::Several(vec![format!("NORN_GLOBAL u8 *{base}"), format!("i64 {offset}")], value)
    }

    fn native_atomic(&self, op: BinOp, prim: Prim) -> Option<(&'static str, Prim)> {
        let (narrow, _, wide) = device::atomic_word(op)?;
        match prim {
            Prim::I32 | Prim::U32 => Some((narrow, prim)),
            Prim::I64 | Prim::U64 => Some((wide, prim)),
            Prim::I8 | Prim::I16 | Prim::U8 | Prim::U16 | Prim::F16 | Prim::F32 | Prim::F64 | Prim::Bool => {
                None
            }
        }
    }
}

/// Words of OpenCL that C has not. Names of functions may be variables: kernels call none but ours.
const WORDS: &[&str] = &[
    "complex",
    "constant",
    "event_t",
    "generic",
    "global",
    "half",
    "image1d_array_t",
    "image1d_buffer_t",
    "image1d_t",
    "image2d_array_t",
    "image2d_t",
    "image3d_t",
    "imaginary",
    "kernel",
    "local",
    "pipe",
    "private",
    "quad",
    "read_only",
    "read_write",
    "sampler_t",
    "size_t",
    "uchar",
    "uint",
    "ulong",
    "uniform",
    "ushort",
    "vec_step",
    "write_only",
];
