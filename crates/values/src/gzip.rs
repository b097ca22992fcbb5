//! Gzip files (RFC 1952), to be read: large data sets of tests are kept compressed.
//!
//! A file is one or more members, each a header, deflated data, a checksum and a size. The size is
//! only known modulo 2^32, so nothing is reserved for it: the output grows as data arrives.

use crate::bytes::Fields;
use crate::crc::crc32;
use crate::error::{ErrorKind, ReadError};
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

const MAGIC: &[u8] = &[0x1f, 0x8b];
const DEFLATE: u8 = 8;

/// Bits of the flags: which optional parts the header has.
const HEADER_CHECKSUM: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0b1110_0000;

/// Unpacks a gzip file to at most `limit` bytes.
pub fn read_gzip(bytes: &[u8], limit: usize) -> Result<Vec<u8>, ReadError> {
    let mut out = Vec::new();
    let mut rest = bytes;
    loop {
        rest = read_member(bytes.len() - rest.len(), rest, limit, &mut out)?;
        // Tapes and some tools fill the last block with zeros.
        if rest.iter().all(|&byte| byte == 0) {
            return Ok(out);
        }
    }
}

/// Unpacks the member at the start of `bytes`, which are at `at` in the file, and returns what
/// follows it.
fn read_member<'a>(
    at: usize,
    bytes: &'a [u8],
    limit: usize,
    out: &mut Vec<u8>,
) -> Result<&'a [u8], ReadError> {
    if !bytes.starts_with(MAGIC) {
        return Err(ReadError::new(at, ErrorKind::Syntax, "a gzip file", "other bytes"));
    }
    let data = match skip_header(bytes) {
        None => return Err(ReadError::truncated(at + bytes.len(), "the header of a gzip file")),
        Some(Err(found)) => {
            return Err(ReadError::new(at, ErrorKind::Unsupported, "deflated data", found));
        }
        Some(Ok(data)) => data,
    };
    let start = out.len();
    let used = unpack(data, limit, out).map_err(|mut error| {
        error.place.offset += at + bytes.len() - data.len();
        error
    })?;
    let mut trailer = Fields { rest: &data[used..] };
    let end = at + bytes.len() - trailer.rest.len();
    let (Some(checksum), Some(size)) = (trailer.u32(), trailer.u32()) else {
        return Err(ReadError::truncated(at + bytes.len(), "the checksum of a gzip file"));
    };
    let unpacked = &out[start..];
    let found = crc32(unpacked);
    if found != checksum {
        let (expected, found) = (format!("data with checksum {checksum:08x}"), format!("{found:08x}"));
        return Err(ReadError::new(end, ErrorKind::Corrupt, expected, found));
    }
    if unpacked.len() as u32 != size {
        let (expected, found) = (format!("{size} bytes (modulo 2^32)"), format!("{} bytes", unpacked.len()));
        return Err(ReadError::new(end, ErrorKind::Corrupt, expected, found));
    }
    Ok(trailer.rest)
}

/// What follows the header. `None`: it is not complete. An error: it asks for what we do not know.
fn skip_header(bytes: &[u8]) -> Option<Result<&[u8], String>> {
    let mut fields = Fields { rest: bytes.get(MAGIC.len()..)? };
    let [method, flags] = *fields.bytes(2)? else { return None };
    if method != DEFLATE || flags & RESERVED != 0 {
        return Some(Err(format!("compression method {method} with flags {flags:#04x}")));
    }
    let _time_level_and_system = fields.bytes(6)?;
    if flags & EXTRA != 0 {
        let length = fields.u16()?;
        fields.bytes(usize::from(length))?;
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            let length = fields.rest.iter().position(|&byte| byte == 0)?;
            fields.bytes(length + 1)?;
        }
    }
    if flags & HEADER_CHECKSUM != 0 {
        fields.u16()?;
    }
    Some(Ok(fields.rest))
}

/// Inflates `data` onto `out` and returns how many bytes of it were used.
fn unpack(data: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<usize, ReadError> {
    let mut state = InflateState::new_boxed(DataFormat::Raw);
    let mut window = vec![0; 1 << 16];
    let mut used = 0;
    loop {
        let step = inflate(&mut state, &data[used..], &mut window, MZFlush::None);
        used += step.bytes_consumed;
        out.extend_from_slice(&window[..step.bytes_written]);
        if out.len() > limit {
            let found = "more than that";
            return Err(ReadError::new(used, ErrorKind::TooLarge, format!("at most {limit} bytes"), found));
        }
        match step.status {
            Ok(MZStatus::StreamEnd) => return Ok(used),
            Ok(_) if step.bytes_written > 0 || step.bytes_consumed > 0 => {}
            // No progress: what there is to inflate ends before the data does.
            Ok(_) | Err(MZError::Buf) => return Err(ReadError::truncated(used, "deflated data")),
            Err(_) => return Err(ReadError::new(used, ErrorKind::Corrupt, "deflated data", "other bytes")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::compress_to_vec;

    const LIMIT: usize = 1 << 20;

    fn member(flags: u8, optional: &[u8], contents: &[u8]) -> Vec<u8> {
        let mut bytes = [MAGIC, &[DEFLATE, flags, 0, 0, 0, 0, 0, 0xff]].concat();
        bytes.extend(optional);
        bytes.extend(compress_to_vec(contents, 6));
        bytes.extend(crc32(contents).to_le_bytes());
        bytes.extend((contents.len() as u32).to_le_bytes());
        bytes
    }

    #[test]
    fn members_are_joined() {
        let long = [7u8; 200_000];
        let file = [member(0, b"", b"some "), member(0, b"", &long), vec![0; 5]].concat();
        assert_eq!(read_gzip(&file, LIMIT), Ok([b"some ".as_slice(), &long].concat()));
        assert_eq!(read_gzip(&member(0, b"", b""), LIMIT), Ok(vec![]));
    }

    #[test]
    fn optional_parts_of_the_header_are_skipped() {
        let all = HEADER_CHECKSUM | EXTRA | NAME | COMMENT;
        let file = member(all, b"\x03\0xyzname\0comment\0\x01\x02", b"data");
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
        let good = member(0, b"", b"some bytes that are long enough, long enough, long enough");
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
        assert_eq!(read_gzip(&bad, LIMIT).unwrap_err().kind, ErrorKind::Unsupported);
    }

    #[test]
    fn a_small_file_does_not_become_a_huge_one() {
        let file = member(0, b"", &vec![0; 10 << 20]);
        let error = read_gzip(&file, LIMIT).unwrap_err();
        assert_eq!(error.kind, ErrorKind::TooLarge);
    }
}
