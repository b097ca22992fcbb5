//! Diagnostics drawn, as the user sees them.

use norn_base::diagnostic::{Diagnostic, Diagnostics};
use norn_base::render::*;
use norn_base::source::{FileId, SourceMap, Span};
use norn_base::{codes, json};
use std::time::{Duration, Instant};

/// Where the `n`th occurrence of `needle` stands.
fn nth(text: &str, needle: &str, n: usize, file: FileId) -> Span {
    let (lo, _) = text.match_indices(needle).nth(n).unwrap();
    Span::new(file, lo, lo + needle.len())
}

fn one_file(text: &str) -> (SourceMap, FileId) {
    let mut sources = SourceMap::default();
    let file = sources.add("a.fut", text);
    (sources, file)
}

#[track_caller]
fn assert_drawn(sources: &SourceMap, d: &Diagnostic, expected: &str) {
    let drawn = render(sources, d, Paint::Plain);
    assert_eq!(drawn.trim_end(), expected.trim_matches('\n'), "drawn:\n{drawn}");
}

#[test]
fn types_stand_on_lines_of_their_own() {
    let text = "def area (w: i32) (h: f32) =\n  w * 2 + h\n";
    let (sources, file) = one_file(text);
    let d = Diagnostic::error(codes::TYPE_MISMATCH, nth(text, "h", 1, file), "The operands differ in type.")
        .label("the right operand")
        .secondary(nth(text, "w", 0, file), "this makes it an i32")
        .expected_found("i32", "f32")
        .note("First line,\nsecond line.")
        .help("Convert one of them.");
    assert_drawn(
        &sources,
        &d,
        "
error[E0301]: The operands differ in type.
 --> a.fut:2:11
  |
1 | def area (w: i32) (h: f32) =
  |           - this makes it an i32
2 |   w * 2 + h
  |           ^ the right operand
  |
  = expected: i32
  =    found: f32
  = note: First line,
          second line.
  = help: Convert one of them.",
    );
}

#[test]
fn labels_on_one_line_hang() {
    let text = "let x = f a b c";
    let (sources, file) = one_file(text);
    let d = Diagnostic::warning(codes::UNUSED_NAME, nth(text, "f a", 0, file), "Message.")
        .label("primary")
        .secondary(nth(text, "x", 0, file), "first")
        .secondary(nth(text, "b", 0, file), "third")
        .secondary(nth(text, "c", 0, file), "fourth");
    assert_drawn(
        &sources,
        &d,
        "
warning[W0201]: Message.
 --> a.fut:1:9
  |
1 | let x = f a b c
  |     -   ^^^ - - fourth
  |     |   |   |
  |     |   |   third
  |     |   primary
  |     first",
    );
}

#[test]
fn a_span_within_another_is_seen() {
    let text = "module m = { def x = 1 }";
    let (sources, file) = one_file(text);
    let d = Diagnostic::error(codes::VALUE_SPEC_MISMATCH, nth(text, "{ def x = 1 }", 0, file), "M.")
        .secondary(nth(text, "x", 0, file), "this value");
    assert_drawn(
        &sources,
        &d,
        "
error[E0252]: M.
 --> a.fut:1:12
  |
1 | module m = { def x = 1 }
  |            ^^^^^^-^^^^^^
  |                  |
  |                  this value",
    );
}

#[test]
fn long_spans_have_a_bar() {
    let text = "def f =\n  a\n  b\n  c\n  d\n  e\n  g\n\ndef h = f\n";
    let (sources, file) = one_file(text);
    let whole = nth(text, "f", 1, file).to(nth(text, "g", 0, file));
    let d = Diagnostic::error(codes::SYNTAX, whole, "Message.")
        .label("all of it")
        .secondary(nth(text, "h", 0, file), "user");
    assert_drawn(
        &sources,
        &d,
        "
error[E0104]: Message.
 --> a.fut:1:5
  |
1 |   def f =
  |  _____^
2 | |   a
... |
6 | |   e
7 | |   g
  | |___^ all of it
8 |
9 |   def h = f
  |       - user",
    );
}

#[test]
fn every_file_has_its_block() {
    let (mut sources, file) = one_file("import \"b\"\n");
    let other = sources.add("b.fut", "\n\n\n\n\n\n\n\n\nimport \"a\"\n");
    let d = Diagnostic::error(codes::IMPORT_CYCLE, Span::new(file, 7, 10), "The files import each other.")
        .secondary(Span::new(other, 16, 19), "back again");
    assert_drawn(
        &sources,
        &d,
        "
error[E0208]: The files import each other.
  --> a.fut:1:8
   |
 1 | import \"b\"
   |        ^^^
  ::: b.fut:10:8
   |
10 | import \"a\"
   |        --- back again",
    );
}

#[test]
fn tabs_wide_and_dangerous_characters() {
    let text = "\tlet x = 日本 + \u{1b}[31m + y\r\n";
    let (sources, file) = one_file(text);
    let d = Diagnostic::error(codes::SYNTAX, nth(text, "日本", 0, file), "With \u{1b}[0m.")
        .label("here")
        .secondary(nth(text, "y", 0, file), "there");
    assert_drawn(
        &sources,
        &d,
        "
error[E0104]: With ␛[0m.
 --> a.fut:1:10
  |
1 |     let x = 日本 + ␛[31m + y
  |             ^^^^           - there
  |             |
  |             here",
    );
}

#[test]
fn places_at_the_end_of_the_file() {
    for (text, lo, expected) in [
        ("", 0, "error[E0104]: M.\n --> a.fut:1:1\n  |\n1 |\n  | ^"),
        ("abc", 3, "error[E0104]: M.\n --> a.fut:1:4\n  |\n1 | abc\n  |    ^"),
        ("abc\n", 4, "error[E0104]: M.\n --> a.fut:2:1\n  |\n2 |\n  | ^"),
    ] {
        let (sources, file) = one_file(text);
        let d = Diagnostic::error(codes::SYNTAX, Span::new(file, lo, lo), "M.");
        assert_drawn(&sources, &d, expected);
    }
}

#[test]
fn spans_out_of_range_are_drawn() {
    let (sources, file) = one_file("日本\n");
    for (lo, hi) in [(1, 2), (2, 100), (90, 100), (5, 1)] {
        let d = Diagnostic::error(codes::SYNTAX, Span::new(file, lo, hi), "M.");
        assert!(render(&sources, &d, Paint::Plain).contains("a.fut:"));
        assert!(json::to_json(&sources, &d).contains("a.fut"));
    }
}

#[test]
fn a_line_of_a_megabyte_is_cut() {
    let text = "x + ".repeat(250_000);
    let (sources, file) = one_file(&text);
    let d = Diagnostic::error(codes::SYNTAX, Span::new(file, 500_000, 500_001), "M.")
        .label("here")
        .secondary(Span::new(file, 900_000, 900_001), "there")
        .secondary(Span::new(file, 4, 800_000), "wide");
    let start = Instant::now();
    let drawn = render(&sources, &d, Paint::Plain);
    assert!(start.elapsed() < Duration::from_millis(200), "{:?}", start.elapsed());
    assert!(drawn.len() < 1500, "{drawn}");
    assert!(["^ here", "- there", "--- wide"].iter().all(|label| drawn.contains(label)), "{drawn}");
}

#[test]
fn long_messages_are_cut() {
    let (sources, file) = one_file("x");
    let name = "é".repeat(1_000_000);
    let d = Diagnostic::error(codes::UNKNOWN_NAME, Span::new(file, 0, 1), format!("No `{name}`.\nSo."));
    let drawn = render(&sources, &d.expected_found("é".repeat(1000), "t"), Paint::Plain);
    assert!(drawn.starts_with("error[E0201]: No `éé") && drawn.contains("é ... é"), "{drawn}");
    assert!(drawn.contains("é`.\n  So.\n"), "{drawn}");
    assert!(drawn.contains(&format!("expected: {}\n", "é".repeat(1000))), "{drawn}");
    assert!(drawn.len() < 5000);
}

#[test]
fn only_a_hundred_are_shown() {
    let (sources, file) = one_file(&"x".repeat(300));
    let mut all = Diagnostics::default();
    for i in 0..250 {
        all.push(Diagnostic::error(codes::SYNTAX, Span::new(file, i, i + 1), "M."));
    }
    all.push(Diagnostic::warning(codes::UNUSED_NAME, Span::new(file, 0, 1), "W."));
    let drawn = render_all(&sources, &all, Paint::Plain);
    assert_eq!(drawn.matches("error[").count(), 100);
    assert!(drawn.ends_with("... and 150 more errors\n250 errors, 1 warning\n"), "{drawn}");
}

#[test]
fn colours_change_nothing_else() {
    let text = "def f =\n  a\n  b\n";
    let (sources, file) = one_file(text);
    let d =
        Diagnostic::error(codes::SYNTAX, Span::new(file, 4, 13), "M.").label("l").expected_found("a", "b");
    let coloured = render(&sources, &d, Paint::Ansi);
    assert!(coloured.contains("\x1b[1;31merror[E0104]\x1b[0m"));
    let mut plain = String::new();
    for (i, part) in coloured.split('\x1b').enumerate() {
        plain.push_str(if i == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    assert_eq!(plain, render(&sources, &d, Paint::Plain));
}

#[test]
fn json_has_every_part() {
    let text = "let é = y";
    let (sources, file) = one_file(text);
    let d = Diagnostic::error(codes::UNKNOWN_NAME, nth(text, "y", 0, file), "M.")
        .secondary(nth(text, "é", 0, file), "s")
        .expected_found("a", "b")
        .help("h")
        .fix(nth(text, "y", 0, file), "x");
    let value: serde_json::Value = serde_json::from_str(&json::to_json(&sources, &d)).unwrap();
    assert_eq!(value["code"], "E0201");
    assert_eq!(value["severity"], "error");
    assert_eq!(value["expected"], "a");
    assert_eq!(value["spans"][0]["byte_start"], 9);
    assert_eq!(value["spans"][0]["column_start"], 9);
    assert_eq!(value["spans"][0]["primary"], true);
    assert_eq!(value["spans"][1]["label"], "s");
    assert_eq!(value["fixes"][0]["replacement"], "x");
    assert_eq!(value["rendered"], render(&sources, &d, Paint::Plain));
}
