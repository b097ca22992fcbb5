//! Data files beside a program.

use norn_values::gzip::read_gzip;
use norn_values::{Value, read_values};
use std::path::Path;

/// What a compressed file may grow to.
const MOST_BYTES: usize = 1 << 34;

/// The values in a file, which is unpacked if its name ends in `.gz`. The error is a sentence.
pub fn read_data(folder: &Path, name: &str) -> Result<Vec<Value>, String> {
    let mut bytes = read_file(folder, name)?;
    if name.ends_with(".gz") {
        bytes = read_gzip(&bytes, MOST_BYTES)
            .map_err(|e| format!("The file `{name}` cannot be unpacked: {e}."))?;
    }
    read_values(&bytes).map_err(|e| format!("The file `{name}` holds no values: {e}."))
}

/// The bytes of a file. The error is a sentence.
pub fn read_file(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    std::fs::read(folder.join(name)).map_err(|e| format!("The file `{name}` cannot be read: {e}."))
}
