//! Half-written programs: a text that ends anywhere must not keep the server from answering.

use crate::editor::{Editor, position, programs, random};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What an editor asks about a document, or a place or a part of it.
const QUESTIONS: [&str; 15] = [
    "hover",
    "completion",
    "signatureHelp",
    "definition",
    "declaration",
    "documentHighlight",
    "references",
    "prepareRename",
    "rename",
    "semanticTokens/full",
    "documentSymbol",
    "inlayHint",
    "foldingRange",
    "codeAction",
    "formatting",
];

/// Ask everything that an editor might ask at a place. Each question takes what it needs of the same parameters.
pub fn ask_everything(editor: &mut Editor, path: &str, at: &Value) -> Vec<Result<Value, String>> {
    let all = json!({
        "position": at,
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 100_000, "character": 0 } },
        "options": { "tabSize": 2, "insertSpaces": true },
        "newName": "fresh_name",
        "context": { "diagnostics": [], "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false },
    });
    QUESTIONS.iter().map(|method| editor.try_ask(method, path, all.clone())).collect()
}

/// Some bytes of some programs; all bytes of all programs if `NORN_TEST_ALL` is set; others for as long as `NORN_FUZZ_SECONDS` says.
#[test]
fn programs_that_end_anywhere_are_answered_for() {
    let seconds = std::env::var("NORN_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let begin = Instant::now();
    let mut random = random(seconds.unwrap_or(1));
    let mut programs = programs("tests/lang");
    programs.extend(crate::editor::programs("examples"));
    if std::env::var_os("NORN_TEST_ALL").is_some() {
        return cut_everywhere(&programs);
    }
    for i in 0.. {
        let done = seconds.map_or(i == 60, |seconds| begin.elapsed().as_secs() >= seconds);
        if done {
            break;
        }
        let (path, text) = &programs[random(programs.len())];
        cut(path, text, (0..6).map(|_| random(text.len() + 1)));
    }
}

/// All bytes of all programs. This takes long, so each processor has a share, and it is shown where they are.
fn cut_everywhere(programs: &[(String, String)]) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((path, text)) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            eprintln!("{path}: {} bytes", text.len());
            cut(path, text, 0..=text.len());
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
}

fn cut(path: &str, text: &str, cuts: impl Iterator<Item = usize>) {
    let mut editor = Editor::new(&[]);
    editor.open(path, "");
    for cut in cuts.filter(|cut| text.is_char_boundary(*cut)) {
        let part = &text[..cut];
        editor.write(path, part);
        editor.diagnostics();
        ask_everything(&mut editor, path, &position(part, cut));
    }
}
