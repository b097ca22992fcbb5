//! Files that hold a conversation: what goes in, and what is expected to come out.

use std::fs;
use std::path::{Path, PathBuf};

/// Runs every conversation `tests/FOLDER/*.txt`, and compares what comes out with what is written. With
/// `BLESS=1` it is written.
pub fn check_transcripts(folder: &str, run: impl Fn(&Path, &str) -> String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder);
    let folder = folder.canonicalize().unwrap();
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "there are no conversations in {}", folder.display());
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let mut failed = Vec::new();
    for path in paths {
        let written = fs::read_to_string(&path).unwrap();
        let found = run(&path, &written);
        if found == written {
            continue;
        }
        if bless {
            fs::write(&path, &found).unwrap();
        } else {
            let diff = similar::TextDiff::from_lines(&written, &found);
            failed.push(format!("{}\n{}", path.display(), diff.unified_diff()));
        }
    }
    assert!(failed.is_empty(), "conversations that went differently:\n\n{}", failed.join("\n"));
}
