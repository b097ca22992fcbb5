//! Batches from bytes, which are not trusted: nothing is allocated for what is not there, every number is compared with what it may be, and an error
//! says at which byte it is.

use super::super::Engine;
use super::batch::{Batch, Sums, data_of};
use super::encode::{EACH, SAME, tag_width};
use super::strip::Lengths;
use norn_ir::nest::{IfaceId, IfaceShape, Prim};
use norn_values::binary::{STRUCTURED, read_elements};
use norn_values::{ErrorKind, ReadError};

/// What a row takes in memory beside its elements, at most.
const ROW: usize = 64;

pub(super) struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
    /// How many bytes the value may take in memory, beyond those that are here.
    room: usize,
    /// Of each cell, which data of the program it is of.
    cells: Vec<usize>,
}

impl<'a> Decoder<'a> {
    pub fn new(bytes: &'a [u8], room: usize) -> Decoder<'a> {
        Decoder { bytes, at: 0, room, cells: Vec::new() }
    }

    /// The number of bytes read so far.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn set_cells(&mut self, cells: Vec<usize>) {
        self.cells = cells;
    }

    /// What stands in front of a value of a type with this description, which the user knows by its name.
    pub fn header(&mut self, version: u8, description: &str, name: &str) -> Result<(), ReadError> {
        let start = self.at;
        let mark = self.take(2, 1, "a structured value")?;
        if mark != STRUCTURED {
            let found = format!("the bytes `{}`", mark.escape_ascii());
            return Err(ReadError::new(
                start,
                ErrorKind::Syntax,
                "`bn`, which begins a structured value",
                found,
            ));
        }
        let found = self.take(1, 1, "the version of structured values")?[0];
        if found != version {
            let expected = format!("version {version} of structured values");
            return Err(ReadError::new(
                self.at - 1,
                ErrorKind::Unsupported,
                expected,
                format!("version {found}"),
            ));
        }
        let length = self.take(1, 4, "the length of a type")?;
        let length = length.iter().rev().fold(0, |length, byte| length << 8 | *byte as usize);
        let start = self.at;
        let text = self.take(length, 1, "the text of a type")?;
        if text == description.as_bytes() {
            return Ok(());
        }
        let expected = match name == description {
            true => format!("a value of type {name}"),
            false => format!("a value of type {name}, which is `{description}`"),
        };
        let found = match std::str::from_utf8(text) {
            Ok(text) => format!("one of type `{text}`"),
            Err(_) => "a type that is no text".to_string(),
        };
        Err(ReadError::new(start, ErrorKind::Type, expected, found))
    }

    /// So many values of a type.
    pub fn batch(&mut self, engine: &Engine, ty: IfaceId, count: usize) -> Result<Batch, ReadError> {
        let iface = engine.iface(ty);
        match &iface.shape {
            IfaceShape::Scalar(prim) => self.scalars(*prim, count),
            IfaceShape::Array(prim, rank) => {
                let (dims, total) = self.dims(*rank, count)?;
                Ok(Batch::Arrays(dims, Box::new(self.scalars(*prim, total)?)))
            }
            IfaceShape::OpaqueArray(elem, rank) => {
                let (dims, total) = self.dims(*rank, count)?;
                Ok(Batch::Arrays(dims, Box::new(self.batch(engine, *elem, total)?)))
            }
            IfaceShape::Record(fields) if fields.is_empty() => {
                let start = self.at;
                let bytes = self.take(count, 1, "the bytes of empty tuples")?;
                if let Some(at) = bytes.iter().position(|byte| *byte != 0) {
                    let found = format!("the byte {:#04x}", bytes[at]);
                    return Err(ReadError::new(start + at, ErrorKind::Corrupt, "0, an empty tuple", found));
                }
                Ok(Batch::Records(count, Vec::new()))
            }
            IfaceShape::Record(fields) => {
                let fields: Result<Vec<Batch>, ReadError> =
                    fields.iter().map(|(_, id)| self.batch(engine, *id, count)).collect();
                Ok(Batch::Records(count, fields?))
            }
            IfaceShape::Sum(constrs) => {
                let tags = self.tags(constrs.len(), count)?;
                let types: Vec<&[IfaceId]> = constrs.iter().map(|(_, payload)| &payload[..]).collect();
                self.payloads(engine, tags, &types).map(Batch::Sums)
            }
            IfaceShape::Recursive(_) => self.references(engine, ty, count),
            IfaceShape::Opaque => {
                let found = format!("the type {}", iface.name);
                Err(ReadError::new(self.at, ErrorKind::Unsupported, "a type without functions", found))
            }
        }
    }

    /// Numbers of constructors, of which there are so many.
    pub fn tags(&mut self, constructors: usize, count: usize) -> Result<Vec<usize>, ReadError> {
        let start = self.at;
        let width = tag_width(constructors);
        let bytes = self.take(count, width, "the numbers of constructors")?;
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |tag, byte| tag << 8 | *byte as usize);
        let tags: Vec<usize> = bytes.chunks_exact(width).map(number).collect();
        match tags.iter().position(|tag| *tag >= constructors) {
            None => Ok(tags),
            Some(at) => {
                let expected = format!("the number of one of {constructors} constructors");
                let place = start + at * width;
                Err(ReadError::new(place, ErrorKind::Corrupt, expected, tags[at].to_string()))
            }
        }
    }

    /// Of each constructor, the payloads of those values that have it.
    pub fn payloads(
        &mut self,
        engine: &Engine,
        tags: Vec<usize>,
        types: &[&[IfaceId]],
    ) -> Result<Sums, ReadError> {
        let mut counts = vec![0; types.len()];
        tags.iter().for_each(|tag| counts[*tag] += 1);
        let mut payloads = Vec::new();
        for (payload, count) in types.iter().zip(counts) {
            let parts: Result<Vec<Batch>, ReadError> =
                payload.iter().map(|id| self.batch(engine, *id, count)).collect();
            payloads.push(parts?);
        }
        Ok(Sums { tags, payloads })
    }

    /// A number of things that follow, each of a byte at least.
    pub fn count(&mut self, what: &str) -> Result<usize, ReadError> {
        let start = self.at;
        let count = self.numbers(1, &format!("the number of {what}"))?[0];
        if count > self.bytes.len() - self.at {
            let there = format!("{} bytes", self.bytes.len() - self.at);
            return Err(ReadError::new(start, ErrorKind::Truncated, format!("{count} {what}"), there));
        }
        Ok(count)
    }

    fn references(&mut self, engine: &Engine, ty: IfaceId, count: usize) -> Result<Batch, ReadError> {
        let start = self.at;
        let data = data_of(engine, ty);
        let bytes = self.take(count, 4, "the numbers of cells")?;
        let (numbers, _) = bytes.as_chunks();
        let cells: Vec<u32> = numbers.iter().map(|number| u32::from_le_bytes(*number)).collect();
        let wrong = cells.iter().position(|cell| self.cells.get(*cell as usize) != Some(&data));
        let Some(at) = wrong else { return Ok(Batch::Cells(cells)) };
        let expected = format!("the number of a cell of type {}", engine.iface(ty).name);
        let found = match self.cells.get(cells[at] as usize) {
            Some(_) => format!("{}, a cell of another type", cells[at]),
            None => format!("{}, where there are {} cells", cells[at], self.cells.len()),
        };
        Err(ReadError::new(start + 4 * at, ErrorKind::Corrupt, expected, found))
    }

    fn scalars(&mut self, prim: Prim, count: usize) -> Result<Batch, ReadError> {
        let bytes = self.take(count, prim.size(), "elements")?;
        Ok(Batch::Scalars(read_elements(prim, bytes)))
    }

    /// The dimensions of so many arrays, and how many elements these have together.
    fn dims(&mut self, rank: usize, count: usize) -> Result<(Vec<Lengths>, usize), ReadError> {
        let mut dims = Vec::new();
        let mut rows = count;
        for _ in 0..rank {
            let start = self.at;
            let kind = self.take(1, 1, "the lengths of rows")?[0];
            let dim = match kind {
                SAME => Lengths::Same(self.numbers(1, "the length of rows")?[0]),
                EACH => Lengths::Each(self.numbers(rows, "the lengths of rows")?),
                _ => {
                    let found = format!("the byte {kind:#04x}");
                    let expected = "0 or 1, before the lengths of rows";
                    return Err(ReadError::new(start, ErrorKind::Corrupt, expected, found));
                }
            };
            // Rows that are empty take no bytes here, but some in memory.
            self.room =
                rows.checked_mul(ROW).and_then(|bytes| self.room.checked_sub(bytes)).ok_or_else(|| {
                    let expected = format!("arrays of at most {} bytes", self.room);
                    ReadError::new(start, ErrorKind::TooLarge, expected, format!("{rows} rows"))
                })?;
            let total = dim.total(rows).filter(|total| isize::try_from(*total).is_ok());
            rows = total.ok_or_else(|| {
                let found = "lengths whose sum is none of them";
                ReadError::new(start, ErrorKind::TooLarge, "lengths of possible arrays", found)
            })?;
            dims.push(dim);
        }
        Ok((dims, rows))
    }

    fn numbers(&mut self, count: usize, what: &str) -> Result<Vec<usize>, ReadError> {
        let (numbers, _) = self.take(count, 8, what)?.as_chunks();
        let number = |number: &[u8; 8]| usize::try_from(u64::from_le_bytes(*number)).unwrap_or(usize::MAX);
        Ok(numbers.iter().map(number).collect())
    }

    /// The next bytes: so many things of so many bytes each.
    fn take(&mut self, count: usize, size: usize, what: &str) -> Result<&'a [u8], ReadError> {
        let rest = &self.bytes[self.at..];
        let taken = count.checked_mul(size).and_then(|bytes| rest.get(..bytes)).ok_or_else(|| {
            let expected = match count {
                1 => what.to_string(),
                _ => format!("{what}, {count} times {size} bytes"),
            };
            ReadError::new(self.at, ErrorKind::Truncated, expected, format!("{} bytes", rest.len()))
        })?;
        self.at += taken.len();
        Ok(taken)
    }
}
