//! What blocks mean, and the messages for those that mean nothing.

use super::*;

fn parse(text: &str) -> Spec {
    parse_blocks(text).unwrap_or_else(|e| panic!("{}", e.render("test.fut", text)))
}

/// The text that an error points at, and its message.
fn error_of(text: &str) -> (&str, String) {
    let error = parse_blocks(text).unwrap_err();
    (&text[error.at], error.message)
}

/// `entry name input expectation` of all cases.
fn cases(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for group in parse(text).groups {
        for (entry, case) in group.entries.iter().flat_map(|e| group.cases.iter().map(move |c| (e, c))) {
            let values = |literals: &Literals| match &literals.plain {
                Some(values) => values.iter().map(|v| v.to_string()).collect::<Vec<_>>().join(" "),
                None => String::from_utf8_lossy(&literals.bytes).into_owned(),
            };
            let input = match &case.input {
                Input::Values(v) => values(v),
                Input::File(name) => format!("@{name}"),
                Input::Random(r) => {
                    format!("random {}", r.iter().map(|r| r.text()).collect::<Vec<_>>().join(" "))
                }
                Input::Script(_) => "script".into(),
                Input::ScriptFile(name) => format!("script @{name}"),
            };
            let expect = match &case.expect {
                Expect::Success => "ok".into(),
                Expect::Auto => "auto".into(),
                Expect::Values(v) => values(v),
                Expect::File(name) => format!("@{name}"),
                Expect::Failure(pattern) => format!("error {}", pattern.text),
            };
            out.push(format!("{} | {} | {input} | {expect}", entry.text, case.name));
        }
    }
    out
}

#[test]
fn a_file_without_blocks_asks_for_nothing() {
    let spec = parse("-- A comment.\n-- ====\ndef x = 1\n");
    assert!(spec.runs_nothing() && spec.rejection.is_none() && spec.tags.is_empty());
}

#[test]
fn inputs_and_outputs() {
    let text = "-- words\n-- ==\n-- tags { slow no_cuda\n--  x-y }\n-- tune @ a.tune\n-- input { [1,2,\n--   3] 0i64 }\n-- output { 1 }\n\
                -- input { }\n-- compiled input{true}output{false}\n\ndef x = 1\n";
    assert_eq!(
        cases(text),
        [
            "main | #0 (\"[1,2, 3] 0i64\") | [1i32, 2i32, 3i32] 0i64 | 1i32",
            "main | #1 (\"\") |  | ok",
            "main | #2 (\"true\") | true | false",
        ]
    );
    let spec = parse(text);
    assert_eq!(spec.tags, ["slow", "no_cuda", "x-y"]);
    assert_eq!(spec.tune.as_deref(), Some("a.tune"));
    assert_eq!(spec.groups[0].cases[2].tags, ["compiled"]);
    assert_eq!(&text[spec.groups[0].cases[1].at.clone()], "input");
}

#[test]
fn all_kinds_of_inputs() {
    let text = "-- ==\n-- entry: f g\n-- input @ a/b.in.gz output @ a/b.out\n-- \"a \\\"name\\\"\" input { \"text\" }\n\
                -- random input { [10][2]i32 f32 7i64 1.5f32 f32.inf true } auto output\n\
                -- script nobench input { f 1 }\n-- script input @ s.script error:  [xy] of .* \n\
                -- input { 1 } error:\n\n-- ==\n-- entry: h\r\n-- input { 2 }\r\n";
    let of_f = [
        "a/b.in | @a/b.in.gz | @a/b.out",
        "a \"name\" | [116u8, 101u8, 120u8, 116u8] | ok",
        "[10][2]i32 f32 7i64 1.5f32 f32.inf true | random [10][2]i32 f32 7i64 1.5f32 f32.inf true | auto",
        "f 1 | script | ok",
        "s.script | script @s.script | error [xy] of .*",
        "#5 (\"1\") | 1i32 | error ",
    ];
    let expected: Vec<String> = ["f", "g"]
        .iter()
        .flat_map(|entry| of_f.iter().map(move |case| format!("{entry} | {case}")))
        .chain(["h | #0 (\"2\") | 2i32 | ok".into()])
        .collect();
    assert_eq!(cases(text), expected);
}

#[test]
fn long_inputs_have_short_names() {
    let text = format!("-- ==\n-- input {{ \"{}\" }}\n", "é".repeat(60));
    let name = parse(&text).groups[0].cases[0].name.clone();
    assert_eq!(name, format!("#0 (\"\"{}...\")", "é".repeat(49)));
}

#[test]
fn rejections() {
    let spec = parse("-- ==\n-- tags { x }\n-- error: size .* differs\n--\ndef x = y\n");
    assert_eq!(spec.rejection.unwrap().text, "size .* differs");
    assert_eq!(parse("-- ==\n-- error:\n").rejection.unwrap().text, "");
    let (at, message) = error_of("-- ==\n-- error: x\n\n-- ==\n-- input { 1 }\n");
    assert_eq!(at, "==");
    assert!(message.contains("rejected"), "{message}");
}

#[test]
fn structures_warnings_and_properties() {
    let text = "-- ==\n-- structure { Map 1 /Loop/Map 2 }\n-- structure nest { reduce 0 }\n-- warning: ^$\n\n\
                -- ==\n-- property: p q\n-- property: r\n";
    let spec = parse(text);
    let counts = |i: usize| -> Vec<(&str, usize)> {
        spec.structures[i].counts.iter().map(|count| (count.what.text.as_str(), count.expected)).collect()
    };
    assert_eq!(counts(0), [("Map", 1), ("/Loop/Map", 2)]);
    assert_eq!(spec.structures[1].stage.as_ref().unwrap().text, "nest");
    assert_eq!(spec.warnings[0].text, "^$");
    let properties: Vec<&str> = spec.properties.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(properties, ["p", "q", "r"]);
}

#[test]
fn a_run_is_that_of_the_input_before() {
    let text = "-- ==\n-- entry: f\n-- input { 1 } output { 2 } structure run { launches 1 waits 20 }\n-- input { 2 }\n\
                -- structure nest { map 1 }\n";
    let spec = parse(text);
    let [first, second] = &spec.groups[0].cases[..] else { panic!("{:?}", spec.groups) };
    let counts = &first.run.as_ref().unwrap().counts;
    let found: Vec<(&str, usize, &str)> = counts
        .iter()
        .map(|count| (count.what.text.as_str(), count.expected, &text[count.at.clone()]))
        .collect();
    assert_eq!(found, [("launches", 1, "1"), ("waits", 20, "20")]);
    assert!(second.run.is_none());
    assert_eq!(spec.structures.len(), 1);
}

#[test]
fn errors_have_exact_places() {
    for (text, at, message) in [
        ("-- ==\n-- inptu { 1 }\n", "{", "Expected `input`, found `{`."),
        ("-- ==\n-- input 1\n", "1", "Expected `{` or `@`, found `1`."),
        ("-- ==\n-- input { 1\n\ndef x = 1", "", "Expected a value or `}`, found the end."),
        (
            "-- ==\n-- input { [1, x] }\n",
            "x",
            "There is no value here: expected a value of type i32, found `x`.",
        ),
        ("-- ==\n-- input { bool }\n", "bool", "Expected a value or `}`, found `bool`."),
        ("-- ==\n-- input @\n", "", "Expected the name of a file, found the end."),
        (
            "-- ==\n-- entry:\n-- input { 1 }\n",
            "\n",
            "Expected the name of an entry point, found the end of the line.",
        ),
        ("-- ==\n-- property:\n", "\n", "Expected the name of a property, found the end of the line."),
        ("-- ==\n-- random input { []i32 }\n", "]", "Expected a size, found `]`."),
        ("-- ==\n-- random input { [1]i33 }\n", "i33", "Expected a primitive type, found `i33`."),
        ("-- ==\n-- random input @ x\n", "@", "Expected `{`, found `@`."),
        (
            "-- ==\n-- input { 1 } error: (\n",
            "(",
            "This is no regular expression: found open group without closing ')'.",
        ),
        ("-- ==\n-- structure { Map }\n", "}", "Expected how often it occurs, found `}`."),
        ("-- ==\n-- structure x structure { }\n", "structure", "Expected `{`, found `structure`."),
        ("-- ==\n-- structure run { }\n", "run", "There is no input whose run this could be about."),
        ("-- ==\n-- compiled structure { }\n", "structure", "Expected `input`, found `structure`."),
        ("-- ==\n-- tags { a, b }\n", ",", "Expected a tag or `}`, found `,`."),
        ("-- ==\n-- input { 1 }\n\n-- ==\n-- tags { a }\n", "tags", "Expected cases, found `tags`."),
        ("-- ==\n-- input { 1 }\n\n-- ==\n-- tune @ a\n", "tune", "Expected cases, found `tune`."),
        ("-- ==\n-- tune a\n", "a", "Expected `@`, found `a`."),
        ("-- ==\n-- input { 1 }\n\n-- ==\n-- error: a\n", "error", "Expected cases, found `error`."),
        ("-- ==\n-- input { 1 }\n-- ==\n", "=", "Expected `input`, found `=`."),
        (
            "-- ==\n-- \"a\" input { 1 }\n-- \"a\" input { 2 }\n",
            "input",
            "Two inputs of this block are called `a`.",
        ),
        ("-- ==\n-- script input { f ( }\n", "}", "Expected an expression, found `}`."),
    ] {
        assert_eq!(error_of(text), (at, message.to_string()), "{text}");
    }
}

#[test]
fn errors_are_shown_with_the_line() {
    let text = "def x = 1\n-- ==\n-- input 1\n";
    let rendered = parse_blocks(text).unwrap_err().render("a.fut", text);
    assert!(rendered.starts_with("error: Expected `{` or `@`, found `1`.\n --> a.fut:3:10\n"), "{rendered}");
}

#[test]
fn no_text_is_too_strange() {
    for text in [
        "-- ==",
        "-- ==\n--",
        "-- ==\n-- é",
        "-- ==\n-- \"",
        "-- ==\r\n-- input {\r\n",
        "-- ==\n-- input { \"é\\",
    ] {
        let _ = parse_blocks(text);
    }
}

#[test]
fn damaged_blocks_are_errors_and_nothing_worse() {
    let text = "-- ==\n-- tags { é x }\n-- entry: f\n-- \"n\" random input { [2]i32 f32 -1i8 } auto output\n\
                -- script input { let (a, b) = g {x = 1, y = [h 1, k[2]]}.x in (a, \"\\n\") } error: a|b\n\
                -- input @ a output { [[1], [2]] empty([0]f16) f32.nan }\n-- structure nest { a/b 1 }\n-- warning: x\n\n\
                -- ==\n-- property: p\n";
    assert!(parse_blocks(text).is_ok());
    for (at, c) in text.char_indices() {
        let (before, after) = (&text[..at], &text[at + c.len_utf8()..]);
        for damaged in [before.to_string(), format!("{before}{after}"), format!("{before}{c}{c}{after}")] {
            if let Err(error) = parse_blocks(&damaged) {
                assert!(damaged.get(error.at.clone()).is_some(), "{error:?} in {damaged}");
            }
        }
    }
}

#[test]
fn values_that_types_explain_are_kept_as_text() {
    let text =
        "-- ==\n-- input { 1 {x = 1, y = \"}\"} #some 3 } output { [[1], []] }\n-- input { (1,\n--  2) }\n";
    assert_eq!(
        cases(text),
        [
            "main | #0 (\"1 {x = 1, y = \"}\"} #some 3\") | 1 {x = 1, y = \"}\"} #some 3  | [[1], []] ",
            "main | #1 (\"(1, 2)\") | (1,\n    2)  | ok",
        ]
    );
    assert_eq!(error_of("-- ==\n-- input { #some [1 }\n"), ("{", "This brace is not closed.".into()));
}
