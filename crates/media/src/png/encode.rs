//! Writing PNG.

use super::SIGNATURE;
use super::filter::write_row;
use crate::animation::{Change, few_colours};
use crate::{Animation, Picture};
use flate2::{Compress, Compression, FlushCompress, Status};

/// More than this takes much longer for little.
const LEVEL: u32 = 9;

pub fn write_png(picture: &Picture) -> Vec<u8> {
    let colours = Colours::of([picture.pixels.as_slice()].into_iter());
    let mut out = SIGNATURE.to_vec();
    head(&colours, picture.width, picture.height, &mut out);
    chunk(b"IDAT", &packed(&colours, picture.width, &picture.pixels), &mut out);
    chunk(b"IEND", &[], &mut out);
    out
}

pub fn write_apng(animation: &Animation) -> Vec<u8> {
    let colours = Colours::of(animation.frames());
    let mut out = SIGNATURE.to_vec();
    head(&colours, animation.width(), animation.height(), &mut out);
    let count = animation.frames().len() as u32;
    let plays = if animation.repeat { 0u32 } else { 1 };
    chunk(b"acTL", &[count.to_be_bytes(), plays.to_be_bytes()].concat(), &mut out);
    // Chunks of frames are numbered.
    let mut number = 0u32;
    let mut next = || {
        number += 1;
        (number - 1).to_be_bytes()
    };
    for (i, change) in animation.changes().enumerate() {
        chunk(b"fcTL", &[&next()[..], &control(&change, animation.fps)].concat(), &mut out);
        let data = packed(&colours, change.width, &change.pixels);
        match i {
            0 => chunk(b"IDAT", &data, &mut out),
            _ => chunk(b"fdAT", &[&next()[..], &data].concat(), &mut out),
        }
    }
    chunk(b"IEND", &[], &mut out);
    out
}

/// Where a frame stands, and how long. It stays, and the next is drawn over it.
fn control(change: &Change, fps: u16) -> Vec<u8> {
    let sizes = [change.width, change.height, change.left, change.top];
    let mut out: Vec<u8> = sizes.iter().flat_map(|size| (*size as u32).to_be_bytes()).collect();
    out.extend(1u16.to_be_bytes());
    out.extend(fps.to_be_bytes());
    out.extend([0, 0]);
    out
}

/// How pixels are written.
enum Colours {
    /// As numbers of colours, with this many bits each.
    Palette(Vec<u32>, u8),
    Grey,
    Rgb,
}

impl Colours {
    fn of<'a>(frames: impl Iterator<Item = &'a [u32]>) -> Colours {
        let is_grey = |pixel: &u32| *pixel == (pixel & 0xff) * 0x01_0101;
        match few_colours(frames, 256) {
            // Shades of grey side by side differ little, which a palette would hide.
            Some(colours) if colours.len() > 16 && colours.iter().all(is_grey) => Colours::Grey,
            Some(colours) => {
                let bits = [1, 2, 4, 8].into_iter().find(|bits| colours.len() <= 1 << bits);
                Colours::Palette(colours, bits.unwrap_or(8))
            }
            None => Colours::Rgb,
        }
    }
}

fn head(colours: &Colours, width: usize, height: usize, out: &mut Vec<u8>) {
    let (bits, kind) = match colours {
        Colours::Palette(_, bits) => (*bits, 3),
        Colours::Grey => (8, 0),
        Colours::Rgb => (8, 2),
    };
    let mut content = [(width as u32).to_be_bytes(), (height as u32).to_be_bytes()].concat();
    content.extend([bits, kind, 0, 0, 0]);
    chunk(b"IHDR", &content, out);
    if let Colours::Palette(palette, _) = colours {
        let bytes: Vec<u8> = palette.iter().flat_map(|colour| rgb(*colour)).collect();
        chunk(b"PLTE", &bytes, out);
    }
}

/// Rows of pixels, filtered and compressed.
fn packed(colours: &Colours, width: usize, pixels: &[u32]) -> Vec<u8> {
    let mut filtered = Vec::new();
    match colours {
        Colours::Palette(palette, bits) => {
            for row in pixels.chunks_exact(width) {
                filtered.push(0);
                filtered.extend(palette_row(palette, *bits, row));
            }
        }
        Colours::Grey => filter_rows(pixels.chunks_exact(width), 1, |pixel| [pixel as u8], &mut filtered),
        Colours::Rgb => filter_rows(pixels.chunks_exact(width), 3, rgb, &mut filtered),
    }
    compress(&filtered)
}

/// Bytes in the format of zlib.
fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut state = Compress::new(Compression::new(LEVEL), true);
    let mut out = Vec::with_capacity(bytes.len() / 2 + 64);
    loop {
        let used = state.total_in() as usize;
        match state.compress_vec(&bytes[used..], &mut out, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => return out,
            Ok(Status::Ok | Status::BufError) => out.reserve(out.len().max(64)),
            Err(error) => panic!("what is compressed does not matter: {error}"),
        }
    }
}

/// The numbers of a row's colours, as many in a byte as there is room for.
fn palette_row(palette: &[u32], bits: u8, row: &[u32]) -> Vec<u8> {
    let per_byte = 8 / usize::from(bits);
    let byte = |pixels: &[u32]| {
        let mut byte = 0u32;
        for i in 0..per_byte {
            let number = pixels.get(i).and_then(|pixel| palette.binary_search(pixel).ok()).unwrap_or(0);
            byte = byte << bits | number as u32;
        }
        byte as u8
    };
    row.chunks(per_byte).map(byte).collect()
}

fn filter_rows<'a, const N: usize>(
    rows: impl Iterator<Item = &'a [u32]>,
    step: usize,
    bytes: impl Fn(u32) -> [u8; N],
    out: &mut Vec<u8>,
) {
    let mut above: Vec<u8> = Vec::new();
    for row in rows {
        let row: Vec<u8> = row.iter().flat_map(|pixel| bytes(*pixel)).collect();
        above.resize(row.len(), 0);
        write_row(&row, &above, step, out);
        above = row;
    }
}

fn rgb(pixel: u32) -> [u8; 3] {
    [(pixel >> 16) as u8, (pixel >> 8) as u8, pixel as u8]
}

fn chunk(name: &[u8; 4], content: &[u8], out: &mut Vec<u8>) {
    out.extend((content.len() as u32).to_be_bytes());
    let start = out.len();
    out.extend(name);
    out.extend(content);
    let sum = crc32fast::hash(&out[start..]);
    out.extend(sum.to_be_bytes());
}
