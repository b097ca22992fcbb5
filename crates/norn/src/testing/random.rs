//! Made-up values: the same each time, on every machine.
//!
//! Numbers come from SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
//! generators", 2014). The value of a `random input` depends on its type and on its place among the
//! inputs, and on nothing else: integers are spread over all of their range, floats over [0, 1).

use super::blocks::Random;
use norn_values::{Data, Prim, Value};

/// A source of numbers.
#[derive(Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0. The bias is far below what a test could notice.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_u64() % bound
    }

    /// A float in [0, 1) with this many bits.
    pub fn unit(&mut self, bits: u32) -> f64 {
        (self.next_u64() >> (64 - bits)) as f64 / (1u64 << bits) as f64
    }

    /// A value whose integers have all their bits at random and whose floats are in [0, 1). `None` if
    /// the shape is none.
    pub fn value(&mut self, prim: Prim, shape: &[usize]) -> Option<Value> {
        self.value_of(prim, shape, |rng, _| rng.next_u64(), |rng, bits| rng.unit(bits))
    }

    /// A value with elements from these two; both get the number of bits.
    pub fn value_of(
        &mut self,
        prim: Prim,
        shape: &[usize],
        integer: impl Fn(&mut Rng, u32) -> u64,
        float: impl Fn(&mut Rng, u32) -> f64,
    ) -> Option<Value> {
        let count = norn_values::element_count(shape)?;
        macro_rules! integers {
            ($ty:ty) => {
                (0..count).map(|_| integer(self, <$ty>::BITS) as $ty).collect()
            };
        }
        let data = match prim {
            Prim::I8 => Data::I8(integers!(i8)),
            Prim::I16 => Data::I16(integers!(i16)),
            Prim::I32 => Data::I32(integers!(i32)),
            Prim::I64 => Data::I64(integers!(i64)),
            Prim::U8 => Data::U8(integers!(u8)),
            Prim::U16 => Data::U16(integers!(u16)),
            Prim::U32 => Data::U32(integers!(u32)),
            Prim::U64 => Data::U64(integers!(u64)),
            Prim::F16 => {
                Data::F16((0..count).map(|_| norn_base::prim::f16_from_f64(float(self, 11))).collect())
            }
            Prim::F32 => Data::F32((0..count).map(|_| float(self, 24) as f32).collect()),
            Prim::F64 => Data::F64((0..count).map(|_| float(self, 53)).collect()),
            Prim::Bool => Data::Bool((0..count).map(|_| self.next_u64() >> 63 == 1).collect()),
        };
        Value::new(shape.to_vec(), data).ok()
    }
}

/// The values of a `random input`.
pub fn random_inputs(inputs: &[Random]) -> Option<Vec<Value>> {
    let value = |(place, input): (usize, &Random)| match input {
        Random::Exactly(value) => Some(value.clone()),
        Random::Any { prim, shape } => Rng::new(seed_of(&input.text(), place)).value(*prim, shape),
    };
    inputs.iter().enumerate().map(value).collect()
}

/// A number for a text and a place: the hash FNV-1a.
fn seed_of(text: &str, place: usize) -> u64 {
    let bytes = text.bytes().chain((place as u64).to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_paper() {
        let mut rng = Rng::new(1_234_567);
        assert_eq!([rng.next_u64(), rng.next_u64()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn inputs_are_the_same_each_time_but_differ_by_place() {
        let any = Random::Any { prim: Prim::I32, shape: vec![3] };
        let inputs = [any.clone(), any, Random::Exactly(Value::scalar(7i64))];
        let made = random_inputs(&inputs).unwrap();
        assert_eq!(made, random_inputs(&inputs).unwrap());
        assert_ne!(made[0], made[1]);
        assert_eq!(made[2], Value::scalar(7i64));
    }

    #[test]
    fn floats_are_below_one() {
        for prim in [Prim::F16, Prim::F32, Prim::F64] {
            let value = Rng::new(1).value(prim, &[1000]).unwrap();
            let largest = match value.data() {
                Data::F16(x) => x.iter().map(|x| x.to_f64()).fold(0.0, f64::max),
                Data::F32(x) => x.iter().map(|x| f64::from(*x)).fold(0.0, f64::max),
                Data::F64(x) => x.iter().copied().fold(0.0, f64::max),
                _ => unreachable!("floats were asked for"),
            };
            assert!(0.9 < largest && largest < 1.0, "{largest}");
        }
    }
}
