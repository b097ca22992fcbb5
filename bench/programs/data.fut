-- | Made-up data for the benchmarks: the same numbers as harness.h makes, so that both versions of a
-- program work on the same.

-- | A number that looks random: the i-th of the sequence that a seed names.
def number (seed: u32) (i: i64) : u32 =
  let x = u32.i64 i * 0x9e3779b1 + seed * 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  in x ^ (x >> 15)

-- | From 0 to 1, without 1. Of 24 bits, so that the conversion is exact.
def unit (seed: u32) (i: i64) : f32 =
  f32.u32 (number seed i >> 8) * (1 / 16777216)

def between (low: f32) (high: f32) (seed: u32) (i: i64) : f32 =
  low + unit seed i * (high - low)
