//! The programs in tests/grids and tests/tasks: each parses, comes back from the printer letter by letter, and obeys
//! the rules; those in tests/grids/bad break first of all the rule that their first line names.

use crate::head::without_head;
use norn_ir::nest::grids::verify::verify;
use norn_ir::nest::parse::parse;
use norn_ir::nest::print::print;

fn programs(folder: &str) -> Vec<(String, String)> {
    crate::programs::programs(&format!("grids/{folder}"), "nest")
}

fn tasks() -> Vec<(String, String)> {
    crate::programs::programs("tasks", "nest")
}

#[test]
fn programs_come_back_from_their_text() {
    for (name, text) in programs("").into_iter().chain(programs("bad")).chain(tasks()) {
        let prog = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let printed = print(&prog);
        assert!(printed == without_head(&text), "{name} is printed as\n{printed}");
        assert!(parse(&printed).as_ref() == Ok(&prog), "{name} comes back as another program");
    }
}

#[test]
fn programs_obey_the_rules() {
    for (name, text) in programs("").into_iter().chain(tasks()) {
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
