//! Any name of any program that its author has defined can be given a new name.

use crate::editor::{Editor, OnDisk, position, programs, random};
use serde_json::json;

/// Some names of some programs; many more of all programs if `NORN_TEST_ALL` is set. The server checks the renamed program itself and refuses what it finds to mean something else.
#[test]
fn new_names_change_nothing() {
    let all = std::env::var_os("NORN_TEST_ALL").is_some();
    let mut random = random(3);
    let mut programs = programs("tests/lang");
    programs.extend(crate::editor::programs("examples"));
    let chosen: Vec<usize> = match all {
        true => (0..programs.len()).collect(),
        false => (0..50).map(|_| random(programs.len())).collect(),
    };
    let mut renamed = 0;
    let mut refused = Vec::new();
    for i in chosen {
        let (path, text) = &programs[i];
        let folder = &path[..path.rfind('/').unwrap_or(0)];
        let near = programs.iter().map(|(path, _)| path.clone()).filter(|path| path.starts_with(folder));
        let mut editor = Editor::with(Box::new(OnDisk(near.collect())));
        editor.open(path, text);
        let has_errors = |list: &Vec<serde_json::Value>| list.iter().any(|d| d["severity"] == 1);
        if editor.diagnostics().values().any(has_errors) {
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        for _ in 0..if all { 40 } else { 6 } {
            let Some(at) = (random(text.len() + 1)..text.len()).find(|i| text[*i..].starts_with(is_word))
            else {
                continue;
            };
            let ask = json!({ "position": position(text, at), "newName": "fresh_name" });
            match editor.try_ask("rename", path, ask) {
                Ok(_) => renamed += 1,
                Err(why) => {
                    let expected = ["prelude", "no name here", "cannot stand in place"];
                    let line = text[..at].matches('\n').count() + 1;
                    if !expected.iter().any(|words| why.contains(words)) {
                        refused.push(format!("{path}:{line}: {why}"));
                    }
                }
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(renamed > 20, "{renamed} names were renamed");
}
