//! The programs in tests/flat: each parses, comes back from the printer letter by letter, obeys the rules, and is a nest program that does;
//! those in tests/flat/bad break first of all the rule that their first line names. What they yield is tested with the interpreter.
//! `BLESS=1` writes them as the printer does.

use crate::head::without_head;
use norn_ir::flat::{parse, print, unflatten, verify};
use norn_ir::nest::verify::Stage;

fn programs(folder: &str) -> Vec<(String, String)> {
    crate::programs::programs(&format!("flat/{folder}"), "flat")
}

#[test]
fn programs_come_back_from_their_text() {
    for (name, text) in programs("").into_iter().chain(programs("bad")) {
        let prog = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let printed = print(&prog);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&name, text.replace(without_head(&text), &printed)).expect("a file to write");
            continue;
        }
        assert!(printed == without_head(&text), "{name} is printed as\n{printed}");
        assert!(parse(&printed).as_ref() == Ok(&prog), "{name} comes back as another program");
        let mut normal = prog.clone();
        norn_ir::skeleton::normalise::normalise(&mut normal);
        assert!(normal == prog, "{name} is not numbered as the parser does");
    }
}

#[test]
fn programs_obey_the_rules() {
    let mut wrong = Vec::new();
    for (name, text) in programs("") {
        let prog = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        wrong.extend(verify(&prog).iter().map(|v| format!("{name}: {v}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn unflattened_programs_obey_the_rules_of_nest() {
    let mut wrong = Vec::new();
    for (name, text) in programs("") {
        let nest = unflatten(&parse(&text).unwrap_or_else(|error| panic!("{name}:{error}")));
        let broken = norn_ir::nest::verify::verify(&nest, Stage::Complete);
        if !broken.is_empty() {
            wrong.extend(broken.iter().map(|v| format!("{name}: {v}")));
            wrong.push(norn_ir::nest::print::print(&nest));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn bad_programs_break_the_rule_they_name() {
    let mut wrong = Vec::new();
    for (name, text) in programs("bad") {
        let rule = text.strip_prefix("// ").and_then(|text| text.split(':').next()).unwrap_or_default();
        let prog = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let violations = verify(&prog);
        if violations.first().is_none_or(|v| format!("{:?}", v.rule) != rule) {
            wrong.push(format!("{name} breaks {violations:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_expression_and_out_occurs() {
    let text: String = programs("").into_iter().map(|(_, text)| text).collect();
    let words = "grid groups group seq describe rows read choose owner offset number total longest nonempty";
    for word in words.split_whitespace() {
        assert!(text.contains(&format!("= {word} ")), "no program has `{word}`");
    }
    let outs = "map reduce scan filter partition sort scatter hist acc after into when how";
    for word in outs.split_whitespace() {
        let found = text.contains(&format!(" {word} "));
        assert!(found, "no program has `{word}`");
    }
}

/// Texts that are broken, or changed a little: nothing panics, and what obeys the rules means something in nest.
#[test]
fn no_text_makes_anything_panic() {
    let mut wrong = Vec::new();
    for (name, text) in programs("") {
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for at in starts.iter().step_by(crate::distance(97, 47)) {
            let (before, after) = text.split_at(*at);
            let shorter = &text[(*at + 5).min(text.len())..];
            drop(parse(before));
            for changed in [
                format!("{before}{shorter}"),
                format!("{before}({after}"),
                format!("{before}%7 {after}"),
                format!("{before}1{after}"),
                without_line(&text, *at),
            ] {
                let Ok(prog) = parse(&changed) else { continue };
                drop(print(&prog));
                if !verify(&prog).is_empty() {
                    continue;
                }
                let broken = norn_ir::nest::verify::verify(&unflatten(&prog), Stage::Complete);
                wrong.extend(broken.iter().map(|v| format!("{name} at {at}: {v}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The text without the line that this place is in.
fn without_line(text: &str, at: usize) -> String {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
    format!("{}{}", &text[..start], &text[end..])
}

#[test]
fn outs_name_the_results_of_the_body() {
    let text = "host fun f (n: i64) -> *[n]i64 {\n  let a: [n]i64 = grid (i < n |) {\n    in i\n  } map (n)\n  in a\n}\n";
    let error = parse(text).expect_err("`n` is no result");
    assert_eq!(error.to_string(), "4:10: This is not the next result of the body.");
    let error = parse(&text.replace("map (n)", "")).expect_err("no out");
    assert_eq!(error.to_string(), "5:3: Expected an out for the other results of the body, found `in`.");
}
