//! Which programs a path on the command line means.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file, or the programs in a folder and in those below it, in the order of their names.
pub fn programs_at(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.into());
        return Ok(());
    }
    let mut entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // What a link in a folder points to may be anywhere.
        let kind = entry.file_type()?;
        if kind.is_dir() && !entry.file_name().to_string_lossy().starts_with('.') {
            programs_at(&path, files)?;
        } else if kind.is_file() && path.extension().is_some_and(|e| e == "fut") {
            files.push(path);
        }
    }
    Ok(())
}
