//! What a dialect of C does its own way.
//!
//! The printer asks for the names of types, the heads of functions, and how far the language's arithmetic can be trusted.
//! Everything else it writes (expressions, statements, calls of `norn_..` primitives) is the same in all
//! dialects, whose headers define those primitives.

mod c;
mod cuda;
mod device;
mod needs;
mod opencl;

pub(crate) use c::C;
pub(crate) use cuda::Cuda;
pub(crate) use device::{DeviceDialect, PointerParams, memory_type};
pub(crate) use needs::Needs;
use norn_ir::imp::{Elem, Fun, LoopForm, Type};
pub(crate) use opencl::OpenCl;

pub(crate) trait Dialect {
    /// The primitives that a program needs, as text.
    fn headers(&self, needs: &Needs) -> Vec<&'static str>;
    fn arithmetic(&self) -> Arithmetic;
    fn side(&self) -> Side;
    fn pointer(&self, elem: Elem) -> String;
    fn block(&self) -> &'static str;
    fn region(&self) -> &'static str;
    /// What stands in front of a function of this name, and its first parameter.
    fn function_head(&self, name: &str, fun: &Fun) -> String;
    /// The line before a loop, which runs so many times if that is known.
    fn loop_hint(&self, form: &LoopForm, count: Option<i64>) -> Option<&'static str>;
    /// Whether pointers to memory of one thread are as all others.
    fn has_own_blocks(&self) -> bool {
        false
    }
    /// Words beside those of C that no variable can have as its name.
    fn words(&self) -> &'static [&'static str];

    /// A scalar's type; masks are wide as the printer decides, so vectors are not for the dialect.
    fn ty(&self, ty: Type) -> Option<String> {
        match ty {
            Type::Scalar(prim) => Some(prim.name().to_string()),
            Type::Vector(..) => None,
            Type::Ptr(elem) => Some(self.pointer(elem)),
            Type::Remote(_) => Some(REMOTE.to_string()),
            Type::Local(_) => unreachable!("emit: an array is declared as one, and mentioned by its name"),
            Type::Block => Some(self.block().to_string()),
            Type::Region => Some(self.region().to_string()),
        }
    }
}

/// An address on the device.
const REMOTE: &str = "u64";

/// Who runs the text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Cpu,
    /// Threads of a group: there is nobody to ask for anything, and nothing to be told.
    Device,
}

/// How numbers are computed and written.
#[derive(Clone, Copy)]
pub(crate) struct Arithmetic {
    /// Signed integers wrap around. If not, their operators are functions.
    pub wraps: bool,
    /// `f64` is always there, also for programs that have none.
    pub has_doubles: bool,
    /// What stands behind a constant of 64 bits.
    pub long: &'static str,
}
