//! Which programs are meant by the paths that the user gave.

use crate::FileError;
use std::io;
use std::path::{Path, PathBuf};

/// The files among `paths`, and all `.fut` files in the folders among them, in the order of their
/// names.
pub fn collect_programs(paths: &[PathBuf]) -> Result<Vec<PathBuf>, FileError> {
    let mut found = Vec::new();
    for path in paths {
        let described = |reason: String| FileError { path: path.to_string_lossy().into(), reason };
        if path.is_dir() {
            collect(path, &mut found).map_err(|e| described(format!("cannot be read: {e}")))?;
        } else if path.exists() {
            found.push(path.clone());
        } else {
            return Err(described("does not exist".into()));
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // A link to a folder could lead in a circle; one to a file is a file.
        if entry.file_type()?.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "fut") && path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}
