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

use norn_ir::imp::walk::Part;
use norn_ir::imp::{Block, DeviceStmt, Stmt, Var};
use rustc_hash::FxHashSet;

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
