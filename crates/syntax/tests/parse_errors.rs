//! What is said about text that is no program, and how much of the rest survives.

use crate::sexp;
use norn_base::FileId;
use norn_syntax::ast::NodeIds;
use norn_syntax::parse;

/// The tree, and each diagnostic as `code line:column message`.
fn parse_bad(text: &str) -> (String, Vec<String>) {
    let parsed = parse(FileId(0), text, &mut NodeIds::default());
    let describe = |d: &norn_base::Diagnostic| {
        let before = &text[..d.primary.span.lo as usize];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        format!("{} {line}:{column} {}", d.code.0, d.message)
    };
    (sexp::prog(&parsed.prog), parsed.diagnostics.iter().map(describe).collect())
}

#[track_caller]
fn expect(text: &str, tree: &str, problems: &[&str]) {
    let (found_tree, found_problems) = parse_bad(text);
    assert_eq!(found_problems, problems);
    assert_eq!(found_tree, tree);
}

/// The help given for a text with one error.
fn help(text: &str) -> String {
    let parsed = parse(FileId(0), text, &mut NodeIds::default());
    assert_eq!(parsed.diagnostics.len(), 1, "{:#?}", parsed.diagnostics);
    parsed.diagnostics.iter().flat_map(|d| d.help.clone()).collect()
}

#[test]
fn errors_in_several_declarations_are_all_found() {
    expect(
        "def a = 1 +\ndef b = )\ndef c = 3\ntype t =\ndef d = 4",
        "(def a ERROR)\n(def b ERROR)\n(def c 3)\n(type t ERROR)\n(def d 4)",
        &[
            "E0104 1:11 Expected an expression after `+`, but found the keyword `def`.",
            "E0104 2:9 Expected an expression after `=`, but found `)`.",
            "E0104 4:8 Expected a type after `=`, but found the keyword `def`.",
        ],
    );
}

#[test]
fn a_list_goes_on_after_a_bad_item() {
    expect(
        "def a = [1, = 2, 3 4 ->, (5, *, 6), 7]",
        "(def a (array 1 ERROR (3 4) (tuple 5 ERROR 6) 7))",
        &[
            "E0104 1:13 Expected an expression after `,`, but found `=`.",
            "E0104 1:22 Expected `,` or `]` after `4`, but found `->`.",
            "E0104 1:30 Expected an expression after `,`, but found `*`.",
        ],
    );
}

#[test]
fn a_let_goes_on_at_its_in() {
    expect(
        "def a =\n  let x = 1 +\n  in let y = ] in\n  let = 2\n  let 3x = 4\n  in x",
        "(def a (let x ERROR (let y ERROR (let ERROR 2 (let 3 ERROR x)))))",
        &[
            "E0104 2:13 Expected an expression after `+`, but found the keyword `in`.",
            "E0104 3:14 Expected an expression after `=`, but found `]`.",
            "E0104 4:7 Expected a pattern after `let`, but found `=`.",
            "E0104 5:8 Expected `=` after `3`, but found `x`.",
        ],
    );
}

#[test]
fn a_branch_goes_on_at_its_keyword() {
    expect(
        "def a = if ( then 1 + else 2\ndef b = match x case ) -> 1 case 2 -> case _ -> 3",
        "(def a (if ERROR ERROR 2))\n(def b (match x (case ERROR 1) (case 2 ERROR) (case _ 3)))",
        &[
            "E0104 1:14 Expected an expression after `(`, but found the keyword `then`.",
            "E0104 1:23 Expected an expression after `+`, but found the keyword `else`.",
            "E0104 2:22 Expected a pattern after `case`, but found `)`.",
            "E0104 2:39 Expected an expression after `->`, but found the keyword `case`.",
        ],
    );
}

#[test]
fn an_unclosed_bracket_is_reported_where_it_opens() {
    expect(
        "def a = f (g [1, 2) 3\ndef b = (1 + 2\ndef c =\n  let x = (1\n  in x\nmodule m = {\n  def d = 1\n",
        "(def a (f (parens (g (array 1 2))) 3))\n(def b ERROR)\n(def c (let x (parens 1) x))\n(module m ERROR)",
        &[
            "E0105 1:14 This `[` is never closed.",
            "E0105 2:9 This `(` is never closed.",
            "E0105 4:11 This `(` is never closed.",
            "E0105 6:12 This `{` is never closed.",
        ],
    );
}

#[test]
fn a_wrong_or_superfluous_bracket() {
    expect(
        "def a = (1]\ndef b = 2}\ndef c = 3",
        "(def a (parens 1))\n(def b 2)\n(def c 3)",
        &["E0105 1:11 Expected `)`, but found `]`.", "E0105 2:10 This `}` closes nothing."],
    );
}

#[test]
fn a_let_without_in() {
    let text = "def f =\n  let x = 1\n\ndef g = 2";
    expect(
        text,
        "(def f ERROR)\n(def g 2)",
        &["E0104 4:1 Expected `in` or another `let`, but found the keyword `def`."],
    );
    assert!(help(text).starts_with("missing `in`?"));
}

#[test]
fn signs_that_are_mistaken_for_others() {
    expect("def f == 3", "(def f 3)", &["E0104 1:7 Expected `=` after `f`, but found `==`."]);
    expect(
        "def f x = match x case 1 => 2",
        "(def f x (match x (case 1 2)))",
        &["E0104 1:26 Expected `->` after `1`, but found `=>`."],
    );
    assert_eq!(help("def f =- 1"), "`=-` is read as one operator: put a space after the `=`");
    assert_eq!(help("def f = if a = b then 1 else 2"), "`==` compares: `a == b`");
    assert!(help("def f = 1..10").starts_with("use `...`, `..<` or `..>`"));
    assert_eq!(help("def f x = f $ x"), "to apply a function to all that follows, use `<|`");
}

#[test]
fn help_for_what_is_missing() {
    assert_eq!(help("def f = if a then b\ndef g = 1"), "an `if` always has both branches");
    assert_eq!(help("def f = if a b else c"), "the condition of an `if` ends with `then`");
    assert_eq!(help("def f = loop x = 1 for i < n x"), "the body of a loop begins with `do`");
    assert_eq!(help("def f = let in = 3 in 4"), "`in` is a keyword and cannot be a name");
    assert_eq!(
        help("def f = if a then[1] else [2]"),
        "put a space before `[`: directly after a word it indexes"
    );
    assert_eq!(help("f x = 1").split(',').next(), Some("a definition begins with `def`"));
    assert_eq!(help("def f x 'a = 1"), "type and size parameters come before all other parameters");
    assert_eq!(help("def f = a[0] [1]"), "to index several dimensions, write `a[i, j]` or `a[i][j]`");
    assert_eq!(help("def (a, b) = c"), "bind a single name, and take it apart where it is used");
    assert_eq!(help("def f = (1,)"), "a tuple has at least two parts, or none");
}

#[test]
fn names_that_cannot_be_defined() {
    let (_, problems) = parse_bad("def x ! y = 1\ndef (m.+) x y = 1\ndef x `m.f` y = 1");
    assert_eq!(
        problems,
        [
            "E0104 1:7 `!` is a prefix operator and cannot be defined as an infix one.",
            "E0104 2:6 A name with a module in front cannot be defined here.",
            "E0104 3:7 A name with a module in front cannot be defined here.",
        ]
    );
}

#[test]
fn literals_that_cannot_be_read() {
    expect(
        "def a = \"x\ndef b = \"\\q\"\ndef c = 'xy'\ndef d = 12abc\ndef e = '\\99999999'",
        "(def a \"x\")\n(def b ERROR)\n(def c ERROR)\n(def d ERROR)\n(def e ERROR)",
        &[
            "E0102 1:9 This string has no end.",
            "E0103 2:10 `\\q` is not an escape.",
            "E0102 3:9 This character literal has no end.",
            "E0103 4:9 `12abc` is not a number.",
            "E0103 5:10 There is no character with this code.",
        ],
    );
}

#[test]
fn characters_that_are_no_token() {
    expect(
        "def a = 1 @ 2\ndef b = \u{0}\u{0}\ndef c = \u{a0}3",
        "(def a 1)\nERROR\n(def b ERROR)\n(def c ERROR)",
        &[
            "E0101 1:11 The character `@` cannot stand here.",
            "E0101 2:9 The character U+0000 cannot stand here.",
            "E0101 3:9 The character U+00A0 cannot stand here.",
        ],
    );
}

#[test]
fn documentation_of_nothing() {
    let nothing = "This documentation comment documents nothing.";
    for (text, places) in [
        ("def a = 1\n-- | x", vec!["2:1"]),
        ("-- | x", vec!["1:1"]),
        ("def a =\n  -- | x\n  1", vec!["2:3"]),
        ("def a = 1\n-- | x\n\n-- | y\ndef b = 1", vec!["2:1"]),
        ("#[a]\n-- | x\ndef b = 1", vec!["2:1"]),
        ("-- | a\n\n-- | b\n\n-- | c\ndef f = 1", vec!["3:1"]),
    ] {
        let expected: Vec<_> = places.iter().map(|p| format!("E0107 {p} {nothing}")).collect();
        assert_eq!(parse_bad(text).1, expected, "{text}");
    }
}

#[test]
fn specifications_recover_one_by_one() {
    expect(
        "module type s = {\n  val x i32\n  def y = 1\n  val z : t\n}\ndef a = 1\nval b : t",
        "(module-type s (specs ERROR ERROR (val z t)))\n(def a 1)\nERROR",
        &[
            "E0104 2:9 Expected `:` after `x`, but found `i32`.",
            "E0104 3:3 Expected a specification, but found the keyword `def`.",
            "E0104 7:1 Expected a declaration, but found the keyword `val`.",
        ],
    );
}
