//! The compression of GIF: Lempel, Ziv and Welch, with codes that grow.

use std::collections::HashMap;

const MOST_CODES: u16 = 4096;

/// Numbers of `bits` bits, compressed.
pub fn compress(numbers: &[u8], bits: u8) -> Vec<u8> {
    let clear = 1u16 << bits;
    let end = clear + 1;
    let mut out = BitWriter::default();
    // The code of what was read so far and a number behind it.
    let mut codes: HashMap<(u16, u8), u16> = HashMap::new();
    let (mut next, mut width) = (end + 1, bits + 1);
    out.put(clear, width);
    let mut prefix: Option<u16> = None;
    for &number in numbers {
        let Some(code) = prefix else {
            prefix = Some(u16::from(number));
            continue;
        };
        if let Some(&longer) = codes.get(&(code, number)) {
            prefix = Some(longer);
            continue;
        }
        out.put(code, width);
        prefix = Some(u16::from(number));
        if next < MOST_CODES {
            codes.insert((code, number), next);
            // The reader learns a code one step later, and so needs its width one step later.
            if next == 1 << width {
                width += 1;
            }
            next += 1;
        } else {
            out.put(clear, width);
            codes.clear();
            (next, width) = (end + 1, bits + 1);
        }
    }
    prefix.into_iter().for_each(|code| out.put(code, width));
    // What was put last made the reader learn another code.
    if next == 1 << width && next < MOST_CODES {
        width += 1;
    }
    out.put(end, width);
    out.finish()
}

/// Codes one behind the other, from the lowest bit on.
#[derive(Default)]
struct BitWriter {
    out: Vec<u8>,
    held: u32,
    count: u8,
}

impl BitWriter {
    fn put(&mut self, code: u16, width: u8) {
        self.held |= u32::from(code) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.out.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.out.push(self.held as u8);
        }
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader makes of it.
    fn expand(bytes: &[u8], bits: u8) -> Vec<u8> {
        let (clear, end) = (1usize << bits, (1usize << bits) + 1);
        let fresh =
            || (0..end + 1).map(|i| if i < clear { vec![i as u8] } else { vec![] }).collect::<Vec<_>>();
        let (mut table, mut width) = (fresh(), bits + 1);
        let (mut at, mut out, mut last): (usize, Vec<u8>, Option<usize>) = (0, Vec::new(), None);
        loop {
            let bit = |i: usize| usize::from(bytes[i / 8] >> (i % 8) & 1);
            let code = (0..usize::from(width)).map(|i| bit(at + i) << i).sum::<usize>();
            at += usize::from(width);
            if code == clear {
                (table, width, last) = (fresh(), bits + 1, None);
                continue;
            }
            if code == end {
                return out;
            }
            if let Some(last) = last
                && table.len() < 4096
            {
                let known = if code < table.len() { table[code][0] } else { table[last][0] };
                let mut longer = table[last].clone();
                longer.push(known);
                table.push(longer);
            }
            out.extend(&table[code]);
            last = Some(code);
            if table.len() == 1 << width && width < 12 {
                width += 1;
            }
        }
    }

    #[test]
    fn what_is_compressed_can_be_expanded() {
        let noise = |n: usize, most: u32| -> Vec<u8> {
            let mut state = 1u32;
            let mut step = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ((state >> 16) % most) as u8
            };
            (0..n).map(|_| step()).collect()
        };
        for n in [0, 1, 2, 3, 5, 100, 253, 254, 255, 256, 257, 5000, 60_000] {
            assert_eq!(expand(&compress(&noise(n, 256), 8), 8), noise(n, 256), "{n} bytes");
            assert_eq!(expand(&compress(&noise(n, 3), 2), 2), noise(n, 3), "{n} numbers below 3");
            assert_eq!(expand(&compress(&vec![1; n], 2), 2), vec![1; n], "{n} ones");
        }
    }
}
