//! Data files beside a program.

use super::blocks::Literals;
use norn_values::gzip::read_gzip;
use std::path::Path;

/// The values in a file, which is unpacked if its name ends in `.gz`. Neither its bytes nor its values are more than the limit. The error is a
/// sentence.
pub fn read_data(folder: &Path, name: &str, limit: usize) -> Result<Literals, String> {
    let mut bytes = read_file(folder, name)?;
    if name.ends_with(".gz") {
        bytes =
            read_gzip(&bytes, limit).map_err(|e| format!("The file `{name}` cannot be unpacked: {e}."))?;
    }
    Literals::read(bytes, limit).map_err(|e| format!("The file `{name}` holds no values: {e}."))
}

/// The bytes of a file. The error is a sentence.
pub fn read_file(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    std::fs::read(folder.join(name)).map_err(|e| format!("The file `{name}` cannot be read: {e}."))
}
