//! Programs in nest: they obey its rules, and their text reads back.

use crate::Verdict;
use crate::program::Report;
use norn::pipeline::{PASSES, compile_until};
use norn::{Paint, render_all};
use norn_ir::nest::parse::parse;
use norn_ir::nest::print::print;
use norn_ir::nest::verify::{Stage, verify};

/// Whether the program obeys the rules of nest after every pass, and `parse(print(p))` is `p`.
pub fn check_nest(report: &Report) -> Verdict {
    for pass in PASSES {
        let prog = match compile_until(&report.program, pass) {
            Ok(prog) => prog,
            // What is not supported yet is said so; then there is no program to look at.
            Err(said) if said.iter().all(|d| d.code == norn_base::codes::NOT_SUPPORTED) => return Ok(()),
            Err(said) => return Err(render_all(&report.sources, &said, Paint::Plain)),
        };
        let stage = if pass.name == "lower" { Stage::BeforeRegions } else { Stage::Complete };
        let broken: String = verify(&prog, stage).iter().map(|v| format!("{v}\n")).collect();
        if !broken.is_empty() {
            return Err(format!("after {}:\n{broken}", pass.name));
        }
        let text = print(&prog);
        match parse(&text) {
            Err(error) => {
                return Err(format!("after {}, the text does not parse: {error}\n{text}", pass.name));
            }
            Ok(back) if back != prog => {
                return Err(format!("after {}, the text reads back as another program:\n{text}", pass.name));
            }
            Ok(_) => {}
        }
    }
    Ok(())
}
