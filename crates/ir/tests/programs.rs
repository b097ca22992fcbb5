//! The programs of a folder in tests, for the tests of all crates that read such programs by themselves.

use std::path::{Path, PathBuf};

/// The name and the text of each file in a folder of tests that has this extension.
pub fn programs(folder: &str, extension: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of programs")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == extension))
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a program");
        (path.display().to_string(), text)
    };
    paths.into_iter().map(read).collect()
}
