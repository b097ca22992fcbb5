//! CUDA C++ as NVRTC knows it, which has no headers of a system.

use super::device::{self, PointerParams};
use super::{Arithmetic, DeviceDialect, Dialect, Needs, Side};
use norn_ir::imp::{BinOp, Elem, Fun, LoopForm, Prim};

pub(crate) struct Cuda;

impl Dialect for Cuda {
    fn headers(&self, needs: &Needs) -> Vec<&'static str> {
        device::headers(needs, include_str!("../../rts/gpu/cuda.h"), "")
    }

    fn arithmetic(&self) -> Arithmetic {
        Arithmetic { wraps: false, has_doubles: false, long: "ll" }
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

    fn has_own_blocks(&self) -> bool {
        true
    }

    fn words(&self) -> &'static [&'static str] {
        WORDS
    }
}

impl DeviceDialect for Cuda {
    fn heap_param(&self) -> Option<&'static str> {
        None
    }

    fn pointer_params(&self, _: &str, _: &str) -> PointerParams {
        PointerParams::Same
    }

    fn native_atomic(&self, op: BinOp, prim: Prim) -> Option<(&'static str, Prim)> {
        let function = device::atomic_word(op)?.1;
        let at = match (op, prim) {
            // What comes out does not depend on the sign.
            (BinOp::Add | BinOp::And | BinOp::Or | BinOp::Xor, Prim::I64) => Prim::U64,
            (_, Prim::I32 | Prim::U32 | Prim::I64 | Prim::U64) => prim,
            (BinOp::Add, Prim::F32 | Prim::F64) => prim,
            (_, Prim::F32 | Prim::F64) => return None,
            (_, Prim::I8 | Prim::I16 | Prim::U8 | Prim::U16 | Prim::F16 | Prim::Bool) => return None,
        };
        Some((function, at))
    }
}

/// Words of C++ that C has not, and what every kernel has without declaring it.
const WORDS: &[&str] = &[
    "and",
    "and_eq",
    "bitand",
    "bitor",
    "blockDim",
    "blockIdx",
    "catch",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "compl",
    "concept",
    "const_cast",
    "consteval",
    "constinit",
    "co_await",
    "co_return",
    "co_yield",
    "decltype",
    "delete",
    "dynamic_cast",
    "explicit",
    "export",
    "final",
    "friend",
    "gridDim",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "operator",
    "or",
    "or_eq",
    "override",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "requires",
    "static_assert",
    "static_cast",
    "template",
    "this",
    "threadIdx",
    "throw",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
    "warpSize",
    "wchar_t",
    "xor",
    "xor_eq",
];
