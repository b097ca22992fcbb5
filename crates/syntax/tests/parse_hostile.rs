//! Input made to break the parser: it ends soon, says one thing, and does not overflow the stack
//! that callers give it.

use norn_base::FileId;
use norn_syntax::ast::NodeIds;
use norn_syntax::parse;
use std::time::{Duration, Instant};

/// Parses and drops on a stack of the size that the compiler runs on. The codes, in order.
fn codes(text: String) -> Vec<&'static str> {
    let work = move || {
        let start = Instant::now();
        let parsed = parse(FileId(0), &text, &mut NodeIds::default());
        let codes = parsed.diagnostics.iter().map(|d| d.code.0).collect();
        drop(parsed);
        // Generous: what is not linear takes minutes.
        assert!(start.elapsed() < Duration::from_secs(10), "{} bytes took {:?}", text.len(), start.elapsed());
        codes
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(work);
    thread.expect("a thread starts").join().expect("the parser does not panic")
}

const NONE: [&str; 0] = [];

#[test]
fn long_chains_are_no_nesting() {
    let lets: String = (0..20_000).map(|i| format!("  let x{i} = {i}\n")).collect();
    let ifs: String = (0..5_000).map(|i| format!("  if a == {i} then {i} else\n")).collect();
    let items: String = (0..100_000).map(|i| format!("{i}, ")).collect();
    assert_eq!(codes(format!("def f =\n{lets}  in x0")), NONE);
    assert_eq!(codes(format!("def f =\n{} x0", lets.replace('\n', " in\n"))), NONE);
    assert_eq!(codes(format!("def f a =\n{ifs}  0")), NONE);
    assert_eq!(codes(format!("def f = 1{}", " + 1".repeat(50_000))), NONE);
    assert_eq!(codes(format!("def f = x{}", "\n  |> g".repeat(50_000))), NONE);
    assert_eq!(codes(format!("def f = x{}", " with a = 1".repeat(50_000))), NONE);
    assert_eq!(codes(format!("def f = [{items}]")), NONE);
    assert_eq!(codes(format!("def f = x{}", ".a".repeat(50_000))), NONE);
    assert_eq!(codes(format!("def f = x{}", "[0]".repeat(50_000))), NONE);
    assert_eq!(codes(format!("def f = g{}", " x".repeat(100_000))), NONE);
    assert_eq!(codes(format!("def f : {}a = 1", "a -> ".repeat(50_000))), NONE);
    assert_eq!(codes(format!("def f x = match x {}", "case 1 -> 2 ".repeat(50_000))), NONE);
}

#[test]
fn deep_nesting_is_reported_once() {
    let deep = 100_000;
    let around = |open: &str, close: &str| format!("def f = {}1{}", open.repeat(deep), close.repeat(deep));
    for text in [
        around("(", ")"),
        around("[", "]"),
        around("(", ""),
        around("{a = ", "}"),
        around("- ", ""),
        around("f <| ", ""),
        around("\\x -> ", ""),
        around("match x case y -> ", ""),
        around("if ", ""),
        around("a[", "]"),
        around("x : [", "]t"),
        around("loop x = 1 while true do ", ""),
        around("#[a] ", ""),
        format!("def f {}x{} = 1", "(".repeat(deep), ")".repeat(deep)),
        format!("type t = {}a{}", "(".repeat(deep), ")".repeat(deep)),
        format!("type t = {}a", "[n]".repeat(deep)),
        format!("type t = {}a", "* ".repeat(deep)),
        format!("module m = {}a{}", "(".repeat(deep), ")".repeat(deep)),
        format!("{}def f = 1", "local ".repeat(deep)),
        format!("#[{}] def f = 1", "a(".repeat(deep)),
    ] {
        assert_eq!(codes(text.clone()), ["E0106"], "{}", &text[..40]);
    }
}

#[test]
fn chains_within_chains_are_bounded_too() {
    let chain = "+1".repeat(50_000);
    let mut text = String::from("1");
    for _ in 0..20 {
        text = format!("({text}{chain})");
    }
    assert_eq!(codes(format!("def f = {text}")), ["E0106"]);
    assert_eq!(codes(format!("def f = 1{}", "+1".repeat(500_000))), ["E0106"]);
}

#[test]
fn much_of_one_thing() {
    let bytes = 1 << 18;
    for part in [
        "\0",
        "\0 ",
        "@ x ",
        "\"",
        "\"\n",
        "'",
        "'\\",
        "`",
        "(",
        ")",
        "]",
        "}",
        "([{",
        "(]",
        ",",
        "a,",
        "9",
        "9.",
        "0x",
        "+",
        "-",
        ".",
        "..",
        "#",
        "#[",
        "\\",
        "?",
        "_",
        "a.",
        "a.+",
        "in ",
        "let ",
        "let in ",
        "if let (",
        "def ",
        "def\n",
        "def (+\n",
        "def f = (\n",
        "-- | x\n",
        "-- | x\n\n",
        "module m = {",
        "case ",
        "with def ",
        "type rec ",
        "'a ",
        "λ",
        "\u{feff}",
        "= ) in ] def ( , } let -> \n",
        "(= ,",
        "[1, = ",
    ] {
        for before in ["", "def f = ", "def f = ((((("] {
            codes(format!("{before}{}", part.repeat(bytes / part.len())));
        }
    }
}

#[test]
fn errors_deep_inside_cost_no_more_than_others() {
    let deep = "(".repeat(1_900);
    codes(format!("def f = {deep}1 = {}", "in ".repeat(300_000)));
    codes(format!("def f = {deep}[{}", "=,".repeat(300_000)));
    codes(format!("def f = {deep}[{}", "(=),".repeat(300_000)));
}

#[test]
fn fifty_thousand_lines() {
    let definition = "def f (xs: []i64) (y: i64): i64 =\n  let z = map (\\x -> x + y * 2) xs\n  \
                      let w = reduce (+) 0 z\n  in if w > 10 then w else f y (w - 1)\n\n";
    assert_eq!(codes(definition.repeat(10_000)), NONE);
}
