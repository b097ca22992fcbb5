//! Reading PNG: every colour type and depth, interlaced or not. Of depths beyond eight bits the upper ones are kept, what shines
//! through is seen as it is.

use super::filter::undo;
use super::{SIGNATURE, is_png};
use crate::Picture;
use crate::bytes::Bytes;
use crate::crc32;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// What a picture may grow to.
const MOST_BYTES: usize = 1 << 30;

/// The picture in a file. The error is a phrase.
pub fn read_png(bytes: &[u8]) -> Result<Picture, String> {
    if !is_png(bytes) {
        return Err("it is no PNG file".into());
    }
    let mut chunks = Bytes(&bytes[SIGNATURE.len()..]);
    let mut header: Option<Header> = None;
    let (mut palette, mut packed) = (Vec::new(), Vec::new());
    while let Some(Chunk { name, content }) = chunk(&mut chunks)? {
        match name {
            b"IHDR" => header = Some(Header::read(content).ok_or("it has a header that cannot be read")?),
            b"PLTE" => palette = content.chunks_exact(3).map(|c| colour(c[0], c[1], c[2])).collect(),
            b"IDAT" => packed.extend_from_slice(content),
            b"IEND" => break,
            // A lower-case letter in front: it may be passed over.
            name if name[0].is_ascii_lowercase() => {}
            _ => return Err("it has a part that is not known".into()),
        }
    }
    let header = header.ok_or("it has no header")?;
    let expected = header.packed_bytes().filter(|bytes| *bytes <= MOST_BYTES).ok_or("it is too large")?;
    let rows = decompress_to_vec_zlib_with_limit(&packed, expected)
        .map_err(|_| "its pixels cannot be unpacked".to_string())?;
    header.pixels(rows, &palette).ok_or_else(|| "its pixels are not all there".into())
}

/// A part of a file.
struct Chunk<'a> {
    name: &'a [u8],
    content: &'a [u8],
}

/// The next part of a file, if there is one.
fn chunk<'a>(bytes: &mut Bytes<'a>) -> Result<Option<Chunk<'a>>, String> {
    if bytes.0.is_empty() {
        return Ok(None);
    }
    let mut read = || {
        let length = bytes.u32_be()?;
        let whole = bytes.take(usize::try_from(length).ok()?.checked_add(4)?)?;
        let sum = bytes.u32_be()?;
        Some((whole, sum))
    };
    let (whole, sum) = read().ok_or("it ends too early")?;
    if crc32(whole) != sum {
        return Err("it is damaged".into());
    }
    let (name, content) = whole.split_at(4);
    Ok(Some(Chunk { name, content }))
}

struct Header {
    width: usize,
    height: usize,
    /// Of each part of a pixel.
    bits: usize,
    kind: Kind,
    interlaced: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Grey,
    Rgb,
    Palette,
    GreyAlpha,
    Rgba,
}

/// Pixels that are written one after the other: where they begin, how far apart they are, and how many there are.
struct Pass {
    left: usize,
    top: usize,
    across: usize,
    down: usize,
    width: usize,
    height: usize,
}

/// The passes of an interlaced picture: where they begin, and how far apart their pixels are.
const INTERLACED: [[usize; 4]; 7] =
    [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];

impl Header {
    fn read(content: &[u8]) -> Option<Header> {
        let mut bytes = Bytes(content);
        let (width, height) = (bytes.u32_be()? as usize, bytes.u32_be()? as usize);
        let [bits, kind, compression, filter, interlace] = bytes.take_array()?;
        let (kind, depths): (Kind, &[u8]) = match kind {
            0 => (Kind::Grey, &[1, 2, 4, 8, 16]),
            2 => (Kind::Rgb, &[8, 16]),
            3 => (Kind::Palette, &[1, 2, 4, 8]),
            4 => (Kind::GreyAlpha, &[8, 16]),
            6 => (Kind::Rgba, &[8, 16]),
            _ => return None,
        };
        let sound = depths.contains(&bits)
            && (compression, filter) == (0, 0)
            && interlace <= 1
            && (1..=1 << 16).contains(&width)
            && (1..=1 << 16).contains(&height);
        sound.then_some(Header { width, height, bits: usize::from(bits), kind, interlaced: interlace == 1 })
    }

    /// The passes that have pixels.
    fn passes(&self) -> Vec<Pass> {
        let all: &[[usize; 4]] = if self.interlaced { &INTERLACED } else { &[[0, 0, 1, 1]] };
        let size = |length: usize, start: usize, step: usize| length.saturating_sub(start).div_ceil(step);
        let pass = |&[left, top, across, down]: &[usize; 4]| {
            let (width, height) = (size(self.width, left, across), size(self.height, top, down));
            Pass { left, top, across, down, width, height }
        };
        all.iter().map(pass).filter(|pass| pass.width * pass.height > 0).collect()
    }

    fn parts(&self) -> usize {
        match self.kind {
            Kind::Grey | Kind::Palette => 1,
            Kind::GreyAlpha => 2,
            Kind::Rgb => 3,
            Kind::Rgba => 4,
        }
    }

    fn row_bytes(&self, width: usize) -> usize {
        (width * self.parts() * self.bits).div_ceil(8)
    }

    fn packed_bytes(&self) -> Option<usize> {
        let bytes = |pass: &Pass| (self.row_bytes(pass.width) + 1).checked_mul(pass.height);
        self.passes().iter().map(bytes).sum()
    }

    fn pixels(&self, mut rows: Vec<u8>, palette: &[u32]) -> Option<Picture> {
        let mut pixels = vec![0; self.width * self.height];
        let step = (self.parts() * self.bits).div_ceil(8);
        let mut rest = rows.as_mut_slice();
        for pass in self.passes() {
            let mut above = vec![0; self.row_bytes(pass.width)];
            for y in 0..pass.height {
                let (row, behind) = rest.split_at_mut_checked(above.len() + 1)?;
                rest = behind;
                let (filter, row) = row.split_first_mut()?;
                undo(*filter, row, &above, step)?;
                let start = (pass.top + y * pass.down) * self.width + pass.left;
                for x in 0..pass.width {
                    pixels[start + x * pass.across] = self.pixel(row, x, palette)?;
                }
                above.copy_from_slice(row);
            }
        }
        Some(Picture { width: self.width, height: self.height, pixels })
    }

    fn pixel(&self, row: &[u8], x: usize, palette: &[u32]) -> Option<u32> {
        let part = |i: usize| self.sample(row, x * self.parts() + i);
        // A sample of few bits is a share of the lightest.
        let shade = |i: usize| match self.bits {
            8 | 16 => part(i),
            bits => (usize::from(part(i)) * 255 / ((1 << bits) - 1)) as u8,
        };
        match self.kind {
            Kind::Palette => palette.get(usize::from(part(0))).copied(),
            Kind::Grey | Kind::GreyAlpha => Some(colour(shade(0), shade(0), shade(0))),
            Kind::Rgb | Kind::Rgba => Some(colour(part(0), part(1), part(2))),
        }
    }

    /// The sample with this number in a row: the upper eight bits, or all it has.
    fn sample(&self, row: &[u8], i: usize) -> u8 {
        match self.bits {
            8 => row[i],
            16 => row[2 * i],
            bits => {
                let at = i * bits;
                let shifted = row[at / 8] >> (8 - bits - at % 8);
                shifted & ((1u16 << bits) - 1) as u8
            }
        }
    }
}

fn colour(red: u8, green: u8, blue: u8) -> u32 {
    u32::from(red) << 16 | u32::from(green) << 8 | u32::from(blue)
}
