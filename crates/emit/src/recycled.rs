//! Kernels whose threads never need more memory than they have of their own, though loops hand on blocks.
//!
//! ```text
//! let a = alloc 160                        a thread holds a block in `a` and one in `b`, so that two of 160 bytes are enough,
//! loop {                            ==>    however often the loop runs: what is released is used again
//!   let b = alloc 160
//!   ..
//!   release a
//!   a := b
//! }
//! ```
//!
//! A thread holds at most one block for each variable that can hold one. If all blocks have the same size, each that is released serves the next that is allocated, so as
//! many as there are variables are enough. So such a kernel cannot run out of memory, and its host does not wait to see whether it has: the solution of a small system
//! of equations by rows that are recomputed in each step, the state of a small filter.
//!
//! Refuses: sizes that are not known; blocks that functions allocate, which may have any number of them; more than a thread should have of its own. Only where
//! threads have memory of their own (CUDA).

use crate::own::own_blocks;
use norn_ir::imp::reach::{calls, reached};
use norn_ir::imp::walk::for_each_stmt;
use norn_ir::imp::{GroupKernel, Prog, Stmt, Type};

/// The header of a block, and what sizes are rounded up to, of rts/gpu/memory.h.
const HEADER: i64 = 32;
/// The bytes that a thread may have for this.
const MOST: i64 = 4 << 10;

/// The blocks that a thread has for itself.
#[derive(Clone, Copy)]
pub(crate) struct Recycled {
    /// Of each.
    pub bytes: i64,
    /// Of all, with their headers.
    pub total: i64,
}

pub(crate) fn recycled(prog: &Prog, kernel: &GroupKernel) -> Option<Recycled> {
    let own = own_blocks(&kernel.body, &[]);
    let mut largest: Option<i64> = None;
    let mut is_known = true;
    for_each_stmt(&kernel.body, &mut |stmt| match stmt {
        Stmt::Alloc { block, bytes, .. } if !own.contains_key(block) => match bytes.as_i64() {
            Some(bytes) => largest = Some(largest.unwrap_or(0).max(bytes)),
            None => is_known = false,
        },
        Stmt::RegionNew(_) => is_known = false,
        _ => {}
    });
    for (fun, is_reached) in prog.funs.iter().zip(reached(prog, calls(&kernel.body))) {
        for_each_stmt(&fun.body, &mut |stmt| {
            is_known &= !(is_reached && matches!(stmt, Stmt::Alloc { .. } | Stmt::RegionNew(_)));
        });
    }
    let bytes = (largest.filter(|_| is_known)?.max(1) + HEADER - 1) / HEADER * HEADER;
    let holds = kernel.vars.iter().filter(|info| info.ty == Type::Block).count() as i64;
    let total = (bytes + HEADER).checked_mul(holds - own.len() as i64)?;
    (total <= MOST).then_some(Recycled { bytes, total })
}
