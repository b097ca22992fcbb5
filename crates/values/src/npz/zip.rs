//! Zip archives as far as `.npz` files need them: members that are stored or deflated.
//!
//! An archive is read from its end: the end record points at the central directory, which lists the
//! members with their sizes and offsets. What the headers before the members say is redundant and
//! may be absent, so only the lengths of their variable parts are used. The 64-bit extension is
//! read, for files over 4 GiB, and never written.

use super::Compression;
use crate::bytes::Fields;
use crate::crc::crc32;
use crate::error::{ErrorKind, ReadError};
use miniz_oxide::{deflate, inflate};
use std::borrow::Cow;

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
const END64: &[u8] = b"PK\x06\x06";
const LOCATOR64: &[u8] = b"PK\x06\x07";

const STORED: u16 = 0;
const DEFLATED: u16 = 8;
const ENCRYPTED: u16 = 1;
/// In the flags of a member: its name is UTF-8.
const UTF8_NAME: u16 = 1 << 11;
/// The first of January 1980, the earliest date there is.
const NO_DATE: u16 = 0x21;

/// A member as the central directory describes it.
pub(super) struct Member {
    pub name: String,
    flags: u16,
    method: u16,
    crc: u32,
    compressed: usize,
    size: usize,
    /// Of its local header.
    offset: usize,
}

/// The members of an archive, in order.
pub(super) fn list_members(bytes: &[u8]) -> Result<Vec<Member>, ReadError> {
    let (count, start) = find_directory(bytes)?;
    let directory =
        bytes.get(start..).ok_or_else(|| corrupt(start, "a central directory", "the end of the archive"))?;
    let mut fields = Fields { rest: directory };
    let mut members = Vec::new();
    let mut total = 0usize;
    for _ in 0..count {
        let at = bytes.len() - fields.rest.len();
        let member = read_entry(&mut fields)
            .ok_or_else(|| corrupt(at, "an entry of the central directory", "other bytes"))?;
        // Members that overlap could make a small archive unpack to a huge one.
        total = total.saturating_add(member.compressed);
        if total > bytes.len() {
            return Err(corrupt(at, "members no larger than the archive", format!("at least {total} bytes")));
        }
        members.push(member);
    }
    Ok(members)
}

/// The number of members and the offset of the central directory.
fn find_directory(bytes: &[u8]) -> Result<(u64, usize), ReadError> {
    // The end record has 22 bytes and a comment of at most 65,535.
    let tail = bytes.len().saturating_sub(22 + 0xffff);
    let Some(end) = bytes[tail..].windows(END.len()).rposition(|window| window == END) else {
        let expected = "the end record of a zip archive";
        return Err(ReadError::new(bytes.len(), ErrorKind::Syntax, expected, "none"));
    };
    let end = tail + end;
    let record =
        bytes.get(end..end + 22).ok_or_else(|| ReadError::truncated(bytes.len(), "an end record"))?;
    let wide = || {
        let locator = bytes.get(end.checked_sub(20)?..end)?.strip_prefix(LOCATOR64)?;
        let offset = Fields { rest: locator.get(4..)? }.u64()?;
        let record = bytes.get(usize::try_from(offset).ok()?..)?.strip_prefix(END64)?;
        let mut fields = Fields { rest: record.get(28..)? };
        let (count, _size, start) = (fields.u64()?, fields.u64()?, fields.u64()?);
        Some((count, start))
    };
    let narrow = || {
        let mut fields = Fields { rest: record.get(10..)? };
        let (count, _size, start) = (fields.u16()?, fields.u32()?, fields.u32()?);
        Some((u64::from(count), u64::from(start)))
    };
    let directory = wide().or_else(narrow);
    directory
        .and_then(|(count, start)| Some((count, usize::try_from(start).ok()?)))
        .ok_or_else(|| corrupt(end, "the offset of a central directory", "one beyond the archive"))
}

fn read_entry(fields: &mut Fields<'_>) -> Option<Member> {
    if fields.bytes(4)? != CENTRAL {
        return None;
    }
    let _versions = fields.u32()?;
    let flags = fields.u16()?;
    let method = fields.u16()?;
    let _time = fields.u32()?;
    let crc = fields.u32()?;
    let compressed = fields.u32()?;
    let size = fields.u32()?;
    let name_length = usize::from(fields.u16()?);
    let extra_length = usize::from(fields.u16()?);
    let comment_length = usize::from(fields.u16()?);
    let _disk_and_attributes = fields.bytes(8)?;
    let offset = fields.u32()?;
    let name = String::from_utf8_lossy(fields.bytes(name_length)?).into_owned();
    let mut wide = Fields { rest: find_wide_sizes(fields.bytes(extra_length)?) };
    fields.bytes(comment_length)?;
    // A field that is all ones stands in the extension instead; those that do have this order.
    let mut widen = |field: u32| {
        let field = if field == u32::MAX { wide.u64()? } else { u64::from(field) };
        usize::try_from(field).ok()
    };
    let size = widen(size)?;
    let compressed = widen(compressed)?;
    let offset = widen(offset)?;
    Some(Member { name, flags, method, crc, compressed, size, offset })
}

/// The extra field with 64-bit sizes, or nothing.
fn find_wide_sizes(extra: &[u8]) -> &[u8] {
    let mut fields = Fields { rest: extra };
    while let Some((id, length)) = fields.u16().zip(fields.u16()) {
        match fields.bytes(usize::from(length)) {
            Some(field) if id == 1 => return field,
            Some(_) => {}
            None => break,
        }
    }
    &[]
}

/// The contents of a member, unpacked and checked.
pub(super) fn extract_member<'a>(bytes: &'a [u8], member: &Member) -> Result<Cow<'a, [u8]>, ReadError> {
    let unsupported =
        |expected, found| Err(ReadError::new(member.offset, ErrorKind::Unsupported, expected, found));
    if member.flags & ENCRYPTED != 0 {
        return unsupported("no encryption", "an encrypted member".to_string());
    }
    let packed = packed_bytes(bytes, member)
        .ok_or_else(|| corrupt(member.offset, "the header and data of a member", "other bytes"))?;
    let unpacked = match member.method {
        STORED => Cow::Borrowed(packed),
        DEFLATED => {
            let unpacked = inflate::decompress_to_vec_with_limit(packed, member.size);
            Cow::Owned(unpacked.map_err(|_| {
                corrupt(member.offset, format!("{} bytes of deflated data", member.size), "other data")
            })?)
        }
        method => return unsupported("stored or deflated data", format!("compression method {method}")),
    };
    if unpacked.len() != member.size {
        let (expected, found) = (format!("{} bytes", member.size), format!("{} bytes", unpacked.len()));
        return Err(corrupt(member.offset, expected, found));
    }
    let crc = crc32(&unpacked);
    if crc != member.crc {
        let (expected, found) = (format!("data with checksum {:08x}", member.crc), format!("{crc:08x}"));
        return Err(corrupt(member.offset, expected, found));
    }
    Ok(unpacked)
}

fn packed_bytes<'a>(bytes: &'a [u8], member: &Member) -> Option<&'a [u8]> {
    let mut fields = Fields { rest: bytes.get(member.offset..)?.strip_prefix(LOCAL)? };
    fields.bytes(22)?;
    let variable = usize::from(fields.u16()?) + usize::from(fields.u16()?);
    fields.bytes(variable)?;
    fields.bytes(member.compressed)
}

fn corrupt(at: usize, expected: impl Into<String>, found: impl Into<String>) -> ReadError {
    ReadError::new(at, ErrorKind::Corrupt, expected, found)
}

/// Builds an archive member by member.
pub(super) struct Writer {
    compression: Compression,
    /// The members so far.
    out: Vec<u8>,
    /// The central directory so far.
    directory: Vec<u8>,
    count: u16,
}

impl Writer {
    pub fn new(compression: Compression) -> Writer {
        Writer { compression, out: Vec::new(), directory: Vec::new(), count: 0 }
    }

    /// Adds a member; `None` when the archive gets too large for the format.
    pub fn add(&mut self, name: &str, contents: &[u8]) -> Option<()> {
        let (method, packed) = match self.compression {
            Compression::Stored => (STORED, Cow::Borrowed(contents)),
            Compression::Deflated => (DEFLATED, Cow::Owned(deflate::compress_to_vec(contents, 6))),
        };
        // What stands in the local header and in the directory alike.
        let mut description = Vec::new();
        for field in [20, UTF8_NAME, method, 0, NO_DATE] {
            description.extend_from_slice(&u16::to_le_bytes(field));
        }
        for field in [crc32(contents), below_4_gib(packed.len())?, below_4_gib(contents.len())?] {
            description.extend_from_slice(&field.to_le_bytes());
        }
        description.extend_from_slice(&u16::try_from(name.len()).ok()?.to_le_bytes());
        description.extend_from_slice(&[0; 2]);

        let offset = below_4_gib(self.out.len())?;
        self.out.extend_from_slice(LOCAL);
        self.out.extend_from_slice(&description);
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(&packed);

        self.directory.extend_from_slice(CENTRAL);
        self.directory.extend_from_slice(&20u16.to_le_bytes());
        self.directory.extend_from_slice(&description);
        self.directory.extend_from_slice(&[0; 10]);
        self.directory.extend_from_slice(&offset.to_le_bytes());
        self.directory.extend_from_slice(name.as_bytes());
        self.count = self.count.checked_add(1)?;
        Some(())
    }

    pub fn finish(self) -> Option<Vec<u8>> {
        let Writer { mut out, directory, count, .. } = self;
        let start = below_4_gib(out.len())?;
        out.extend_from_slice(&directory);
        out.extend_from_slice(END);
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&count.to_le_bytes());
        out.extend_from_slice(&count.to_le_bytes());
        out.extend_from_slice(&below_4_gib(directory.len())?.to_le_bytes());
        out.extend_from_slice(&start.to_le_bytes());
        out.extend_from_slice(&[0; 2]);
        Some(out)
    }
}

/// A size in 32 bits; all ones are reserved for "see the 64-bit extension".
fn below_4_gib(size: usize) -> Option<u32> {
    u32::try_from(size).ok().filter(|&size| size != u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(compression: Compression) -> Vec<u8> {
        let mut writer = Writer::new(compression);
        writer.add("a", b"some bytes").unwrap();
        writer.add("b", &[7; 1000]).unwrap();
        writer.finish().unwrap()
    }

    fn extract_all(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, ReadError> {
        let members = list_members(bytes)?;
        let extract =
            |member: &Member| Ok((member.name.clone(), extract_member(bytes, member)?.into_owned()));
        members.iter().map(extract).collect()
    }

    #[test]
    fn members_read_back() {
        for compression in [Compression::Stored, Compression::Deflated] {
            let members = extract_all(&archive(compression)).unwrap();
            assert_eq!(members, [("a".into(), b"some bytes".to_vec()), ("b".into(), vec![7; 1000])]);
        }
    }

    #[test]
    fn damage_is_noticed() {
        let good = archive(Compression::Deflated);
        for end in 0..good.len() {
            assert!(extract_all(&good[..end]).is_err(), "{end}");
        }
        let mut bad = archive(Compression::Stored);
        bad[31] ^= 1;
        assert_eq!(extract_all(&bad).unwrap_err().kind, ErrorKind::Corrupt);
    }

    #[test]
    fn the_64_bit_extension_is_read() {
        let mut writer = Writer::new(Compression::Stored);
        writer.add("a", b"xyz").unwrap();
        let Writer { mut out, mut directory, .. } = writer;
        let start = out.len() as u64;
        directory[20..28].fill(0xff);
        directory[30] = 20;
        directory.extend([1, 0, 16, 0]);
        directory.extend([3u64, 3].map(u64::to_le_bytes).concat());
        out.extend(&directory);
        let end64 = out.len() as u64;
        out.extend(END64);
        out.extend([0; 20]);
        out.extend([1, 1, directory.len() as u64, start].map(u64::to_le_bytes).concat());
        out.extend(LOCATOR64);
        out.extend([0; 4]);
        out.extend(end64.to_le_bytes());
        out.extend([0; 4]);
        out.extend(END);
        out.extend([0; 4]);
        out.extend([0xff; 12]);
        out.extend([0; 2]);
        assert_eq!(extract_all(&out), Ok(vec![("a".into(), b"xyz".to_vec())]));
    }

    #[test]
    fn overlapping_members_are_refused() {
        let mut writer = Writer::new(Compression::Stored);
        writer.add("a", &[0; 1000]).unwrap();
        let entry = writer.directory.clone();
        for _ in 0..99 {
            writer.directory.extend(&entry);
        }
        writer.count = 100;
        assert_eq!(extract_all(&writer.finish().unwrap()).unwrap_err().kind, ErrorKind::Corrupt);
    }
}
