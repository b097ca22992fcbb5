//! Whatever a program of the repository does can be differentiated, or is refused: the derivatives of all entry points, forwards and in reverse, obey the rules of nest.

use norn::pipeline::{DIFFERENTIATE, compile_until};
use norn::{FsLoader, with_large_stack};
use norn_differentiate::differentiate;
use norn_ir::nest::Prog;
use norn_ir::nest::derivative::{Derivative, Derivatives, Mode, Numbers};
use norn_ir::nest::verify::{Stage, verify};
use norn_ir::nest::{Body, Fun, FunId};
use norn_testkit::corpus::{RepoFile, files};
use norn_testkit::program::check_text;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn derivatives_of_all_programs_obey_the_rules() {
    let mut wrong = Vec::new();
    let (mut derived, mut refused) = (0, 0);
    with_large_stack("derivatives", || {
        for folder in ["tests/lang", "bench/programs", "examples"] {
            for file in files(folder, "fut") {
                for Asked { what, mut prog, asked } in derivatives_of(&file) {
                    let asked = Derivatives { asked, customs: Vec::new() };
                    let done = catch_unwind(AssertUnwindSafe(|| differentiate(&mut prog, asked)));
                    match done {
                        Err(_) => wrong.push(format!("{what}: it panics")),
                        Ok(Err(_)) => refused += 1,
                        Ok(Ok(())) => {
                            derived += 1;
                            let found = verify(&prog, Stage::BeforeRegions);
                            wrong.extend(found.first().map(|v| format!("{what}: {v}")));
                        }
                    }
                }
            }
        }
    });
    assert!(
        wrong.is_empty(),
        "{derived} derived, {refused} refused, {} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(derived > refused, "{derived} derived, {refused} refused");
}

/// A program with functions that are to be derivatives.
struct Asked {
    what: String,
    prog: Prog,
    asked: Vec<Derivative>,
}

/// For each entry point with floats among its parameters its derivatives, and those of its derivatives.
fn derivatives_of(file: &RepoFile) -> Vec<Asked> {
    let Ok(text) = file.read() else { return Vec::new() };
    let path = norn_testkit::root().join(&file.name);
    let report = check_text(&path.display().to_string(), &text, &mut FsLoader);
    if report.diagnostics.has_errors() {
        return Vec::new();
    }
    let Ok(prog) = compile_until(&report.program, &DIFFERENTIATE) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in &prog.entries {
        let of = &prog.funs[entry.fun.0 as usize];
        let is_of_floats = |at: &usize| Numbers::Floats.include(&of.vars[of.params[*at].var.0 as usize].ty);
        let active: Vec<usize> = (0..of.params.len()).filter(is_of_floats).collect();
        if active.is_empty() {
            continue;
        }
        for modes in MODES {
            let mut prog = prog.clone();
            let mut asked = Vec::new();
            let mut last = entry.fun;
            for mode in *modes {
                let fun = FunId(prog.funs.len() as u32);
                prog.funs.push(Fun { body: Body::default(), ..of.clone() });
                let (mode, numbers, active) = (*mode, Numbers::Floats, active.clone());
                asked.push(Derivative { fun, of: last, mode, numbers, active });
                last = fun;
            }
            found.push(Asked { what: format!("{}: {}, {modes:?}", file.name, entry.name), prog, asked });
        }
    }
    found
}

/// The first derivatives, and the second ones with respect to the same parameters.
const MODES: &[&[Mode]] = &[
    &[Mode::Forward],
    &[Mode::Reverse],
    &[Mode::Forward, Mode::Reverse],
    &[Mode::Reverse, Mode::Forward],
    &[Mode::Reverse, Mode::Reverse],
];
