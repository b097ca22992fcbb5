//! PNG files, and APNG files, which are PNG files that move: browsers play them, other programs show the first frame.
//!
//! The format is described in the third edition of the PNG specification of the W3C. What is written is as small as the
//! simple means allow: a palette where there are few colours, greys as greys, in an animation only what changes.

mod decode;
mod encode;
mod filter;

pub use decode::read_png;
pub use encode::{write_apng, write_png};

const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];

/// Whether these are the bytes of a PNG file.
pub fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(&SIGNATURE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Animation, Picture};

    const LIMIT: usize = 1 << 20;

    fn picture(width: usize, height: usize, pixel: impl Fn(usize, usize) -> u32) -> Picture {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| pixel(x, y));
        Picture { width, height, pixels: pixels.collect() }
    }

    fn comes_back(picture: &Picture) {
        assert_eq!(read_png(&write_png(picture), LIMIT).as_ref(), Ok(picture));
    }

    #[test]
    fn what_is_written_is_read() {
        comes_back(&picture(1, 1, |_, _| 0));
        comes_back(&picture(9, 3, |x, y| if (x + y) % 2 == 0 { 0 } else { 0xffffff }));
        comes_back(&picture(7, 5, |x, y| ((x + y) % 4) as u32 * 0x123456));
        comes_back(&picture(13, 2, |x, _| x as u32 * 0x10000));
        comes_back(&picture(256, 3, |x, _| x as u32 * 0x010101));
        comes_back(&picture(64, 64, |x, y| ((x * 4) << 16 | (y * 4) << 8 | (x ^ y)) as u32));
    }

    #[test]
    fn an_animation_begins_with_its_first_frame() {
        let frames: Vec<Picture> =
            (0..5).map(|i| picture(20, 10, |x, y| if x == 2 * i && y == i { 0xff0000 } else { 0 })).collect();
        let animation = Animation::new(frames.clone(), 10, true).unwrap();
        let bytes = write_apng(&animation);
        assert_eq!(read_png(&bytes, LIMIT).as_ref(), Ok(&frames[0]));
        assert!(bytes.windows(4).any(|word| word == b"acTL"));
        assert_eq!(bytes.windows(4).filter(|word| word == b"fcTL").count(), 5);
    }

    #[test]
    fn a_small_file_does_not_become_a_huge_picture() {
        let bytes = write_png(&picture(2000, 2000, |_, _| 0xffffff));
        assert!(bytes.len() < 10_000);
        assert_eq!(read_png(&bytes, LIMIT), Err("it is too large".to_string()));
        assert!(read_png(&bytes, 100 << 20).is_ok());
    }

    #[test]
    fn damaged_files_are_refused() {
        let whole = write_png(&picture(20, 10, |x, y| (x * y) as u32));
        for end in 0..whole.len() - 12 {
            assert!(read_png(&whole[..end], LIMIT).is_err(), "{end}");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            let _ = read_png(&damaged, LIMIT);
        }
    }
}
