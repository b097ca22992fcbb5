//! Chunks of launches whose kernels pack panels: fewer and larger ones.
//!
//! Each chunk packs all panels for itself, which costs as much as some rows do. So a chunk gets many rows, as long as there
//! are chunks for all workers.

use norn_ir::imp::walk::PartMut;
use norn_ir::imp::{Block, Exp, Prog, Split, Stmt};

/// How many rows make packing cheap.
const ROWS: i64 = 64;

/// `packing` says of each kernel whether it packs what all of its range shares.
pub fn widen_chunks(prog: &mut Prog, packing: &[bool]) {
    prog.funs.iter_mut().for_each(|fun| block(&mut fun.body, packing));
    prog.kernels.iter_mut().for_each(|kernel| block(&mut kernel.body, packing));
}

fn block(stmts: &mut Block, packing: &[bool]) {
    for stmt in stmts {
        if let Stmt::Launch { kernel, width, chunks, split: Split::Even, .. } = stmt
            && packing[kernel.0 as usize]
        {
            let most = width.clone().quot(ROWS).max(Exp::Workers);
            *chunks = chunks.clone().min(most);
        }
        stmt.for_each_part_mut(&mut |part| match part {
            PartMut::Block(inner) => block(inner, packing),
            PartMut::Assigned(_) | PartMut::Exp(_) | PartMut::Accumulator(_) => {}
        });
    }
}
