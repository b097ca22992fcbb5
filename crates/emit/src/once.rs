//! Long functions that do each thing once: an array literal of thousands of computed elements, or the host's part of a program with hundreds of
//! kernels. C compilers take time that grows faster than the function (gcc 12 with `-O3`: 5 s for a literal of 1,000 elements, 92 s for 5,000;
//! without optimisation, a second), and there is nothing to gain: what such a function does is a few microseconds of work, or it waits
//! for what it launches. So an attribute keeps the C compiler from optimising it.
//!
//! A function with a loop that does work of its own is optimised however long it is. So are those that call themselves, and all that kernels do.

use norn_ir::imp::walk::for_each_stmt;
use norn_ir::imp::{Block, DeviceStmt, Fun, Stmt};

/// As many statements are optimised in seconds.
const LONG: usize = 1000;

/// Whether a function is long and does nothing often.
pub(crate) fn is_long_and_runs_once(fun: &Fun) -> bool {
    let mut count = 0;
    let mut works = fun.recursive;
    for_each_stmt(&fun.body, &mut |stmt| {
        count += 1;
        match stmt {
            Stmt::For { body, .. } => works |= !launches(body),
            Stmt::While { before, body, .. } => works |= !launches(before) && !launches(body),
            _ => {}
        }
    });
    count >= LONG && !works
}

fn launches(block: &Block) -> bool {
    let mut found = false;
    for_each_stmt(block, &mut |stmt| {
        found |= matches!(stmt, Stmt::Launch { .. } | Stmt::Device(DeviceStmt::Launch { .. }));
    });
    found
}
