//! A small generator of random numbers: the same seed, the same numbers, on every machine.

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.draw() % bound as u64) as usize }
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}
