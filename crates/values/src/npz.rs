//! Named arrays in numpy's `.npz` format: a zip archive of `.npy` files.
//!
//! Archives are read and written by a small module of our own, with miniz_oxide for the compressed
//! members: the crate `zip` does I/O, knows ciphers and compressions that numpy never writes, and
//! would be the largest dependency of the compiler.

mod zip;

use crate::error::ReadError;
use crate::npy::{read_npy, write_npy};
use crate::value::Value;
use std::fmt;

/// How members of an archive are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    Stored,
    Deflated,
}

/// The archive would need more than 4 GiB or 65,535 members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArchiveTooLarge;

/// Reads the arrays of a `.npz` file, with their names and in their order. Members of the archive
/// that are not `.npy` files are left out.
pub fn read_npz(bytes: &[u8]) -> Result<Vec<(String, Value)>, ReadError> {
    let mut values = Vec::new();
    for member in zip::list_members(bytes)? {
        let Some(name) = member.name.strip_suffix(".npy") else { continue };
        let in_member = |mut error: ReadError| {
            error.expected += &format!(" in the member `{}`", member.name);
            error
        };
        let file = zip::extract_member(bytes, &member).map_err(in_member)?;
        values.push((name.to_string(), read_npy(&file).map_err(in_member)?));
    }
    Ok(values)
}

/// Writes named arrays as a `.npz` file.
pub fn write_npz<'a>(
    values: impl IntoIterator<Item = (&'a str, &'a Value)>,
    compression: Compression,
) -> Result<Vec<u8>, ArchiveTooLarge> {
    let mut archive = zip::Writer::new(compression);
    for (name, value) in values {
        let mut file = Vec::new();
        write_npy(value, &mut file);
        archive.add(&format!("{name}.npy"), &file).ok_or(ArchiveTooLarge)?;
    }
    archive.finish().ok_or(ArchiveTooLarge)
}

impl fmt::Display for ArchiveTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a .npz file is written with at most 4 GiB and 65,535 arrays")
    }
}

impl std::error::Error for ArchiveTooLarge {}
