//! A server that has seen many changes knows what one knows that has just been started. `NORN_FUZZ_SEED` chooses other changes.

use crate::broken::ask_everything;
use crate::editor::{Editor, position, programs, random, uri};
use serde_json::json;

const A: &str = "/work/a.fut";
const B: &str = "/work/b.fut";

/// Pieces that programs are made of.
const PIECES: [&str; 18] = [
    "let x = 1 in ",
    "def g (x: i32) = x\n",
    "import \"b\"\n",
    "import \"/norn/complex\"\n",
    "import \"/norn/../b\"\n",
    "map (+ 1) ",
    "(",
    ")",
    "x",
    ".",
    "#c ",
    "\n",
    "-- a\n",
    "é",
    "type t = {a: i32}\n",
    "[n]",
    "module m = { def a = 1i32 }\n",
    "open m\n",
];

#[test]
fn after_a_thousand_edits_the_answers_are_those_of_a_fresh_server() {
    let seed = std::env::var("NORN_FUZZ_SEED").ok().and_then(|text| text.parse().ok());
    let mut random = random(seed.unwrap_or(7));
    let short: Vec<String> =
        programs("examples").into_iter().map(|(_, text)| text).filter(|text| text.len() < 3000).collect();
    let start = short[random(short.len())].clone();
    let mut texts = [start, "def helper (x: i32) = x + 1\ntype t = #c i32\n".to_string()];
    let mut editor = Editor::new(&[]);
    editor.open(A, &texts[0]);
    editor.open(B, &texts[1]);
    let mut shown = editor.diagnostics();
    for step in 1..=1000 {
        let which = usize::from(random(4) == 0);
        let (path, text) = ([A, B][which], &mut texts[which]);
        let boundary = |mut i: usize, text: &str| {
            while !text.is_char_boundary(i) {
                i -= 1;
            }
            i
        };
        let from = boundary(random(text.len() + 1), text);
        // More is removed as the text grows.
        let removed = random(1 + text.len() / 100);
        let to = boundary((from + removed).min(text.len()), text).max(from);
        let piece = PIECES[random(PIECES.len())];
        let range = json!({ "start": position(text, from), "end": position(text, to) });
        editor.change(path, json!({ "range": range, "text": piece }));
        text.replace_range(from..to, piece);
        if random(3) == 0 {
            shown.extend(editor.diagnostics());
        }
        if step % 50 == 0 {
            shown.extend(editor.diagnostics());
            let mut fresh = Editor::new(&[]);
            fresh.open(A, &texts[0]);
            fresh.open(B, &texts[1]);
            let expected = fresh.diagnostics();
            for path in [A, B] {
                assert_eq!(shown[&uri(path)], expected[&uri(path)], "diagnostics after {step} edits");
            }
            for (path, text) in [A, B].into_iter().zip(&texts) {
                let at = position(text, boundary(random(text.len() + 1), text));
                let answers = ask_everything(&mut editor, path, &at);
                assert_eq!(answers, ask_everything(&mut fresh, path, &at), "answers after {step} edits");
            }
        }
    }
}
