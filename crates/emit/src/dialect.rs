//! What a dialect of C does its own way.
//!
//! The printer asks for the names of types, the heads of functions and kernels, and the words that only some
//! compilers know. Everything else it writes (expressions, statements, calls of `norn_..` primitives) is the same
//! in all dialects, whose headers define those primitives.

use crate::vector::Vectors;
use norn_ir::imp::{Elem, Prim, Type};

pub(crate) trait Dialect {
    /// The primitives that a program needs, as text.
    fn headers(&self, needs: &Needs) -> Vec<&'static str>;
    fn pointer(&self, elem: Elem) -> String;
    /// What stands in front of a function, and its first parameter.
    fn function_head(&self, name: &str) -> String;
    /// All of the head of a kernel; the names are those of its chunk and bounds.
    fn kernel_head(&self, name: &str, chunk: &str, from: &str, to: &str) -> String;
    /// The line before a loop whose iterations do not depend on each other.
    fn independent(&self) -> &'static str;
    /// A condition that hardly ever holds.
    fn unlikely(&self, condition: &str) -> String;

    /// A scalar's type; masks are wide as the printer decides, so vectors are not for the dialect.
    fn ty(&self, ty: Type) -> Option<String> {
        match ty {
            Type::Scalar(prim) => Some(prim.name().to_string()),
            Type::Vector(..) => None,
            Type::Ptr(elem) | Type::Local(elem) => Some(self.pointer(elem)),
            Type::Remote(_) => Some(REMOTE.to_string()),
            Type::Block => Some(BLOCK.to_string()),
            Type::Region => Some(REGION.to_string()),
        }
    }
}

/// An address on the device.
const REMOTE: &str = "u64";
const BLOCK: &str = "norn_block *";
const REGION: &str = "norn_region *";

/// What a program uses, beyond what all do.
#[derive(Default)]
pub(crate) struct Needs {
    pub ints: bool,
    pub floats: bool,
    pub halves: bool,
    pub vectors: Vectors,
}

impl Needs {
    /// An operator of this type is called by its name.
    pub fn operator(&mut self, prim: Prim) {
        self.ints |= prim.is_int();
        self.floats |= prim.is_float();
        self.halves |= prim == Prim::F16;
    }

    /// A value of this type is declared.
    pub fn value(&mut self, ty: Type) {
        let half = match ty {
            Type::Scalar(prim) | Type::Vector(prim, _) | Type::Ptr(Elem::Prim(prim)) => prim == Prim::F16,
            Type::Ptr(Elem::Any | Elem::Block | Elem::Region)
            | Type::Remote(_)
            | Type::Local(_)
            | Type::Block
            | Type::Region => false,
        };
        if half {
            self.operator(Prim::F16);
        }
    }
}

/// C as gcc and clang know it.
pub(crate) struct C;

impl Dialect for C {
    fn headers(&self, needs: &Needs) -> Vec<&'static str> {
        let mut headers = vec![
            include_str!("../../../rts/cpu/abi.h"),
            include_str!("../../../rts/cpu/run.h"),
            include_str!("../../../rts/cpu/memory.h"),
        ];
        let vectors = &needs.vectors;
        if needs.ints {
            headers.push(include_str!("../../../rts/cpu/int.h"));
        }
        if needs.floats || !vectors.is_empty() {
            headers.push(include_str!("../../../rts/cpu/float.h"));
        }
        if needs.halves {
            headers.push(include_str!("../../../rts/cpu/half.h"));
        }
        if !vectors.is_empty() {
            headers.push(include_str!("../../../rts/cpu/vector.h"));
            headers.push(include_str!("../../../rts/cpu/vector_ops.h"));
            headers.push(include_str!("../../../rts/cpu/vector_memory.h"));
            headers.push(include_str!("../../../rts/cpu/hardware.h"));
        }
        let math = vectors.math();
        if math.exp || math.log || math.trig || math.pow {
            headers.push(include_str!("../../../rts/cpu/vmath/native.h"));
        }
        if math.exp || math.pow {
            headers.push(include_str!("../../../rts/cpu/vmath/exp.h"));
        }
        if math.log || math.pow {
            headers.push(include_str!("../../../rts/cpu/vmath/log.h"));
        }
        if math.trig {
            headers.push(include_str!("../../../rts/cpu/vmath/trig.h"));
        }
        if math.pow {
            headers.push(include_str!("../../../rts/cpu/vmath/pow.h"));
        }
        headers
    }

    fn pointer(&self, elem: Elem) -> String {
        match elem {
            Elem::Prim(prim) => format!("{prim} *"),
            Elem::Any => "void **".to_string(),
            Elem::Block => format!("{BLOCK}*"),
            Elem::Region => format!("{REGION}*"),
        }
    }

    fn function_head(&self, name: &str) -> String {
        format!("static int {name}(norn_worker *w")
    }

    fn kernel_head(&self, name: &str, chunk: &str, from: &str, to: &str) -> String {
        format!("NORN_KERNEL int {name}(norn_worker *w, const void *args, i64 {chunk}, i64 {from}, i64 {to})")
    }

    fn independent(&self) -> &'static str {
        "NORN_INDEPENDENT"
    }

    fn unlikely(&self, condition: &str) -> String {
        format!("NORN_UNLIKELY({condition})")
    }
}
