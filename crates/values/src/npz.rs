//! Named arrays in numpy's `.npz` format: a zip archive of `.npy` files.
//!
//! Archives come from anywhere, so they are read by the crate `zip`, which many people look after. Of its compressions only deflate is built
//! in: numpy writes no other.

use crate::error::{ErrorKind, ReadError};
use crate::npy::{read_npy, write_npy};
use crate::value::Value;
use std::fmt;
use std::io::{Cursor, Read, Write};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// How members of an archive are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    Stored,
    Deflated,
}

/// An archive cannot hold these arrays: a phrase that says why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchiveError(String);

/// Reads the arrays of a `.npz` file, with their names and in their order. Members of the archive
/// that are not `.npy` files are left out. At no time is there more than `limit` bytes of unpacked data.
pub fn read_npz(bytes: &[u8], limit: usize) -> Result<Vec<(String, Value)>, ReadError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| describe(error, bytes.len()))?;
    let mut values = Vec::new();
    let mut room = limit;
    for index in 0..archive.len() {
        let mut member = archive.by_index(index).map_err(|error| describe(error, 0))?;
        let member_name = member.name().map_err(|error| describe(error, 0))?.into_owned();
        let Some(name) = member_name.strip_suffix(".npy") else { continue };
        let at = usize::try_from(member.header_start()).unwrap_or(usize::MAX);
        let in_member = |mut error: ReadError| {
            error.expected += &format!(" in the member `{member_name}`");
            error
        };
        // A member is there twice for a moment: as a file, and as an array.
        let mut file = Vec::new();
        let most = room / 2;
        let read = member.by_ref().take(most as u64 + 1).read_to_end(&mut file);
        read.map_err(|error| in_member(corrupt(at, "the data of a member", error.to_string())))?;
        if file.len() > most {
            let expected = format!("at most {limit} bytes of unpacked data");
            return Err(in_member(ReadError::new(at, ErrorKind::TooLarge, expected, "more than that")));
        }
        if file.len() as u64 != member.size() {
            let (expected, found) = (format!("{} bytes", member.size()), format!("{} bytes", file.len()));
            return Err(in_member(corrupt(at, &expected, found)));
        }
        room -= file.len();
        values.push((name.to_string(), read_npy(&file).map_err(in_member)?));
    }
    Ok(values)
}

/// Writes named arrays as a `.npz` file. The same arrays give the same bytes.
pub fn write_npz<'a>(
    values: impl IntoIterator<Item = (&'a str, &'a Value)>,
    compression: Compression,
) -> Result<Vec<u8>, ArchiveError> {
    let method = match compression {
        Compression::Stored => CompressionMethod::Stored,
        Compression::Deflated => CompressionMethod::Deflated,
    };
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let failed = |error: ZipError| ArchiveError(error.to_string());
    for (name, value) in values {
        let mut file = Vec::new();
        write_npy(value, &mut file);
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(zip::DateTime::default())
            .large_file(file.len() >= u32::MAX as usize);
        archive.start_file(format!("{name}.npy"), options).map_err(failed)?;
        archive.write_all(&file).map_err(|error| ArchiveError(error.to_string()))?;
    }
    Ok(archive.finish().map_err(failed)?.into_inner())
}

fn describe(error: ZipError, at: usize) -> ReadError {
    match error {
        ZipError::InvalidArchive(why) => corrupt(at, "a zip archive", why),
        ZipError::Io(error) => corrupt(at, "a zip archive", error.to_string()),
        ZipError::UnsupportedArchive(why) => unsupported(at, why.to_string()),
        ZipError::CompressionMethodNotSupported(method) => {
            unsupported(at, format!("compression method {method}"))
        }
        other => unsupported(at, other.to_string()),
    }
}

fn corrupt(at: usize, expected: &str, found: impl Into<String>) -> ReadError {
    ReadError::new(at, ErrorKind::Corrupt, expected, found)
}

fn unsupported(at: usize, found: String) -> ReadError {
    ReadError::new(
        at,
        ErrorKind::Unsupported,
        "members that are stored or deflated, and not encrypted",
        found,
    )
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the arrays cannot be put into an archive: {}", self.0)
    }
}

impl std::error::Error for ArchiveError {}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 1 << 24;

    fn archive(compression: Compression) -> Vec<u8> {
        let arrays = [("a", Value::vector(vec![1.5f64, 2.5])), ("b", Value::vector(vec![7u8; 1000]))];
        write_npz(arrays.iter().map(|(name, value)| (*name, value)), compression).unwrap()
    }

    #[test]
    fn members_read_back() {
        for compression in [Compression::Stored, Compression::Deflated] {
            let bytes = archive(compression);
            assert_eq!(bytes, archive(compression));
            let arrays = read_npz(&bytes, LIMIT).unwrap();
            let expected = [("a", Value::vector(vec![1.5f64, 2.5])), ("b", Value::vector(vec![7u8; 1000]))];
            assert_eq!(arrays, expected.map(|(name, value)| (name.to_string(), value)));
        }
    }

    #[test]
    fn damage_is_noticed() {
        let good = archive(Compression::Deflated);
        for end in 0..good.len() {
            assert!(read_npz(&good[..end], LIMIT).is_err(), "{end}");
        }
        let mut bad = archive(Compression::Stored);
        // In the elements of the first array.
        bad[30 + "a.npy".len() + 130] ^= 1;
        assert_eq!(read_npz(&bad, LIMIT).unwrap_err().kind, ErrorKind::Corrupt);
    }

    #[test]
    fn a_small_archive_does_not_become_a_huge_one() {
        let zeros = Value::vector(vec![0u8; 1 << 20]);
        let names = ["a", "b", "c", "d"];
        let bytes = write_npz(names.map(|name| (name, &zeros)), Compression::Deflated).unwrap();
        assert!(bytes.len() < 1 << 14);
        assert!(read_npz(&bytes, 6 << 20).is_ok());
        for limit in [0, 1 << 20, 2 << 20, 4 << 20] {
            assert_eq!(read_npz(&bytes, limit).unwrap_err().kind, ErrorKind::TooLarge, "{limit}");
        }
    }
}
