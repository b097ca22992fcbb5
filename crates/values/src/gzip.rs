//! Gzip files (RFC 1952), to be read: large data sets of tests are kept compressed.
//!
//! A file is one or more members, which are read by the crate `flate2`. How large they are is not known before, so nothing is
//! reserved for them: the output grows as data arrives.

use crate::error::{ErrorKind, ReadError};
use flate2::bufread::GzDecoder;
use std::io::{self, Read};

/// Unpacks a gzip file to at most `limit` bytes.
pub fn read_gzip(bytes: &[u8], limit: usize) -> Result<Vec<u8>, ReadError> {
    let mut out = Vec::new();
    let mut rest = bytes;
    loop {
        let at = bytes.len() - rest.len();
        let mut member = GzDecoder::new(rest);
        let room = (limit - out.len()) as u64 + 1;
        let read = member.by_ref().take(room).read_to_end(&mut out);
        rest = member.into_inner();
        read.map_err(|error| describe(&error, bytes, at))?;
        if out.len() > limit {
            let found = "more than that";
            return Err(ReadError::new(at, ErrorKind::TooLarge, format!("at most {limit} bytes"), found));
        }
        // Tapes and some tools fill the last block with zeros.
        if rest.iter().all(|&byte| byte == 0) {
            return Ok(out);
        }
    }
}

/// What is wrong with the member that begins `at`.
fn describe(error: &io::Error, bytes: &[u8], at: usize) -> ReadError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => ReadError::truncated(bytes.len(), "a gzip file"),
        _ if !bytes[at..].starts_with(MAGIC) => {
            ReadError::new(at, ErrorKind::Syntax, "a gzip file", "other bytes")
        }
        _ => ReadError::new(at, ErrorKind::Corrupt, "a gzip file", error.to_string()),
    }
}

const MAGIC: &[u8] = &[0x1f, 0x8b];

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use std::io::Write;

    const LIMIT: usize = 1 << 20;

    fn packed(builder: GzBuilder, contents: &[u8]) -> Vec<u8> {
        let mut encoder = builder.write(Vec::new(), Compression::default());
        encoder.write_all(contents).unwrap();
        encoder.finish().unwrap()
    }

    fn member(contents: &[u8]) -> Vec<u8> {
        packed(GzBuilder::new(), contents)
    }

    #[test]
    fn members_are_joined() {
        let long = [7u8; 200_000];
        let file = [member(b"some "), member(&long), vec![0; 5]].concat();
        assert_eq!(read_gzip(&file, LIMIT), Ok([b"some ".as_slice(), &long].concat()));
        assert_eq!(read_gzip(&member(b""), LIMIT), Ok(vec![]));
    }

    #[test]
    fn optional_parts_of_the_header_are_skipped() {
        let file = packed(GzBuilder::new().extra(b"xyz").filename("name").comment("comment"), b"data");
        assert_eq!(read_gzip(&file, LIMIT), Ok(b"data".to_vec()));
    }

    #[test]
    fn a_file_of_another_writer_is_read() {
        // printf '1 2 3' | gzip -n
        let file = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x33, 0x54, 0x30, 0x52, 0x30, 0x06,
            0x00, 0x5f, 0xbd, 0xea, 0xf7, 0x05, 0x00, 0x00, 0x00,
        ];
        assert_eq!(read_gzip(&file, LIMIT).as_deref(), Ok(b"1 2 3".as_slice()));
    }

    #[test]
    fn damage_is_noticed() {
        let good = member(b"some bytes that are long enough, long enough, long enough");
        for end in 0..good.len() {
            assert!(read_gzip(&good[..end], LIMIT).is_err(), "{end}");
        }
        let mut bad = good.clone();
        let last = bad.len() - 1;
        bad[last] ^= 1;
        assert_eq!(read_gzip(&bad, LIMIT).unwrap_err().kind, ErrorKind::Corrupt);
        bad = good.clone();
        bad[last - 5] ^= 1;
        assert_eq!(read_gzip(&bad, LIMIT).unwrap_err().kind, ErrorKind::Corrupt);
        bad = good;
        bad[2] = 9;
        assert_eq!(read_gzip(&bad, LIMIT).unwrap_err().kind, ErrorKind::Corrupt);
        bad[1] = 9;
        assert_eq!(read_gzip(&bad, LIMIT).unwrap_err().kind, ErrorKind::Syntax);
    }

    #[test]
    fn a_small_file_does_not_become_a_huge_one() {
        let file = member(&vec![0; 10 << 20]);
        let error = read_gzip(&file, LIMIT).unwrap_err();
        assert_eq!(error.kind, ErrorKind::TooLarge);
    }
}
