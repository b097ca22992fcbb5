//! The programs in tests/imp: each parses, comes back from the printer letter by letter, and obeys
//! the rules; those in tests/imp/bad break first of all the rule that their first line names.

use crate::head::without_head;
use norn_ir::imp::normalise::normalise;
use norn_ir::imp::parse::parse;
use norn_ir::imp::print::print;
use norn_ir::imp::verify::verify;

fn programs(folder: &str) -> Vec<(String, String)> {
    crate::programs::programs(&format!("imp/{folder}"), "imp")
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
        let violations: Vec<String> = verify(&prog).iter().map(|v| v.to_string()).collect();
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
        let violations = verify(&prog);
        if violations.first().is_none_or(|v| format!("{:?}", v.rule) != rule) {
            let all: Vec<String> = violations.iter().map(|v| v.to_string()).collect();
            wrong.push(format!("{name} breaks\n{}", all.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_expression_and_statement_occurs() {
    let text: String = programs("").into_iter().map(|(_, text)| text).collect();
    let words = "convert. select( cast. null( data. cell( capacity( splat( lanes. lane( combine. any( workers \
        chunks( alloc( retain( release( new_region end_region( new_cell( cell_block( show( copy. if switch case for while \
        independent reduce call const launch by ordered await( signal( fail( return each where \
        this_thread this_group group_count barrier fence atomic. swap_if. acquire. publish. count_before( look_back. scan_group. is_last( has_failed( pool( guard shared local \
        remote. device_groups device_pool tunable( alloc_device( launch_groups read. write. upload. download. copy_device. clear. \
        fetch( settle( look( new_device_cell( cell_place(";
    for word in words.split_whitespace() {
        let occurs = [' ', '(', '[', '!'].iter().any(|before| text.contains(&format!("{before}{word}")));
        assert!(occurs, "no program has `{word}`");
    }
}

#[test]
fn no_text_makes_the_parser_or_the_verifier_panic() {
    for (_, text) in programs("") {
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for at in starts.iter().step_by(crate::distance(7, 3)) {
            let (before, after) = text.split_at(*at);
            let shorter = &text[(*at + 5).min(text.len())..];
            for broken in [before.to_string(), format!("{before}{shorter}"), format!("{before}({after}")] {
                drop(parse(&broken));
            }
            for broken in [format!("{before}%7 {after}"), format!("{before}1{after}")] {
                if let Ok(prog) = parse(&broken) {
                    drop((verify(&prog), print(&prog)));
                }
            }
        }
    }
}

#[test]
fn what_nests_too_deep_is_refused() {
    let statements = ["if true { ", "if true { } else "].map(|text| text.repeat(100_000));
    let expressions = ["(", "!", "&x[", "neg.i64("].map(|text| format!("x = {}", text.repeat(100_000)));
    for code in statements.iter().chain(&expressions) {
        let error = parse(&format!("fun f () -> {{ {code}")).expect_err("too deep");
        assert!(error.message.contains("nested"), "{}: {error}", &code[..20]);
    }
}

#[test]
fn errors_have_a_place_and_a_sentence() {
    let error = parse("fun f () -> i32 {\n  return y\n}\n").expect_err("y is not assigned");
    assert_eq!(error.to_string(), "2:10: `y` is assigned with its type nowhere in this function.");
    let error = parse("fun f () -> i33 {\n").expect_err("no such type");
    assert_eq!(error.to_string(), "1:13: Expected a type, found `i33`.");
    let error = parse("sites {\n  #0 check exponent\n}\n").expect_err("no type");
    assert_eq!(error.to_string(), "2:12: There is no check like this that is called `exponent`.");
}
