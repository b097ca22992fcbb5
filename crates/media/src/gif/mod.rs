//! GIF animations (GIF89a), for pages that ask for them: at most 256 colours, which are chosen here where there are more.

mod lzw;
mod quantise;

use crate::Animation;
use crate::animation::few_colours;
use lzw::compress;
use quantise::Quantiser;

pub fn write_gif(animation: &Animation) -> Vec<u8> {
    let colours = Colours::of(animation);
    let palette = colours.palette();
    // The size of the table is 2 to the power of these bits.
    let bits = (1..=8u8).find(|bits| palette.len() <= 1 << bits).unwrap_or(8);
    let mut out = b"GIF89a".to_vec();
    out.extend(size(animation.width()));
    out.extend(size(animation.height()));
    out.extend([0x80 | 0x70 | (bits - 1), 0, 0]);
    for i in 0..1usize << bits {
        let colour = palette.get(i).copied().unwrap_or(0);
        out.extend([(colour >> 16) as u8, (colour >> 8) as u8, colour as u8]);
    }
    if animation.repeat {
        out.extend(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00");
    }
    // Hundredths of seconds; browsers take less than 2 for 10.
    let delay = (100 / animation.fps).max(2);
    for change in animation.changes() {
        out.extend([0x21, 0xf9, 4, 0x04]);
        out.extend(delay.to_le_bytes());
        out.extend([0, 0, 0x2c]);
        [change.left, change.top, change.width, change.height].iter().for_each(|n| out.extend(size(*n)));
        out.push(0);
        let code_bits = bits.max(2);
        out.push(code_bits);
        let numbers: Vec<u8> = change.pixels.iter().map(|pixel| colours.number(*pixel)).collect();
        for block in compress(&numbers, code_bits).chunks(255) {
            out.push(block.len() as u8);
            out.extend(block);
        }
        out.push(0);
    }
    out.push(0x3b);
    out
}

enum Colours {
    /// As they are.
    Exact(Vec<u32>),
    Chosen(Quantiser),
}

impl Colours {
    fn of(animation: &Animation) -> Colours {
        match few_colours(animation.frames(), 256) {
            Some(colours) => Colours::Exact(colours),
            None => Colours::Chosen(Quantiser::new(animation.frames())),
        }
    }

    fn palette(&self) -> &[u32] {
        match self {
            Colours::Exact(palette) => palette,
            Colours::Chosen(quantiser) => &quantiser.palette,
        }
    }

    fn number(&self, pixel: u32) -> u8 {
        match self {
            Colours::Exact(palette) => palette.binary_search(&pixel).unwrap_or(0) as u8,
            Colours::Chosen(quantiser) => quantiser.number(pixel),
        }
    }
}

fn size(n: usize) -> [u8; 2] {
    (n as u16).to_le_bytes()
}
