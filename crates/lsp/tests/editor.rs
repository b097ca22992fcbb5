//! An editor without a screen: it opens texts, asks about places in them, and reads the answers.

use norn_check::{LoadError, Loader};
use norn_lsp::{Files, Server};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files that are not on any disk.
#[derive(Clone, Default)]
pub struct Stored(pub BTreeMap<String, String>);

impl Loader for Stored {
    fn load(&mut self, path: &str) -> Result<String, LoadError> {
        self.0.get(path).cloned().ok_or(LoadError::NotFound)
    }
}

impl Files for Stored {
    fn programs_in(&mut self, folder: &str) -> Vec<String> {
        self.0.keys().filter(|path| path.starts_with(folder)).cloned().collect()
    }

    fn shown_prelude(&mut self, path: &str, _text: &str) -> Option<String> {
        Some(format!("/shown{path}"))
    }
}

/// Files of this machine, of which these are listed.
pub struct OnDisk(pub Vec<String>);

impl Loader for OnDisk {
    fn load(&mut self, path: &str) -> Result<String, LoadError> {
        std::fs::read_to_string(path).map_err(|_| LoadError::NotFound)
    }
}

impl Files for OnDisk {
    fn programs_in(&mut self, _folder: &str) -> Vec<String> {
        self.0.clone()
    }

    fn shown_prelude(&mut self, path: &str, _text: &str) -> Option<String> {
        Some(path.to_string())
    }
}

pub struct Editor {
    pub server: Server,
}

impl Editor {
    pub fn new(files: &[(&str, &str)]) -> Editor {
        let stored = files.iter().map(|(path, text)| (path.to_string(), text.to_string()));
        Editor::with(Box::new(Stored(stored.collect())))
    }

    pub fn with(files: Box<dyn Files>) -> Editor {
        let mut server = Server::new(files);
        server.initialize(&json!({
            "capabilities": { "general": { "positionEncodings": ["utf-8"] } },
            "rootUri": "file:///",
        }));
        Editor { server }
    }

    pub fn open(&mut self, path: &str, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "norn", "version": 1, "text": text });
        self.server.notification("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replace the whole text.
    pub fn write(&mut self, path: &str, text: &str) {
        self.change(path, json!({ "text": text }));
    }

    pub fn change(&mut self, path: &str, change: Value) {
        let params =
            json!({ "textDocument": { "uri": uri(path), "version": 2 }, "contentChanges": [change] });
        self.server.notification("textDocument/didChange", params);
    }

    /// The answer to a question about a document.
    pub fn ask(&mut self, method: &str, path: &str, more: Value) -> Value {
        self.try_ask(method, path, more).unwrap_or_else(|message| panic!("{method}: {message}"))
    }

    pub fn try_ask(&mut self, method: &str, path: &str, more: Value) -> Result<Value, String> {
        let mut params = json!({ "textDocument": { "uri": uri(path) } });
        if let (Some(all), Value::Object(more)) = (params.as_object_mut(), more) {
            all.extend(more);
        }
        self.server.request(&format!("textDocument/{method}"), params).map_err(|e| e.message)
    }

    /// The answer to a question about the place of `§` in a text, which is opened without it.
    pub fn ask_at(&mut self, method: &str, path: &str, text: &str, more: Value) -> Value {
        let position = self.open_at(path, text);
        let mut all = json!({ "position": position });
        if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
            all.extend(more);
        }
        self.ask(method, path, all)
    }

    /// Open a text with a `§` in it, without it; its place.
    pub fn open_at(&mut self, path: &str, text: &str) -> Value {
        let at = text.find('§').expect("a place is marked with §");
        self.open(path, &text.replacen('§', "", 1));
        position(text, at)
    }

    /// All diagnostics of all files that changed.
    pub fn diagnostics(&mut self) -> BTreeMap<String, Vec<Value>> {
        let mut all = BTreeMap::new();
        while let Some(messages) = self.server.diagnose() {
            for message in messages {
                let message = serde_json::to_value(message).unwrap();
                let list = message["diagnostics"].as_array().cloned().unwrap_or_default();
                all.insert(message["uri"].as_str().unwrap().to_string(), list);
            }
        }
        all
    }
}

pub fn uri(path: &str) -> String {
    format!("file://{path}")
}

/// In bytes, which the editor has asked for.
pub fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    json!({ "line": line, "character": offset - before.rfind('\n').map_or(0, |i| i + 1) })
}

pub fn offset(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    start + position["character"].as_u64().unwrap() as usize
}

/// A text after edits, which are about the text before them.
pub fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<(usize, usize, String)> = edits
        .as_array()
        .into_iter()
        .flatten()
        .map(|e| {
            let range = &e["range"];
            (
                offset(text, &range["start"]),
                offset(text, &range["end"]),
                e["newText"].as_str().unwrap().to_string(),
            )
        })
        .collect();
    edits.sort();
    let mut out = text.to_string();
    for (from, to, new) in edits.into_iter().rev() {
        out.replace_range(from..to, &new);
    }
    out
}

/// The programs of the repository that are in a folder.
pub fn programs(folder: &str) -> Vec<(String, String)> {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = std::env::var_os("NORN_ROOT").map_or(built, PathBuf::from).canonicalize().unwrap();
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "fut")
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                found.push((path.to_str().unwrap().to_string(), text));
            }
        }
    }
    found.sort();
    found
}

/// Numbers below a bound, the same in each run.
pub fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    }
}
