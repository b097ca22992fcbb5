//! A choice of colours for pictures that have more: the median cut of Heckbert (Color Image Quantization for Frame Buffer
//! Display, 1982). The colours are divided at the median of the channel that varies most, again and again, in the group
//! with the most pixels; each group is then shown as its mean.

/// Colours are distinguished by this many bits of each channel.
const BITS: u32 = 5;
const BINS: usize = 1 << (3 * BITS);
const COLOURS: usize = 256;

pub struct Quantiser {
    pub palette: Vec<u32>,
    /// The number of the colour for each bin.
    numbers: Vec<u8>,
}

/// Pixels of about one colour: how many, and the sums of their channels.
#[derive(Clone, Copy, Default)]
struct Bin {
    count: u64,
    sums: [u64; 3],
}

impl Quantiser {
    pub fn new<'a>(frames: impl Iterator<Item = &'a [u32]>) -> Quantiser {
        let mut bins = vec![Bin::default(); BINS];
        for pixel in frames.flatten() {
            let bin = &mut bins[bin_of(*pixel)];
            bin.count += 1;
            (0..3).for_each(|i| bin.sums[i] += u64::from(channel(*pixel, i)));
        }
        let used: Vec<usize> = (0..BINS).filter(|bin| bins[*bin].count > 0).collect();
        let mut groups = vec![used];
        while groups.len() < COLOURS {
            let pixels = |group: &Vec<usize>| group.iter().map(|bin| bins[*bin].count).sum::<u64>();
            let most = (0..groups.len())
                .filter(|i| groups[*i].len() > 1)
                .max_by_key(|i| (pixels(&groups[*i]), usize::MAX - i));
            let Some(most) = most else { break };
            let upper = divide(&mut groups[most], &bins);
            groups.push(upper);
        }
        let mut numbers = vec![0; BINS];
        for (number, group) in groups.iter().enumerate() {
            group.iter().for_each(|bin| numbers[*bin] = number as u8);
        }
        Quantiser { palette: groups.iter().map(|group| mean(group, &bins)).collect(), numbers }
    }

    pub fn number(&self, pixel: u32) -> u8 {
        self.numbers[bin_of(pixel)]
    }
}

/// Takes the upper half out of a group of at least two.
fn divide(group: &mut Vec<usize>, bins: &[Bin]) -> Vec<usize> {
    let spread = |i: usize| {
        let values = || group.iter().map(|bin| bin_channel(*bin, i));
        values().max().unwrap_or(0) - values().min().unwrap_or(0)
    };
    let widest = (0..3).max_by_key(|i| (spread(*i), 3 - i)).unwrap_or(0);
    group.sort_by_key(|bin| (bin_channel(*bin, widest), *bin));
    let total: u64 = group.iter().map(|bin| bins[*bin].count).sum();
    let mut below = 0;
    let at = group.iter().position(|bin| {
        below += bins[*bin].count;
        below * 2 >= total
    });
    // Both halves have something.
    let at = at.map_or(1, |at| at + 1).min(group.len() - 1);
    group.split_off(at)
}

fn mean(group: &[usize], bins: &[Bin]) -> u32 {
    let count: u64 = group.iter().map(|bin| bins[*bin].count).sum::<u64>().max(1);
    let channel = |i: usize| (group.iter().map(|bin| bins[*bin].sums[i]).sum::<u64>() / count) as u32;
    channel(0) << 16 | channel(1) << 8 | channel(2)
}

fn bin_of(pixel: u32) -> usize {
    (0..3).fold(0, |bin, i| bin << BITS | (channel(pixel, i) >> (8 - BITS)) as usize)
}

fn bin_channel(bin: usize, i: usize) -> usize {
    bin >> (BITS as usize * (2 - i)) & ((1 << BITS) - 1)
}

/// Red, green or blue.
fn channel(pixel: u32, i: usize) -> u32 {
    pixel >> (8 * (2 - i)) & 0xff
}
