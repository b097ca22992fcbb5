//! What follows for the text from who calls whom: which functions are left out of the host's program, and what kernels need.

use crate::own::own_blocks;
use crate::recycled::recycled;
use norn_ir::imp::reach::{calls, on_device, reached};
use norn_ir::imp::walk::{Part, for_each_stmt};
use norn_ir::imp::{Elem, Exp, Fun, FunId, GroupKernel, Prog, Stmt, Type, VarInfo};
use std::collections::HashMap;

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

/// Whether threads of a kernel allocate, here or in a function that they reach, more than they have memory of their own for.
pub(crate) fn uses_heap(prog: &Prog, kernel: &GroupKernel, has_own_blocks: bool) -> bool {
    let mut found = false;
    for_each_alloc(prog, kernel, has_own_blocks, &mut |_| found = true);
    found && (!has_own_blocks || recycled(prog, kernel).is_none())
}

/// The fewest bytes of an element to which a thread of a kernel may have a pointer.
pub(crate) fn smallest_element(prog: &Prog, kernel: &GroupKernel) -> u8 {
    let vars = reached_funs(prog, kernel).flat_map(|fun| &fun.vars).chain(&kernel.vars);
    let pointed_at = |info: &VarInfo| if let Type::Ptr(elem) = info.ty { Some(elem.bytes()) } else { None };
    let mut smallest = vars.filter_map(pointed_at).min().unwrap_or(8);
    for_each_reached(prog, kernel, &mut |stmt| {
        stmt.for_each_part(&mut |part| {
            if let Part::Exp(exp) = part {
                for_each_cast(exp, &mut |elem| smallest = smallest.min(elem.bytes()));
            }
        });
    });
    smallest as u8
}

fn for_each_cast(exp: &Exp, f: &mut dyn FnMut(Elem)) {
    if let Exp::Cast(elem, _) | Exp::Data(elem, _) = exp {
        f(*elem);
    }
    exp.for_each_child(&mut |child| for_each_cast(child, f));
}

/// Whether threads of a kernel can fail, here or in a function that they reach.
pub(crate) fn may_fail(prog: &Prog, kernel: &GroupKernel, has_own_blocks: bool) -> bool {
    let mut found = uses_heap(prog, kernel, has_own_blocks);
    // A region of the host can be full.
    for_each_reached(prog, kernel, &mut |stmt| {
        found |= matches!(stmt, Stmt::Fail { .. } | Stmt::CellNew { .. })
    });
    found
}

/// The bytes of a region that a thread begins (rts/gpu/regions.h).
const FIRST_REGION: i64 = 1024;

/// The bytes of each block that threads of a kernel allocate.
fn for_each_alloc(prog: &Prog, kernel: &GroupKernel, has_own_blocks: bool, f: &mut dyn FnMut(&Exp)) {
    let bodies = reached_funs(prog, kernel).map(|fun| (&fun.body, &fun.results[..]));
    for (body, results) in bodies.chain([(&kernel.body, &[][..])]) {
        let own = if has_own_blocks { own_blocks(body, results) } else { HashMap::new() };
        for_each_stmt(body, &mut |stmt| match stmt {
            Stmt::Alloc { block, bytes, .. } if !own.contains_key(block) => f(bytes),
            Stmt::RegionNew(_) => f(&Exp::i64(FIRST_REGION)),
            _ => {}
        });
    }
}

fn for_each_reached(prog: &Prog, kernel: &GroupKernel, f: &mut dyn FnMut(&Stmt)) {
    for_each_stmt(&kernel.body, &mut |stmt| f(stmt));
    reached_funs(prog, kernel).for_each(|fun| for_each_stmt(&fun.body, &mut |stmt| f(stmt)));
}

/// The functions that a kernel calls, and those that these call.
fn reached_funs<'a>(prog: &'a Prog, kernel: &GroupKernel) -> impl Iterator<Item = &'a Fun> + use<'a> {
    let reached = reached(prog, calls(&kernel.body));
    prog.funs.iter().zip(reached).filter(|(_, is_reached)| *is_reached).map(|(fun, _)| fun)
}

/// How many bytes a thread of a kernel should have of its own: what it allocates at each place once, within reason. All that is needed besides comes
/// from the heap.
pub(crate) fn own_memory(prog: &Prog, kernel: &GroupKernel, has_own_blocks: bool) -> i64 {
    /// The header of a block, and what sizes are rounded up to, of rts/gpu/memory.h.
    const HEADER: i64 = 32;
    /// For an array whose size is not known here.
    const USUAL: i64 = 2 << 10;
    /// For all of them. The device sets it aside for all threads that it can run at once.
    const MOST: i64 = 16 << 10;
    let mut bytes = 0;
    for_each_alloc(prog, kernel, has_own_blocks, &mut |size| {
        let size = size.as_i64().unwrap_or(USUAL).clamp(HEADER, MOST);
        bytes += (size + HEADER - 1) / HEADER * HEADER + HEADER;
    });
    bytes.clamp(HEADER, MOST)
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
