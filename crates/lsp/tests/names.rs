//! What holds for the names of all programs: those that their authors have defined can be given new names, and each is offered where it is used.
//!
//! Some names of some programs are tried; many more, of all programs, if `NORN_TEST_ALL` is set. `NORN_FUZZ_SEED` chooses others.

use crate::editor::{Editor, OnDisk, position, programs, random};
use serde_json::{Value, json};

/// A name in a program that is open: the path, the text, and where the name is.
struct Found<'a> {
    path: &'a str,
    text: &'a str,
    from: usize,
    to: usize,
}

impl Found<'_> {
    fn place(&self) -> String {
        let line = self.text[..self.from].matches('\n').count() + 1;
        format!("{}:{line}: `{}`", self.path, &self.text[self.from..self.to])
    }
}

/// Ask something about words of programs without errors; what was wrong with the answers, and for how many words there was one.
fn try_words(mut ask: impl FnMut(&mut Editor, &Found) -> Option<Result<(), String>>) {
    let all = std::env::var_os("NORN_TEST_ALL").is_some();
    let seed = std::env::var("NORN_FUZZ_SEED").ok().and_then(|text| text.parse().ok());
    let mut random = random(seed.unwrap_or(3));
    let mut list = programs("tests/lang");
    list.extend(programs("examples"));
    let chosen: Vec<usize> = match all {
        true => (0..list.len()).collect(),
        false => (0..50).map(|_| random(list.len())).collect(),
    };
    let (mut checked, mut wrong) = (0, Vec::new());
    for i in chosen {
        let (path, text) = &list[i];
        let folder = &path[..path.rfind('/').unwrap_or(0)];
        let near = list.iter().map(|(path, _)| path.clone()).filter(|path| path.starts_with(folder));
        let mut editor = Editor::with(Box::new(OnDisk(near.collect())));
        editor.open(path, text);
        let has_errors = |list: &Vec<Value>| list.iter().any(|d| d["severity"] == 1);
        if editor.diagnostics().values().any(has_errors) {
            continue;
        }
        for _ in 0..if all { 40 } else { 6 } {
            let Some(found) = word_at(path, text, random(text.len() + 1)) else { continue };
            if let Some(answer) = ask(&mut editor, &found) {
                checked += 1;
                wrong.extend(answer.err().map(|why| format!("{}: {why}", found.place())));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 20, "only {checked} words were asked about");
}

/// The word at a place, or the next one.
fn word_at<'a>(path: &'a str, text: &'a str, at: usize) -> Option<Found<'a>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let inside = (at..text.len())
        .find(|i| text.get(*i..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic())))?;
    let from = text[..inside].rfind(|c| !is_part(c)).map_or(0, |i| i + 1);
    let to = text[inside..].find(|c| !is_part(c)).map_or(text.len(), |i| inside + i);
    text.is_char_boundary(from).then_some(Found { path, text, from, to })
}

/// The server checks the renamed program itself, and refuses what would mean something else.
#[test]
fn new_names_change_nothing() {
    try_words(|editor, found| {
        let ask = json!({ "position": position(found.text, found.from), "newName": "fresh_name" });
        let expected = ["prelude", "no name here", "cannot stand in place"];
        match editor.try_ask("rename", found.path, ask) {
            Ok(_) => Some(Ok(())),
            Err(why) if expected.iter().any(|words| why.contains(words)) => None,
            Err(why) => Some(Err(why)),
        }
    });
}

#[test]
fn names_are_offered_where_they_are_used() {
    try_words(|editor, found| {
        let start = position(found.text, found.from);
        let definition = editor.ask("declaration", found.path, json!({ "position": start }));
        // Paths, and types of a module type that is refined, are no names in scope.
        let line = found.text[..found.from].rsplit('\n').next().unwrap_or_default();
        if line.contains("import \"") || line.contains(" with ") {
            return None;
        }
        // What is being defined cannot be known before it is written.
        if definition.is_null() || definition["range"]["start"] == start {
            return None;
        }
        let first = found.text[found.from..].chars().next().map_or(1, char::len_utf8);
        let at = json!({ "position": position(found.text, found.from + first) });
        let answer = editor.ask("completion", found.path, at);
        let name = &found.text[found.from..found.to];
        let offered = answer["items"].as_array().into_iter().flatten().any(|item| item["label"] == name);
        Some(if offered { Ok(()) } else { Err("is not offered".into()) })
    });
}
