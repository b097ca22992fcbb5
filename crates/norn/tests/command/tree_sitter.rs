//! The grammar for tree-sitter, where its command is installed: a parser is generated from it, and all programs of the repository are parsed.
//!
//! Programs whose text is not well-formed, as in tests/errors, are left out.
#![cfg(unix)]

use crate::run::Workplace;
use std::fs::{read_dir, write};
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDERS: [&str; 4] = ["bench/programs", "examples", "lib", "tests/lang"];
const QUERIES: [&str; 3] = ["queries/highlights.scm", "queries/folds.scm", "queries/textobjects.scm"];

#[test]
fn tree_sitter_parses_all_programs() {
    if Command::new("tree-sitter").arg("--version").output().is_err() {
        eprintln!("note: there is no tree-sitter here");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let place = Workplace::new();
    for file in ["grammar.js", "tree-sitter.json"].iter().chain(&QUERIES) {
        place.write(file, std::fs::read(root.join("editors/tree-sitter").join(file)).unwrap());
    }
    // Its own settings and what it has compiled stay in the folder.
    let tree_sitter = |args: &[&str]| {
        let mut command = Command::new("tree-sitter");
        command.args(args).env("HOME", place.path(".")).env("XDG_CACHE_HOME", place.path("cache"));
        let run = place.run(&mut command, "");
        assert_eq!(run.code, Some(0), "tree-sitter {args:?}\n{}{}", run.stdout, run.stderr);
    };
    tree_sitter(&["generate"]);
    let mut programs = Vec::new();
    FOLDERS.iter().for_each(|folder| collect(&root.join(folder), &mut programs));
    assert!(programs.len() > 400);
    let list: Vec<&str> = programs.iter().map(|path| path.to_str().unwrap()).collect();
    write(place.path("programs"), list.join("\n")).unwrap();
    tree_sitter(&["parse", "--quiet", "--paths", "programs"]);
    // The queries are about nodes that there are.
    for query in QUERIES {
        tree_sitter(&["query", query, list[0]]);
    }
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "fut") {
            out.push(path);
        }
    }
}
