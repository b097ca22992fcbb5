//! Programs in nest: they obey its rules, and their text reads back.

use crate::Verdict;
use norn::pipeline::compile_observed;
use norn::testing::Subject;
use norn::{Paint, render_all};
use norn_base::SourceMap;
use norn_check::typed::Program;
use norn_ir::nest::Prog;
use norn_ir::nest::parse::parse;
use norn_ir::nest::print::print;
use norn_ir::nest::verify::{Stage, verify};

/// Whether the program obeys the rules of nest after every pass, and `parse(print(p))` is `p`.
pub fn check_nest(sources: &SourceMap, program: &Program) -> Verdict {
    let mut verdict = Ok(());
    let compiled = compile_observed(program, &mut |pass, prog| {
        if verdict.is_ok() {
            verdict = check_after(pass, prog);
        }
    });
    match compiled {
        Ok(_) => verdict,
        // What is not supported yet is said so; then there is no program to look at.
        Err(said) if said.iter().all(|d| d.code == norn_base::codes::NOT_SUPPORTED) => Ok(()),
        Err(said) => Err(render_all(sources, &said, Paint::Plain)),
    }
}

/// The same for a program that is tested in other ways, too. One with errors has no nest.
pub fn check_nest_of(subject: &Subject) -> Verdict {
    if subject.outcome()?.diagnostics.has_errors() {
        return Ok(());
    }
    let mut verdict = Ok(());
    let lowered = subject.lower_observed(&mut |pass, prog| {
        if verdict.is_ok() {
            verdict = check_after(pass, prog);
        }
    });
    match lowered {
        Err(_) if subject.is_unsupported() => Ok(()),
        Err(said) => Err(said.into()),
        Ok(()) => verdict,
    }
}

fn check_after(pass: &str, prog: &Prog) -> Verdict {
    let stage =
        if ["lower", "differentiate"].contains(&pass) { Stage::BeforeRegions } else { Stage::Complete };
    let broken: String = verify(prog, stage).iter().map(|v| format!("{v}\n")).collect();
    if !broken.is_empty() {
        return Err(format!("after {pass}:\n{broken}"));
    }
    let text = print(prog);
    match parse(&text) {
        Err(error) => Err(format!("after {pass}, the text does not parse: {error}\n{text}")),
        Ok(back) if back != *prog => {
            Err(format!("after {pass}, the text reads back as another program:\n{text}"))
        }
        Ok(_) => Ok(()),
    }
}
