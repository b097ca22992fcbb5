//! Files as a session sees them: inputs beside the files of the system, which are read once.

use norn::FsLoader;
use norn_base::FileId;
use norn_check::{LoadError, Loader};
use norn_syntax::ast::{DecKind, NodeIds};
use std::collections::HashMap;

/// Inputs and files by their paths.
#[derive(Default, Clone)]
pub struct SessionLoader {
    files: HashMap<String, String>,
    /// The file whose local definitions are visible.
    opened: Option<String>,
}

impl SessionLoader {
    /// Opens the program at `path`, and forgets the texts of all files.
    pub fn open(path: Option<String>) -> SessionLoader {
        SessionLoader { files: HashMap::new(), opened: path }
    }

    pub fn add(&mut self, path: String, text: String) {
        self.files.insert(path, text);
    }

    /// What the file at `path` imports for itself.
    pub fn imports(&mut self, path: &str) -> Result<Vec<String>, LoadError> {
        let text = self.load(path)?;
        let parsed = norn_syntax::parse(FileId(0), &text, &mut NodeIds::default());
        let import = |dec: &norn_syntax::ast::Dec| match &dec.kind {
            DecKind::Import(literal) => Some(literal.text.clone()),
            DecKind::Vals(_)
            | DecKind::Types(_)
            | DecKind::Mod(_)
            | DecKind::ModType(_)
            | DecKind::Open(_)
            | DecKind::Local(_)
            | DecKind::Error => None,
        };
        Ok(parsed.prog.decs.iter().filter_map(import).collect())
    }
}

impl Loader for SessionLoader {
    fn load(&mut self, path: &str) -> Result<String, LoadError> {
        if let Some(text) = self.files.get(path) {
            return Ok(text.clone());
        }
        let mut text = FsLoader.load(path)?;
        if self.opened.as_deref() == Some(path) {
            text = without_local(&text);
        }
        self.files.insert(path.to_string(), text.clone());
        Ok(text)
    }
}

/// A path as the checker resolves it: without `.`, and `..` only at its start.
pub fn normalised(path: &str) -> String {
    let mut parts: Vec<&str> = if path.starts_with('/') { vec![""] } else { Vec::new() };
    for part in path.split('/') {
        match (part, parts.last()) {
            ("" | ".", _) => {}
            ("..", Some(&last)) if !matches!(last, "" | "..") => {
                parts.pop();
            }
            (part, _) => parts.push(part),
        }
    }
    parts.join("/")
}

/// The text with blanks in place of each `local` at its top level, so that nothing moves.
fn without_local(text: &str) -> String {
    const LOCAL: &str = "local";
    let parsed = norn_syntax::parse(FileId(0), text, &mut NodeIds::default());
    let mut out = text.to_string();
    for dec in &parsed.prog.decs {
        if !matches!(dec.kind, DecKind::Local(_)) {
            continue;
        }
        // Attributes may stand before it.
        let start = dec.span.lo as usize;
        if let Some(at) = out.get(start..dec.span.hi as usize).and_then(|dec| dec.find(LOCAL)) {
            out.replace_range(start + at..start + at + LOCAL.len(), &" ".repeat(LOCAL.len()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{normalised, without_local};

    #[test]
    fn paths_are_normalised() {
        let paths =
            [("a/./b", "a/b"), ("./a", "a"), ("a/../b", "b"), ("../../a", "../../a"), ("/a//b/..", "/a")];
        for (path, normal) in paths {
            assert_eq!(normalised(path), normal);
        }
    }

    #[test]
    fn local_definitions_become_visible_in_their_places() {
        assert_eq!(
            without_local("local def local_x = 1\nlocal open f32"),
            "      def local_x = 1\n      open f32"
        );
        assert_eq!(without_local("module m = { local def x = 1 }"), "module m = { local def x = 1 }");
    }
}
