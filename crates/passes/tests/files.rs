//! The programs in tests/passes/PASS: input, a line `---`, and what the pass makes of it. BLESS=1 writes
//! the latter; PASS=name looks at the programs of one pass only. Input and output obey the rules of their languages, and
//! the output comes back from its text.

use norn_ir::imp;
use norn_ir::nest::Prog;
use norn_ir::nest::grids::verify::verify as scheduled;
use norn_ir::nest::parse::parse;
use norn_ir::nest::print::print;
use norn_ir::nest::verify::{Stage, verify};
use norn_passes::pipeline::{
    AMONG_PASSES, CUT_PASSES, DEVICE_PASSES, FISSION_PASSES, FLAT_PASSES, IMP_PASSES, ImpPass, NEST_PASSES,
    NestPass,
};
use std::path::{Path, PathBuf};

#[test]
fn programs_become_what_is_written_beneath_them() {
    let mut mistakes = Vec::new();
    let only = std::env::var("PASS").ok();
    let passes =
        NEST_PASSES.iter().chain(FLAT_PASSES).chain(DEVICE_PASSES).chain(FISSION_PASSES).chain(CUT_PASSES);
    let passes = passes.chain(AMONG_PASSES);
    for pass in passes.filter(|pass| only.as_ref().is_none_or(|only| only == pass.name)) {
        for path in programs(pass.name, "nest") {
            run_file(pass, &path, &mut mistakes);
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// The same for passes on imp; those of `vectorise` are also run (see there).
#[test]
fn imp_programs_become_what_is_written_beneath_them() {
    let mut mistakes = Vec::new();
    let only = std::env::var("PASS").ok();
    let is_selected = |pass: &&ImpPass| only.as_ref().is_none_or(|only| only == pass.name);
    for pass in IMP_PASSES.iter().filter(is_selected).filter(|pass| pass.name != "vectorise") {
        for path in programs(pass.name, "imp") {
            mistakes
                .extend(run_imp_file(pass, &path).map(|mistake| format!("{}: {mistake}", path.display())));
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

fn run_imp_file(pass: &ImpPass, path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("a program");
    let (input, expected) = text.split_once("---\n").unwrap_or((&text, ""));
    let mut prog = match imp::parse::parse(input) {
        Ok(prog) => prog,
        Err(error) => return Some(error.to_string()),
    };
    let before = imp::verify::verify(&prog);
    if !before.is_empty() {
        return Some(format!("breaks rules: {before:?}"));
    }
    (pass.run)(&mut prog);
    imp::normalise::normalise(&mut prog);
    let found = imp::print::print(&prog);
    let after = imp::verify::verify(&prog);
    if !after.is_empty() {
        return Some(format!("breaks rules afterwards: {after:?}\n{found}"));
    }
    if imp::parse::parse(&found).as_ref() != Ok(&prog) {
        return Some(format!("does not come back from its text:\n{found}"));
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        if found != expected {
            std::fs::write(path, format!("{input}---\n{found}")).expect("the program is written");
        }
        return None;
    }
    (found != expected).then(|| format!("becomes\n{found}"))
}

fn programs(pass: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/passes").join(pass);
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ext| ext == extension)).collect();
    paths.sort();
    paths
}

fn run_file(pass: &NestPass, path: &Path, mistakes: &mut Vec<String>) {
    let name = path.display();
    let text = std::fs::read_to_string(path).expect("a program");
    let (input, expected) = text.split_once("---\n").unwrap_or((&text, ""));
    let stage =
        if text.starts_with("// stage: before regions") { Stage::BeforeRegions } else { Stage::Complete };
    let mut prog = match parse(input) {
        Ok(prog) => prog,
        Err(error) => return mistakes.push(format!("{name}:{error}")),
    };
    let is_one_of = |passes: &[NestPass]| passes.iter().any(|other| other.name == pass.name);
    let verified = |prog: &Prog, is_scheduled: bool| -> Vec<String> {
        let violations = if is_scheduled { scheduled(prog) } else { verify(prog, stage) };
        violations.iter().map(|violation| violation.to_string()).collect()
    };
    let is_placed =
        [FISSION_PASSES, CUT_PASSES, AMONG_PASSES].into_iter().any(is_one_of) || pass.name == "layout";
    let before = verified(&prog, is_placed);
    if !before.is_empty() {
        return mistakes.push(format!("{name} breaks rules: {before:?}"));
    }
    (pass.run)(&mut prog);
    let found = print(&prog);
    let is_scheduled =
        [FLAT_PASSES, DEVICE_PASSES, FISSION_PASSES, CUT_PASSES, AMONG_PASSES].into_iter().any(is_one_of);
    let after = verified(&prog, is_scheduled);
    if !after.is_empty() {
        return mistakes.push(format!("{name} breaks rules afterwards: {after:?}\n{found}"));
    }
    if parse(&found).as_ref() != Ok(&prog) {
        mistakes.push(format!("{name} does not come back from its text:\n{found}"));
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        if found != expected {
            std::fs::write(path, format!("{input}---\n{found}")).expect("the program is written");
        }
    } else if found != expected {
        mistakes.push(format!("{name} becomes\n{found}"));
    }
}
