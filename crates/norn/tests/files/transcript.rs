//! Files that hold a conversation: what goes in, and what is expected to come out.

use crate::trial;
use libtest_mimic::Trial;
use std::fs;
use std::path::{Path, PathBuf};

/// A test for every conversation `tests/FOLDER/*.txt`, which compares what comes out with what is written. With
/// `BLESS=1` it is written.
pub fn conversations(folder: &str, run: fn(&Path, &str) -> String) -> Vec<Trial> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder);
    let place = place.canonicalize().unwrap();
    let mut paths: Vec<PathBuf> = fs::read_dir(&place)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "there are no conversations in {}", place.display());
    let test = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        trial("conversation", format!("tests/{folder}/{name}"), move || {
            let written = fs::read_to_string(&path).unwrap();
            expect(&path, &written, &run(&path, &written))
        })
    };
    paths.into_iter().map(test).collect()
}

/// That a file says what was found; with `BLESS=1` it does so afterwards.
pub fn expect(path: &Path, written: &str, found: &str) -> Result<(), String> {
    if found == written {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::write(path, found).unwrap();
        return Ok(());
    }
    let diff = similar::TextDiff::from_lines(written, found);
    Err(format!("it went differently:\n{}", diff.unified_diff()))
}
