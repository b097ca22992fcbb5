-- | Keys to sort, and what holds of them afterwards.

-- | A number that depends on another in no simple way; the last `fewer` bits of 32 are the same everywhere.
def number (fewer: i64) (i: i64) : u32 =
  let x = u32.i64 i * 0x9e3779b9
  let x = (x ^ (x >> 16)) * 0x85ebca6b
  let x = (x ^ (x >> 13)) * 0xc2b2ae35
  in u32.i64 (i64.u32 (x ^ (x >> 16)) >> fewer)

def ascending [n] 't (leq: t -> t -> bool) (xs: [n]t) : bool =
  all (\i -> leq xs[i - 1] xs[i]) (1..<n)

-- | The same keys, as far as two sums tell.
def same [n] (xs: [n]u64) (ys: [n]u64) : bool =
  u64.sum xs == u64.sum ys
  && u64.sum (map (\x -> x * x * x) xs) == u64.sum (map (\y -> y * y * y) ys)

def holds [n] 't
          (leq: t -> t -> bool)
          (bits: t -> u64)
          (xs: [n]t)
          (ys: [n]t) : bool =
  ascending leq ys && same (map bits xs) (map bits ys)
