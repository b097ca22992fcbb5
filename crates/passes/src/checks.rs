//! A check with which each iteration of a loop begins, and always the same, is made once, before the loop.
//!
//! ```text
//! for s: i64 = 0 .. n {                        if (0 < n) & !(row < rows) {
//!   x: f32 = xs[s].f32                           fail(row, rows) #1
//!   if !(row < rows) {                  ==>    }
//!     fail(row, rows) #1                       for s: i64 = 0 .. n {
//!   }                                            x: f32 = xs[s].f32
//!   ..                                           ..
//! }                                            }
//! ```
//!
//! Nest cannot do that: there a check is made where it stands, and a loop may run no iteration at all. In a thread of a device it keeps the loop from being unrolled.
//!
//! Needs and gives: a valid program. Keeps: results and failures. Refuses: checks behind anything that has an effect, or that may fail in some iterations only.
//! Cost: linear.

use norn_ir::imp::walk::{PartMut, assigned};
use norn_ir::imp::{Block, Exp, Prog, Stmt, Var};

pub fn checks(prog: &mut Prog) {
    prog.funs.iter_mut().for_each(|fun| in_block(&mut fun.body));
    prog.kernels.iter_mut().for_each(|kernel| in_block(&mut kernel.body));
    prog.group_kernels.iter_mut().for_each(|kernel| in_block(&mut kernel.body));
}

fn in_block(block: &mut Block) {
    let mut done = Block::with_capacity(block.len());
    for mut stmt in block.drain(..) {
        stmt.for_each_part_mut(&mut |part| {
            if let PartMut::Block(block) = part {
                in_block(block);
            }
        });
        if let Stmt::For { var, from, to, body, .. } = &mut stmt
            && let Some(first) = next_check(body, 0)
        {
            let mut changes = assigned(body);
            changes.push(*var);
            before_loop(from.clone().lt(to.clone()), &changes, body, first, &mut done);
        }
        done.push(stmt);
    }
    *block = done;
}

fn before_loop(runs: Exp, changes: &[Var], body: &mut Block, first: usize, before: &mut Block) {
    let mut next = Some(first);
    while let Some(at) = next
        && is_fixed(&body[at], changes)
    {
        if let Stmt::If { cond, then, els } = body.remove(at) {
            before.push(Stmt::If { cond: runs.clone().and(cond), then, els });
        }
        next = next_check(body, at);
    }
}

/// The first check from here on, if nothing before it does more than compute.
fn next_check(body: &Block, from: usize) -> Option<usize> {
    let at = from + body[from..].iter().position(|stmt| !matches!(stmt, Stmt::Set(..)))?;
    match &body[at] {
        Stmt::If { then, els, .. } if els.is_empty() && matches!(then[..], [Stmt::Fail { .. }]) => Some(at),
        _ => None,
    }
}

fn is_fixed(check: &Stmt, changes: &[Var]) -> bool {
    let Stmt::If { cond, then, .. } = check else { return false };
    let [Stmt::Fail { operands, .. }] = &then[..] else { return false };
    [cond].into_iter().chain(operands).all(|exp| {
        let mut is_fixed = !exp.reads_memory();
        exp.for_each_var(&mut |var| is_fixed &= !changes.contains(&var));
        is_fixed
    })
}
