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
                for (name, prog, derivative) in derivatives_of(&file) {
                    let mut prog = prog;
                    let asked = Derivatives { asked: vec![derivative.clone()], customs: Vec::new() };
                    let done = catch_unwind(AssertUnwindSafe(|| differentiate(&mut prog, asked)));
                    match done {
                        Err(_) => wrong.push(format!("{name}, {:?}: it panics", derivative.mode)),
                        Ok(Err(_)) => refused += 1,
                        Ok(Ok(())) => {
                            derived += 1;
                            let found = verify(&prog, Stage::BeforeRegions);
                            wrong
                                .extend(found.first().map(|v| format!("{name}, {:?}: {v}", derivative.mode)));
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

/// For each entry point with floats among its parameters, a program that asks for a derivative of it.
fn derivatives_of(file: &RepoFile) -> Vec<(String, Prog, Derivative)> {
    let Ok(text) = file.read() else { return Vec::new() };
    let mut loader = FsLoader;
    let path = norn_testkit::root().join(&file.name);
    let report = check_text(&path.display().to_string(), &text, &mut loader);
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
        for mode in [Mode::Forward, Mode::Reverse] {
            let mut prog = prog.clone();
            let fun = FunId(prog.funs.len() as u32);
            prog.funs.push(Fun { body: Body::default(), ..of.clone() });
            let derivative =
                Derivative { fun, of: entry.fun, mode, numbers: Numbers::Floats, active: active.clone() };
            found.push((format!("{}: {}", file.name, entry.name), prog, derivative));
        }
    }
    found
}
