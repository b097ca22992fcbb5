//! Functions that call themselves, in kernels: loops with a stack of frames of their own.
//!
//! ```text
//! recursive fun fact (n: i64) -> i64 {             fun fact (n: i64) arrays (own_i64: local i64 64, own_i32: local i32 64) -> i64 {
//!   r: i64 = 1                                       state: i32 = 1i32
//!   if !(n == 0) {                                   while !(state ==.i32 0i32) {
//!     f: i64 = call fact(n - 1) #0                     switch state {
//!     r = n * f                             ==>          case 1 { .. save n and the return point; n = n - 1; return point = 2; state = 1 }
//!   }                                                    case 2 { .. restore n and the return point; state = return point, with n * value }
//!   return r                                           ..
//! }                                                  return value
//!                                                  }
//! ```
//!
//! OpenCL forbids functions that call themselves, and threads of a GPU have no stack to speak of. So all functions of a strongly connected component of
//! calls become one function: a loop around a `switch` over *states* (Holk and others, OOPSLA 2014, section 5.3). A state is a run of statements without such calls, or where
//! a call returns to. A call saves what is live behind it, and the return point of its own function, in a *frame*; a return goes to the return point, which restores them.
//!
//! - The return point is in a variable and saved by calls, like all that is live: a call at the bottom of the recursion touches no memory.
//! - A call whose results are those of its function is a jump.
//! - What no call in the component changes, as the array that a search goes through, stays in its variable.
//! - Frames are in arrays of the thread, which lie in its local memory, up to a depth. Beyond, they are in a block of the heap for threads, which is doubled
//!   when it is full. A kernel that exhausts the heap is run again with a larger one (`runtime/gpu/heap`).
//! - Where it follows from the text how deep a function can go, its frames are in arrays alone.
//!
//! Needs: a valid program. Gives: no function that a group kernel reaches calls itself. Keeps: results and failures, and all functions that only the host
//! calls. Refuses: nothing. Method: `bounded` finds bounds, `fixed` parameters that never change, `states` takes bodies apart, `live` is liveness, `machine` writes the loop.
//! Cost: linear in the size of a component, times the rounds that liveness takes.

mod bounded;
mod fixed;
mod live;
mod machine;
mod states;

use crate::numbering::{keep, numbering, renumber};
use norn_ir::imp::reach::{calls, on_device, reached};
use norn_ir::imp::walk::for_each_stmt_mut;
use norn_ir::imp::{Block, FunId, Prog, Stmt};
use norn_ir::skeleton::calls::components;

pub fn frames(prog: &mut Prog) {
    let device = on_device(prog);
    let callees: Vec<Vec<usize>> = prog
        .funs
        .iter()
        .zip(&device)
        .map(|(fun, on_device)| if *on_device { callees(&fun.body) } else { Vec::new() })
        .collect();
    let is_recursive = |group: &Vec<usize>| group.len() > 1 || callees[group[0]].contains(&group[0]);
    let recursive: Vec<Vec<usize>> = components(&callees).into_iter().filter(is_recursive).collect();
    if recursive.is_empty() {
        return;
    }
    for group in recursive {
        let outside = called_outside(prog, &group);
        machine::replace(prog, &group, &outside);
    }
    forget_unreached(prog, &device);
}

fn callees(body: &Block) -> Vec<usize> {
    let mut found: Vec<usize> = calls(body).into_iter().map(|fun| fun.0 as usize).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The members of a group that others call, by their places in it.
fn called_outside(prog: &Prog, group: &[usize]) -> Vec<usize> {
    let others = (0..prog.funs.len()).filter(|id| !group.contains(id)).map(|id| &prog.funs[id].body);
    let kernels = prog.kernels.iter().map(|kernel| &kernel.body);
    let bodies = others.chain(kernels).chain(prog.group_kernels.iter().map(|kernel| &kernel.body));
    let mut called = vec![false; prog.funs.len()];
    bodies.for_each(|body| calls(body).into_iter().for_each(|fun| called[fun.0 as usize] = true));
    prog.entries.iter().for_each(|entry| called[entry.fun.0 as usize] = true);
    prog.consts.iter().for_each(|constant| called[constant.fun.0 as usize] = true);
    (0..group.len()).filter(|at| called[group[*at]]).collect()
}

/// Removes the functions that were for kernels, and that nobody calls any more.
fn forget_unreached(prog: &mut Prog, were_on_device: &[bool]) {
    let still = on_device(prog);
    let mut roots: Vec<FunId> = prog.entries.iter().map(|entry| entry.fun).collect();
    roots.extend(prog.consts.iter().map(|constant| constant.fun));
    prog.kernels.iter().for_each(|kernel| roots.extend(calls(&kernel.body)));
    let was = |id: usize| were_on_device.get(id).copied().unwrap_or(true);
    roots.extend((0..prog.funs.len()).filter(|id| !was(*id)).map(|id| FunId(id as u32)));
    let host = reached(prog, roots);
    let numbers = numbering(prog.funs.len(), |id| still[id] || host[id]);
    keep(&mut prog.funs, |id| numbers[id].is_some());
    let bodies = prog.funs.iter_mut().map(|fun| &mut fun.body);
    let bodies = bodies.chain(prog.kernels.iter_mut().map(|kernel| &mut kernel.body));
    for body in bodies.chain(prog.group_kernels.iter_mut().map(|kernel| &mut kernel.body)) {
        for_each_stmt_mut(body, &mut |stmt| {
            if let Stmt::Call { fun, .. } = stmt {
                renumber(&mut fun.0, &numbers);
            }
        });
    }
    prog.entries.iter_mut().for_each(|entry| renumber(&mut entry.fun.0, &numbers));
    prog.consts.iter_mut().for_each(|constant| renumber(&mut constant.fun.0, &numbers));
}
