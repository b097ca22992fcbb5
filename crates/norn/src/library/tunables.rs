//! The tunables that a library's users can set when it runs: the thresholds between versions of its program (`norn_passes::tuning`).

use norn_ir::imp::walk::{Part, PartMut, for_each_stmt};
use norn_ir::imp::{Block, Entry, Exp, FunId, Prog, Stmt};
use std::collections::BTreeSet;

/// Numbers those that the program reads from 0 on, and returns their names. Passes asked for others, too, whose versions turned out to be one.
pub fn keep_used(prog: &mut Prog, names: &[String]) -> Vec<String> {
    let mut used = BTreeSet::new();
    for fun in &prog.funs {
        in_block(&fun.body, &mut used);
        fun.results.iter().for_each(|result| in_exp(result, &mut used));
    }
    prog.kernels.iter().for_each(|kernel| in_block(&kernel.body, &mut used));
    let used: Vec<u32> = used.into_iter().collect();
    let renumbered =
        |number: u32| used.iter().position(|other| *other == number).map_or(number, |at| at as u32);
    for fun in &mut prog.funs {
        renumber_block(&mut fun.body, &renumbered);
        fun.results.iter_mut().for_each(|result| renumber(result, &renumbered));
    }
    prog.kernels.iter_mut().for_each(|kernel| renumber_block(&mut kernel.body, &renumbered));
    used.iter().map(|number| names[*number as usize].clone()).collect()
}

/// The numbers of those that decide what an entry point does.
pub fn used_by(prog: &Prog, entry: &Entry) -> BTreeSet<u32> {
    let mut used = BTreeSet::new();
    let mut seen = BTreeSet::from([entry.fun.0]);
    let mut waiting = vec![entry.fun];
    while let Some(FunId(number)) = waiting.pop() {
        let fun = &prog.funs[number as usize];
        let mut blocks = vec![&fun.body];
        fun.results.iter().for_each(|result| in_exp(result, &mut used));
        while let Some(block) = blocks.pop() {
            in_block(block, &mut used);
            for_each_stmt(block, &mut |stmt| match stmt {
                Stmt::Call { fun, .. } if seen.insert(fun.0) => waiting.push(*fun),
                Stmt::Const { id, .. } if seen.insert(prog.consts[id.0 as usize].fun.0) => {
                    waiting.push(prog.consts[id.0 as usize].fun);
                }
                Stmt::Launch { kernel, .. } => blocks.push(&prog.kernels[kernel.0 as usize].body),
                _ => {}
            });
        }
    }
    used
}

fn in_block(block: &Block, used: &mut BTreeSet<u32>) {
    for_each_stmt(block, &mut |stmt| {
        stmt.for_each_part(&mut |part| match part {
            Part::Exp(exp) => in_exp(exp, used),
            Part::Assigned(_) | Part::Block(_) | Part::Accumulator(_) => {}
        });
    });
}

fn in_exp(exp: &Exp, used: &mut BTreeSet<u32>) {
    if let Exp::Tunable(number) = exp {
        used.insert(*number);
    }
    exp.for_each_child(&mut |child| in_exp(child, used));
}

fn renumber_block(block: &mut Block, renumbered: &impl Fn(u32) -> u32) {
    for stmt in block {
        stmt.for_each_part_mut(&mut |part| match part {
            PartMut::Exp(exp) => renumber(exp, renumbered),
            PartMut::Block(block) => renumber_block(block, renumbered),
            PartMut::Assigned(_) | PartMut::Accumulator(_) => {}
        });
    }
}

fn renumber(exp: &mut Exp, renumbered: &impl Fn(u32) -> u32) {
    if let Exp::Tunable(number) = exp {
        *number = renumbered(*number);
    }
    exp.for_each_child_mut(&mut |child| renumber(child, renumbered));
}
