//! How long an editor waits. No machine is asked to be fast: the test prints what it measures, and fails only if that is absurd.

use crate::editor::{Editor, programs};
use serde_json::json;
use std::time::{Duration, Instant};

/// What a program imports changes less often than the program: it must not cost the time to check it with each change.
const IMPORTS: &str = "import \"/norn/linalg\"\nimport \"/norn/statistics\"\nimport \"/norn/strings\"\nimport \"/norn/graph\"\n";

#[test]
fn a_long_file_is_checked_while_it_is_typed() {
    let (path, text) = programs("bench/compiler").into_iter().max_by_key(|(_, t)| t.lines().count()).unwrap();
    for (what, text) in [("alone", text.clone()), ("with imports", format!("{text}\n{IMPORTS}"))] {
        let (first, mut times) = times_of_edits(&path, &text);
        times.sort();
        println!(
            "{} lines {what}: first {first:?}, then {:?}, at most {:?}",
            text.lines().count(),
            times[10],
            times[19]
        );
        assert!(times[10].as_secs() < 2, "{times:?}");
    }
}

/// How long the first diagnostics take, and those after each of some changes.
fn times_of_edits(path: &str, text: &str) -> (Duration, Vec<Duration>) {
    let mut editor = Editor::new(&[]);
    editor.open(path, text);
    let begin = Instant::now();
    editor.diagnostics();
    let first = begin.elapsed();
    let mut times = Vec::new();
    for i in 0..20 {
        let line = 20 * i;
        let at = json!({ "line": line, "character": 0 });
        editor.change(path, json!({ "range": { "start": at, "end": at }, "text": "-- typed\n" }));
        let begin = Instant::now();
        editor.diagnostics();
        times.push(begin.elapsed());
        editor.ask("hover", path, json!({ "position": at }));
    }
    (first, times)
}
