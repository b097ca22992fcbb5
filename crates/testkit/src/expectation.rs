//! Comparison of output with a file that holds what is expected.

use crate::Verdict;
use similar::TextDiff;
use std::fs;
use std::path::Path;

/// Compares `actual` with the file at `path`, or writes it there if `BLESS` is set.
pub fn compare(path: &Path, actual: &str) -> Verdict {
    let name = path.display();
    if std::env::var_os("BLESS").is_some() {
        return fs::write(path, actual).map_err(|e| format!("{name}: {e}"));
    }
    let expected = fs::read_to_string(path).map_err(|e| format!("{name}: {e} (BLESS=1 writes it)"))?;
    if expected == actual {
        return Ok(());
    }
    let diff = TextDiff::from_lines(&expected, actual);
    let diff = diff.unified_diff().header("expected", "actual").to_string();
    Err(format!("{name} differs (BLESS=1 rewrites it):\n{diff}"))
}

/// As `compare`, for files that are no text.
pub fn compare_bytes(path: &Path, actual: &[u8]) -> Verdict {
    let name = path.display();
    if std::env::var_os("BLESS").is_some() {
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, actual));
        return written.map_err(|e| format!("{name}: {e}"));
    }
    let expected = fs::read(path).map_err(|e| format!("{name}: {e} (BLESS=1 writes it)"))?;
    if expected == actual { Ok(()) } else { Err(format!("{name} differs (BLESS=1 rewrites it)")) }
}
