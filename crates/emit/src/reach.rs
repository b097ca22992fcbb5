//! What follows for the text from who calls whom: which functions are left out of the host's program, and what kernels need.

use norn_ir::imp::reach::{calls, on_device, reached};
use norn_ir::imp::walk::for_each_stmt;
use norn_ir::imp::{Block, FunId, GroupKernel, Prog, Stmt};

/// The functions that are left out of the host's program: nobody but group kernels reaches them.
pub(crate) fn only_on_device(prog: &Prog) -> Vec<bool> {
    let device = on_device(prog);
    let mut roots: Vec<FunId> = prog.entries.iter().map(|entry| entry.fun).collect();
    roots.extend(prog.consts.iter().map(|constant| constant.fun));
    prog.kernels.iter().for_each(|kernel| roots.extend(calls(&kernel.body)));
    // What nobody reaches is called by somebody whom we do not know.
    roots.extend((0..prog.funs.len()).filter(|i| !device[*i]).map(|i| FunId(i as u32)));
    let host = reached(prog, roots);
    device.iter().zip(host).map(|(device, host)| *device && !host).collect()
}

/// Whether threads of a kernel allocate, here or in a function that they reach.
pub(crate) fn uses_heap(prog: &Prog, kernel: &GroupKernel) -> bool {
    reaches(prog, kernel, &|stmt| matches!(stmt, Stmt::Alloc { .. }))
}

/// Whether threads of a kernel can fail, here or in a function that they reach.
pub(crate) fn may_fail(prog: &Prog, kernel: &GroupKernel) -> bool {
    reaches(prog, kernel, &|stmt| matches!(stmt, Stmt::Alloc { .. } | Stmt::Fail { .. }))
}

fn reaches(prog: &Prog, kernel: &GroupKernel, wanted: &dyn Fn(&Stmt) -> bool) -> bool {
    let has = |body: &Block| {
        let mut found = false;
        for_each_stmt(body, &mut |stmt| found |= wanted(stmt));
        found
    };
    let reached = reached(prog, calls(&kernel.body));
    has(&kernel.body) || prog.funs.iter().zip(reached).any(|(fun, is_reached)| is_reached && has(&fun.body))
}

/// Panics if a function that runs on a device comes back to itself: a thread there has no stack to speak of, and OpenCL forbids it.
pub(crate) fn expect_no_circles(prog: &Prog) {
    for (i, on_device) in on_device(prog).into_iter().enumerate() {
        let fun = &prog.funs[i];
        if on_device && reached(prog, calls(&fun.body))[i] {
            panic!(
                "emit: `{}` is recursive, but a group kernel calls it; such functions stay on the CPU",
                fun.name
            );
        }
    }
}
