//! What the dialects of devices have in common: their headers (rts/gpu) hide most of what makes them differ.

use super::{Dialect, Needs};
use norn_ir::imp::walk::for_each_stmt;
use norn_ir::imp::{BinOp, Elem, Fun, Prim, Stmt};

pub(crate) trait DeviceDialect: Dialect {
    /// The parameter that is the heap, where addresses are not enough.
    fn heap_param(&self) -> Option<&'static str>;
    /// The parameters of a kernel that a pointer is passed by, and what it is in terms of them.
    fn pointer_params(&self, ty: &str, name: &str) -> PointerParams;
    /// The function that combines an element with a value at once, and the type at which it does.
    fn native_atomic(&self, op: BinOp, prim: Prim) -> Option<(&'static str, Prim)>;
}

pub(crate) enum PointerParams {
    /// It is a parameter itself.
    Same,
    /// These parameters, and the value.
    Several(Vec<String>, String),
}

/// Memory holds a `bool` as a byte: OpenCL does not say how wide its own is.
pub(crate) fn memory_type(prim: Prim) -> &'static str {
    if prim == Prim::Bool { Prim::U8.name() } else { prim.name() }
}

pub(super) fn headers(needs: &Needs, dialect: &'static str, wide_atomics: &'static str) -> Vec<&'static str> {
    let mut headers = Vec::new();
    if needs.regions {
        headers.push("#define NORN_REGIONS");
    }
    if needs.cell_blocks {
        headers.push("#define NORN_KEEP_WORDS");
    }
    headers.extend([dialect, include_str!("../../rts/gpu/state.h"), include_str!("../../rts/gpu/run.h")]);
    if needs.atomics.are_wide() || needs.blocks || needs.regions {
        headers.push(wide_atomics);
    }
    if needs.blocks || needs.regions {
        headers.push(include_str!("../../rts/gpu/memory.h"));
    }
    if needs.regions {
        headers.push(include_str!("../../rts/gpu/regions.h"));
    }
    if needs.ints {
        headers.push(include_str!("../../rts/gpu/int.h"));
    }
    if needs.doubles {
        headers.push(include_str!("../../rts/gpu/double.h"));
    }
    if needs.floats || needs.doubles {
        headers.push(include_str!("../../rts/gpu/float.h"));
    }
    if needs.halves {
        headers.push(include_str!("../../rts/gpu/half.h"));
    }
    if !needs.atomics.is_empty() {
        headers.push(include_str!("../../rts/gpu/atomic.h"));
    }
    headers
}

pub(super) const BLOCK: &str = "NORN_GLOBAL norn_block *";
pub(super) const REGION: &str = "NORN_GLOBAL norn_region *";

pub(super) fn pointer(elem: Elem) -> String {
    match elem {
        Elem::Prim(prim) => format!("NORN_GLOBAL {} *", memory_type(prim)),
        Elem::Any => "NORN_GLOBAL void *NORN_GLOBAL *".to_string(),
        Elem::Block => format!("{BLOCK}NORN_GLOBAL *"),
        Elem::Region => format!("{REGION}NORN_GLOBAL *"),
    }
}

/// A function with arrays of its own, which is recursion made a loop, or one that allocates stays a function of its own: the compiler would copy it to each of its
/// calls, and then takes minutes for a kernel that has a dozen of them.
pub(super) fn function_head(name: &str, fun: &Fun) -> String {
    let mut is_apart = !fun.arrays.is_empty();
    for_each_stmt(&fun.body, &mut |stmt| is_apart |= matches!(stmt, Stmt::Alloc { .. }));
    let linkage = if is_apart { "NORN_COLD" } else { "NORN_FUNCTION" };
    format!("{linkage} int {name}(norn_worker *w")
}

/// Iterations are one after the other here; a few of them are better without a loop.
pub(super) fn loop_hint(count: Option<i64>) -> Option<&'static str> {
    count.is_some_and(|count| count <= MOST_UNROLLED).then_some("NORN_UNROLL")
}

const MOST_UNROLLED: i64 = 16;

/// What integers of 32 bits, CUDA and integers of 64 bits call an operation that is done at once.
pub(super) fn atomic_word(op: BinOp) -> Option<(&'static str, &'static str, &'static str)> {
    match op {
        BinOp::Add => Some(("atomic_add", "atomicAdd", "atom_add")),
        BinOp::Min => Some(("atomic_min", "atomicMin", "atom_min")),
        BinOp::Max => Some(("atomic_max", "atomicMax", "atom_max")),
        BinOp::And => Some(("atomic_and", "atomicAnd", "atom_and")),
        BinOp::Or => Some(("atomic_or", "atomicOr", "atom_or")),
        BinOp::Xor => Some(("atomic_xor", "atomicXor", "atom_xor")),
        BinOp::Sub
        | BinOp::Mul
        | BinOp::Div
        | BinOp::Mod
        | BinOp::Quot
        | BinOp::Rem
        | BinOp::Pow
        | BinOp::Shl
        | BinOp::Ashr
        | BinOp::Lshr
        | BinOp::MulHi
        | BinOp::Atan2
        | BinOp::Atan2pi
        | BinOp::Hypot
        | BinOp::Nextafter
        | BinOp::Copysign
        | BinOp::Ldexp
        | BinOp::Eq
        | BinOp::Lt
        | BinOp::Le => None,
    }
}
