//! `norn dev --fusion`: the dataflow graph of each block, the clusters, and the cost of the greedy plan beside
//! that of the best one.

use crate::console::{Console, Exit};
use norn::pipeline;
use norn_ir::nest::Prog;
use norn_ir::nest::parse::parse;
use norn_ir::nest::verify::{Stage, verify};
use norn_passes::nest::fuse::{Block, Cost, graphviz, survey};
use norn_passes::pipeline::{NEST_ORDER, NEST_PASSES};
use std::io::Result;
use std::path::Path;

pub fn show_fusion(console: &Console, file: &Path, dot: bool) -> Result<Exit> {
    let is_nest = file.extension().is_some_and(|extension| extension == "nest");
    let prog = if is_nest { read_nest(console, file)? } else { read_source(console, file)? };
    match prog {
        Ok(mut prog) => {
            let blocks = survey(&mut prog);
            console.print(if dot { graphviz(&blocks) } else { text(&blocks) })?;
            Ok(Exit::Ok)
        }
        Err(exit) => Ok(exit),
    }
}

fn text(blocks: &[Block]) -> String {
    let mut out: String = blocks.iter().map(|block| block.text() + "\n").collect();
    let (mut greedy, mut best) = (Cost::default(), Cost::default());
    for block in blocks {
        greedy += block.greedy_cost;
        best += block.best_cost;
    }
    let count = match blocks.len() {
        1 => "1 block".to_string(),
        count => format!("{count} blocks"),
    };
    out.push_str(&format!("{count}\n  greedy: {greedy}\n  ilp:    {best}\n"));
    out
}

/// A program of nest as it is: a test of the pass, or what `--pass` printed. What stands beneath `---` is left out.
fn read_nest(console: &Console, file: &Path) -> Result<std::result::Result<Prog, Exit>> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            console.error(format!("{} cannot be read: {error}", file.display()))?;
            return Ok(Err(Exit::Usage));
        }
    };
    let input = text.split_once("---\n").map_or(text.as_str(), |(input, _)| input);
    let prog = match parse(input) {
        Ok(prog) => prog,
        Err(error) => {
            console.error(format!("{}:{error}", file.display()))?;
            return Ok(Err(Exit::Rejected));
        }
    };
    let violations = verify(&prog, Stage::Complete);
    if !violations.is_empty() && !verify(&prog, Stage::BeforeRegions).is_empty() {
        for violation in violations {
            console.error(violation)?;
        }
        return Ok(Err(Exit::Rejected));
    }
    Ok(Ok(prog))
}

/// A program of the source language, after the passes that run before fusion.
fn read_source(console: &Console, file: &Path) -> Result<std::result::Result<Prog, Exit>> {
    let (program, sources) = match super::checked(console, file)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(Err(exit)),
    };
    let mut prog = match pipeline::compile(&program) {
        Ok(prog) => prog,
        Err(diagnostics) => {
            console.report(&sources, &diagnostics)?;
            return Ok(Err(Exit::Rejected));
        }
    };
    for name in NEST_ORDER.iter().take_while(|name| **name != "fuse") {
        if let Some(pass) = NEST_PASSES.iter().find(|pass| pass.name == *name) {
            (pass.run)(&mut prog);
        }
    }
    Ok(Ok(prog))
}
