//! The files of the repository.

use crate::root;
use std::fs;
use std::path::{Path, PathBuf};

/// A file and its path from the root of the repository, with `/` between the parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RepoFile {
    pub name: String,
    pub path: PathBuf,
}

impl RepoFile {
    pub fn read(&self) -> Result<String, String> {
        fs::read_to_string(&self.path).map_err(|e| format!("{}: {e}", self.name))
    }

    /// The name of the folder that the file is in.
    pub fn folder(&self) -> &str {
        self.name.rsplit('/').nth(1).unwrap_or("")
    }
}

/// All files below `folder` with the given extension, in order. None if there is no such folder.
pub fn files(folder: &str, extension: &str) -> Vec<RepoFile> {
    let mut found = Vec::new();
    walk(&root().join(folder), folder, extension, &mut found);
    found.sort();
    found
}

fn walk(path: &Path, name: &str, extension: &str, found: &mut Vec<RepoFile>) {
    let Ok(entries) = fs::read_dir(path) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            walk(&path, &name, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(RepoFile { name, path });
        }
    }
}
