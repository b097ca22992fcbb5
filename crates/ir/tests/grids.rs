//! The programs in tests/grids: each parses, comes back from the printer letter by letter, and obeys
//! the rules; those in tests/grids/bad break first of all the rule that their first line names.

use norn_ir::nest::grids::verify::verify;
use norn_ir::nest::parse::parse;
use norn_ir::nest::print::print;
use std::path::{Path, PathBuf};

fn programs(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/grids").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder of programs");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ext| ext == "nest")).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a program");
        (path.display().to_string(), text)
    };
    paths.into_iter().map(read).collect()
}

/// The text after the comments at its start.
fn without_head(text: &str) -> &str {
    text.split_once("\n\n").map_or(text, |(_, rest)| rest)
}

#[test]
fn programs_come_back_from_their_text() {
    for (name, text) in programs("").into_iter().chain(programs("bad")) {
        let prog = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let printed = print(&prog);
        assert!(printed == without_head(&text), "{name} is printed as\n{printed}");
        assert!(parse(&printed).as_ref() == Ok(&prog), "{name} comes back as another program");
    }
}

#[test]
fn programs_obey_the_rules() {
    for (name, text) in programs("") {
        let prog = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let violations: Vec<String> = verify(&prog).iter().map(|v| v.to_string()).collect();
        assert!(violations.is_empty(), "{name}:\n{}", violations.join("\n"));
    }
}

#[test]
fn bad_programs_break_the_rule_they_name() {
    for (name, text) in programs("bad") {
        let rule = text.strip_prefix("// ").and_then(|text| text.split(':').next()).unwrap_or_default();
        let prog = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let violations = verify(&prog);
        let first = violations.first().map(|v| format!("{:?}", v.rule));
        assert!(first.as_deref() == Some(rule), "{name} breaks {violations:?}");
    }
}
