//! The programs in tests/nest: each parses, comes back from the printer letter by letter, and obeys
//! the rules; those in tests/nest/bad break first of all the rule that their first line names.

use crate::head::without_head;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::parse::parse;
use norn_ir::nest::print::print;
use norn_ir::nest::verify::{Stage, verify};

fn programs(folder: &str) -> Vec<(String, String)> {
    crate::programs::programs(&format!("nest/{folder}"), "nest")
}

fn stage(text: &str) -> Stage {
    if text.starts_with("// stage: before regions") { Stage::BeforeRegions } else { Stage::Complete }
}

#[test]
fn programs_come_back_from_their_text() {
    for (name, text) in programs("").into_iter().chain(programs("bad")) {
        let prog = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let printed = print(&prog);
        assert!(printed == without_head(&text), "{name} is printed as\n{printed}");
        let again = parse(&printed).unwrap_or_else(|error| panic!("{name}, printed: {error}"));
        assert!(again == prog, "{name} comes back as another program");
        let mut normal = prog.clone();
        normalise(&mut normal);
        assert!(normal == prog, "{name} is not numbered as the parser does");
    }
}

#[test]
fn programs_obey_the_rules() {
    for (name, text) in programs("") {
        let prog = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let violations: Vec<String> = verify(&prog, stage(&text)).iter().map(|v| v.to_string()).collect();
        assert!(violations.is_empty(), "{name}:\n{}", violations.join("\n"));
    }
}

#[test]
fn bad_programs_break_the_rule_they_name() {
    let mut wrong = Vec::new();
    for (name, text) in programs("bad") {
        let rule =
            text.strip_prefix("// ").and_then(|text| text.split([':', '\n']).next()).unwrap_or_default();
        let prog = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let violations = verify(&prog, Stage::Complete);
        if violations.first().is_none_or(|v| format!("{:?}", v.rule) != rule) {
            let all: Vec<String> = violations.iter().map(|v| v.to_string()).collect();
            wrong.push(format!("{name} breaks\n{}", all.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_expression_and_check_occurs() {
    let text: String = programs("").into_iter().map(|(_, text)| text).collect();
    let expressions = "if switch loop call const check array replicate index update concat reshape rearrange \
        copy coerce flat_index flat_update lengths join_rows segment map reduce scan fused filter partition \
        scatter hist stream acc_stream acc_write region alloc null tag load";
    for word in expressions.split_whitespace() {
        let starts = |sign: &str| {
            text.contains(&format!("{sign} {word} ")) || text.contains(&format!("{sign} {word}\n"))
        };
        assert!(starts("=") || starts(">"), "no program has `{word}`");
    }
    let checks = "index slice size shape nonnegative nonzero exponent range segments flat assert fail";
    for word in checks.split_whitespace() {
        assert!(text.contains(&format!("= check {word}")), "no program has the check `{word}`");
    }
}

#[test]
fn no_text_makes_the_parser_panic() {
    for (_, text) in programs("") {
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for at in starts.iter().step_by(crate::distance(7, 3)) {
            drop(parse(&text[..*at]));
            drop(parse(&format!("{}{}", &text[..*at], &text[(*at + 5).min(text.len())..])));
            drop(parse(&format!("{}({}", &text[..*at], &text[*at..])));
        }
    }
}

#[test]
fn what_nests_too_deep_is_refused() {
    let body = "{ let x: i32 = if true ".repeat(100_000);
    let error = parse(&format!("fun f () -> i32 {body}")).expect_err("too deep");
    assert!(error.message.contains("nested"), "{error}");
    let ty = "acc(".repeat(100_000);
    let error = parse(&format!("fun f (x: {ty}")).expect_err("too deep");
    assert!(error.message.contains("nested"), "{error}");
}

#[test]
fn errors_have_a_place_and_a_sentence() {
    let error = parse("fun f () -> i32 {\n  in y\n}\n").expect_err("y is not bound");
    assert_eq!(error.to_string(), "2:6: `y` is bound nowhere in this function.");
    let error = parse("fun f () -> i33 {\n").expect_err("no such type");
    assert_eq!(error.to_string(), "1:13: Expected a primitive type, found `i33`.");
}
