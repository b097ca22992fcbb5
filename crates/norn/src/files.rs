//! Source files of the file system.

use norn_base::{Diagnostic, FileId, SourceMap, Span, codes};
use norn_check::{LoadError, Loader};
use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// No source file is larger: what is meant by one that is must be something else, such as a device without an end.
const MOST_BYTES: u64 = 64 << 20;

/// Reads imported files from the file system.
pub struct FsLoader;

impl Loader for FsLoader {
    fn load(&mut self, path: &str) -> Result<String, LoadError> {
        let bytes = read_regular(Path::new(path))?;
        String::from_utf8(bytes).map_err(|e| LoadError::NotUtf8 { valid_up_to: e.utf8_error().valid_up_to() })
    }
}

/// A file that was named by the user cannot be read.
#[derive(Debug)]
pub struct FileError {
    /// The path as the user wrote it.
    pub path: String,
    /// A phrase: "does not exist".
    pub reason: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.path, self.reason)
    }
}

impl std::error::Error for FileError {}

/// Adds the file at `path` to `sources`. If it is not UTF-8 the diagnostic reports where, and the
/// file in `sources` has replacement characters.
pub fn load_source(
    sources: &mut SourceMap,
    path: &Path,
) -> Result<(FileId, Result<(), Diagnostic>), FileError> {
    let name = display_name(path);
    let bytes = read(path).map_err(|e| FileError { path: name.clone(), reason: load_reason(&e) })?;
    Ok(add_source(sources, name, bytes))
}

/// Adds `bytes` to `sources`, as `load_source` does.
pub(crate) fn add_source(
    sources: &mut SourceMap,
    name: String,
    bytes: Vec<u8>,
) -> (FileId, Result<(), Diagnostic>) {
    match String::from_utf8(bytes) {
        Ok(text) => (sources.add(name, text), Ok(())),
        Err(e) => {
            let at = e.utf8_error().valid_up_to();
            let file = sources.add(name, String::from_utf8_lossy(e.as_bytes()));
            let span = Span::new(file, at, at + char::REPLACEMENT_CHARACTER.len_utf8());
            let diagnostic = Diagnostic::error(codes::INVALID_CHARACTER, span, "The file is not UTF-8 text.")
                .label(format!("the byte 0x{:02x} does not belong here", e.as_bytes()[at]));
            (file, Err(diagnostic))
        }
    }
}

/// The path with `/` between its parts, as imports are written.
fn display_name(path: &Path) -> String {
    let name = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' { name.into() } else { name.replace(std::path::MAIN_SEPARATOR, "/") }
}

/// The bytes of a file that a program names. A pipe would wait for a writer, and a device need not have an end, so both are refused.
pub(crate) fn read_regular(path: &Path) -> Result<Vec<u8>, LoadError> {
    let data = std::fs::metadata(path).map_err(load_error)?;
    if !data.is_dir() && !data.is_file() {
        return Err(LoadError::NotAFile);
    }
    read(path)
}

/// The bytes of a file that the user names, who may well mean a pipe.
fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    // Reading a directory fails in a different way on each system.
    if path.is_dir() {
        return Err(LoadError::IsDirectory);
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(load_error)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(load_error)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(LoadError::TooLarge { limit: MOST_BYTES });
    }
    Ok(bytes)
}

fn load_error(error: std::io::Error) -> LoadError {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => LoadError::NotFound,
        _ => LoadError::Other(error.to_string()),
    }
}

/// A phrase on why a file cannot be read: "does not exist".
pub fn load_reason(error: &LoadError) -> String {
    match error {
        LoadError::NotFound => "does not exist".into(),
        LoadError::IsDirectory => "is a directory".into(),
        LoadError::NotAFile => "is a pipe or a device, not a file".into(),
        LoadError::TooLarge { limit } => format!("has more than {limit} bytes"),
        LoadError::NotUtf8 { .. } => "is not UTF-8 text".into(),
        LoadError::Other(what) => format!("cannot be read: {what}"),
    }
}
