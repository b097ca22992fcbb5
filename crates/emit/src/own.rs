//! Blocks of a kernel that are arrays of its threads.
//!
//! ```text
//! let block = alloc 64                     __align__(32) u8 block[64];
//! let xs = data.f32 block           ==>    f32 *xs = (f32 *)block;
//! ..                                       ..
//! release block
//! ```
//!
//! A block of known size that is released where it was allocated, or in the branches behind that, needs no heap: nobody counts who uses it, and the compiler may keep its elements in registers. So
//! the kernel cannot run out of memory, and its host does not wait to see whether it has. Only where a pointer leads anywhere (CUDA): in OpenCL
//! pointers to a thread's own memory are of another type.
//!
//! Refuses: blocks that something else than their elements is asked of, since another variable may keep them alive; large ones, and all that are too
//! many together, since the device sets this memory aside for all threads that it can run at once.

use norn_ir::imp::walk::Part;
use norn_ir::imp::{Block, Exp, Stmt, Var};
use std::collections::HashMap;

/// The bytes of all own arrays of a body.
const MOST: i64 = 8 << 10;

/// The blocks, and how many bytes they have.
pub(crate) fn own_blocks(body: &Block, results: &[Exp]) -> HashMap<Var, i64> {
    let mut finder = Finder::default();
    finder.block(body);
    results.iter().for_each(|result| finder.exp(result));
    let mut own = HashMap::new();
    let mut left = MOST;
    for (var, bytes) in finder.allocated {
        if !finder.refused.contains(&var) && bytes <= left {
            left -= bytes;
            own.insert(var, bytes);
        }
    }
    own
}

#[derive(Default)]
struct Finder {
    /// In the order of the text.
    allocated: Vec<(Var, i64)>,
    refused: Vec<Var>,
}

impl Finder {
    fn block(&mut self, block: &Block) {
        for (at, stmt) in block.iter().enumerate() {
            match stmt {
                Stmt::Alloc { block: var, bytes, .. } => {
                    let is_first = !self.allocated.iter().any(|(other, _)| other == var);
                    match bytes.as_i64() {
                        Some(bytes) if is_first && bytes >= 0 && is_released(*var, &block[at..]) => {
                            self.allocated.push((*var, bytes.max(1)));
                        }
                        _ => self.refused.push(*var),
                    }
                }
                Stmt::Release(Exp::Var(_)) => {}
                stmt => stmt.for_each_part(&mut |part| match part {
                    Part::Assigned(var) => self.refused.push(var),
                    Part::Exp(exp) => self.exp(exp),
                    Part::Accumulator(accumulator) => self.refused.push(accumulator.var),
                    Part::Block(block) => self.block(block),
                }),
            }
        }
    }

    fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::Data(_, block) if matches!(**block, Exp::Var(_)) => {}
            Exp::Var(var) => self.refused.push(*var),
            exp => exp.for_each_child(&mut |child| self.exp(child)),
        }
    }
}

/// Whether these statements, or those in them, release a block. Each block is released once on every path, or a variable that keeps it refuses it.
fn is_released(block: Var, stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| {
        let mut found = matches!(stmt, Stmt::Release(Exp::Var(other)) if *other == block);
        stmt.for_each_part(&mut |part| {
            if let Part::Block(inner) = part {
                found |= is_released(block, inner);
            }
        });
        found
    })
}
