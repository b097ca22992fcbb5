//! Code motion in the host's part of imp: what else has to move if a statement moves up.
//!
//! ```text
//! launch_groups a(..)                       block: block = alloc_device(8)
//! release(partial)                          next: remote f64 = remote.f64(block)
//! block: block = alloc_device(8)     ==>    launch_groups a(..), and what moves up
//! next: remote f64 = remote.f64(block)      release(partial)
//! launch_groups b(next) in 1
//! ```
//!
//! Only statements that neither wait nor can end the run are crossed. A statement that defines what the moving one needs, or checks it, moves along, and then must not change
//! what any statement that it crosses mentions.

use norn_ir::imp::walk::{Part, PartMut};
use norn_ir::imp::{Block, DeviceStmt, Prog, Stmt, Var};
use rustc_hash::FxHashSet;

/// In all blocks of the host, those inside first, each statement of a kind meets the one before it of this kind, if only such statements are between them as may be crossed. `join`
/// gets what comes before it, with the place of the other one, and puts it there or into the other one; it returns the place that it has then.
pub fn join_neighbours(
    prog: &mut Prog,
    is_it: impl Fn(&Stmt) -> bool,
    is_crossed: impl Fn(&Stmt) -> bool,
    join: &mut dyn FnMut(&mut Block, Option<usize>, Stmt) -> usize,
) {
    let bodies = prog.funs.iter_mut().map(|fun| &mut fun.body);
    for body in bodies.chain(prog.kernels.iter_mut().map(|kernel| &mut kernel.body)) {
        join_in_block(body, &is_it, &is_crossed, join);
    }
}

fn join_in_block(
    block: &mut Block,
    is_it: &dyn Fn(&Stmt) -> bool,
    is_crossed: &dyn Fn(&Stmt) -> bool,
    join: &mut dyn FnMut(&mut Block, Option<usize>, Stmt) -> usize,
) {
    let mut done: Block = Vec::with_capacity(block.len());
    let mut open: Option<usize> = None;
    for mut stmt in std::mem::take(block) {
        stmt.for_each_part_mut(&mut |part| match part {
            PartMut::Block(inside) => join_in_block(inside, is_it, is_crossed, join),
            PartMut::Assigned(_) | PartMut::Exp(_) | PartMut::Accumulator(_) => {}
        });
        if is_it(&stmt) {
            open = Some(join(&mut done, open, stmt));
            continue;
        }
        if !is_crossed(&stmt) {
            open = None;
        }
        done.push(stmt);
    }
    *block = done;
}

/// Whether launches and reads of the device may move up across this statement of the host.
pub fn may_be_crossed(stmt: &Stmt) -> bool {
    matches!(
        stmt,
        Stmt::Set(..) | Stmt::Retain(_) | Stmt::Release(_) | Stmt::Device(DeviceStmt::Alloc { .. })
    )
}

/// Whether it only ends the run if something does not hold.
pub fn is_check(stmt: &Stmt) -> bool {
    let Stmt::If { cond: _, then, els } = stmt else { return false };
    els.is_empty() && matches!(then[..], [Stmt::Fail { .. }])
}

/// Which of these statements, behind the first, have to stand before the first if the last one, which is not among them, moves there. None: it cannot.
pub fn moved_along(stmts: &[Stmt], last: &Stmt) -> Option<FxHashSet<usize>> {
    let (mut needed, mut defined) = (FxHashSet::default(), FxHashSet::default());
    mentions(last, &mut needed, &mut defined);
    let (mut moved, mut defined_early) = (FxHashSet::default(), defined);
    for (place, stmt) in stmts.iter().enumerate().skip(1).rev() {
        let is_needed = match stmt {
            Stmt::Set(var, _) => needed.remove(var),
            Stmt::Device(DeviceStmt::Alloc { block, .. }) => needed.remove(block),
            // What is released is not needed any more: whoever needs it has retained it. What is checked may be where the moving statement reads.
            _ => is_check(stmt),
        };
        if is_needed {
            moved.insert(place);
            mentions(stmt, &mut needed, &mut defined_early);
        }
    }
    let stays = |(place, _): &(usize, &Stmt)| !moved.contains(place);
    let is_free = stmts.iter().enumerate().filter(stays).all(|(_, stmt)| {
        let (mut used, mut defined) = (FxHashSet::default(), FxHashSet::default());
        mentions(stmt, &mut used, &mut defined);
        defined.is_disjoint(&needed)
            && defined.is_disjoint(&defined_early)
            && used.is_disjoint(&defined_early)
    });
    is_free.then_some(moved)
}

/// Puts these of the statements from a place on before it. Returns where the statement is that was there.
pub fn move_along(block: &mut Block, at: usize, moved: &FxHashSet<usize>) -> usize {
    let tail = block.split_off(at);
    let (before, behind): (Vec<_>, Vec<_>) =
        tail.into_iter().enumerate().partition(|(place, _)| moved.contains(place));
    let first = at + before.len();
    block.extend(before.into_iter().chain(behind).map(|(_, stmt)| stmt));
    first
}

/// The variables that a statement uses and assigns.
fn mentions(stmt: &Stmt, used: &mut FxHashSet<Var>, assigned: &mut FxHashSet<Var>) {
    stmt.for_each_part(&mut |part| match part {
        Part::Assigned(var) => _ = assigned.insert(var),
        Part::Exp(exp) => exp.for_each_var(&mut |var| _ = used.insert(var)),
        Part::Block(block) => block.iter().for_each(|stmt| mentions(stmt, used, assigned)),
        Part::Accumulator(_) => {}
    });
}
