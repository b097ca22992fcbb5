-- Many keys, in numbers that are no multiple of anything: what comes out is ascending, and has every key as often as before.
-- ==
-- entry: of_u32 of_i64 of_f32
-- input { 100003i64 0i64 } output { true }
-- input { 100003i64 16i64 } output { true }
-- input { 49i64 0i64 } output { true }
-- input { 16385i64 25i64 } output { true }
-- input { 16385i64 32i64 } output { true }

-- ==
-- entry: of_f64 of_u8 of_i16 of_bool
-- input { 100003i64 0i64 } output { true }

-- ==
-- entry: of_ascending of_descending
-- input { 200003i64 } output { true }

-- A number that depends on another in no simple way; the last `fewer` bits of 32 are the same everywhere.
def number (fewer: i64) (i: i64) : u32 =
  let x = u32.i64 i * 0x9e3779b9
  let x = (x ^ (x >> 16)) * 0x85ebca6b
  let x = (x ^ (x >> 13)) * 0xc2b2ae35
  in u32.i64 (i64.u32 (x ^ (x >> 16)) >> fewer)

def ascending [n] 't (leq: t -> t -> bool) (xs: [n]t) : bool =
  all (\i -> leq xs[i - 1] xs[i]) (1..<n)

-- | The same keys, as far as two sums tell.
def same [n] (xs: [n]u64) (ys: [n]u64) : bool =
  u64.sum xs == u64.sum ys && u64.sum (map (\x -> x * x * x) xs) == u64.sum (map (\y -> y * y * y) ys)

def holds [n] 't (leq: t -> t -> bool) (bits: t -> u64) (xs: [n]t) (ys: [n]t) : bool =
  ascending leq ys && same (map bits xs) (map bits ys)

entry of_u32 (n: i64) (fewer: i64) : bool =
  let xs = tabulate n (number fewer)
  in holds (<=) u64.u32 xs (sort xs)

entry of_i64 (n: i64) (fewer: i64) : bool =
  let xs =
    tabulate n (\i -> i64.u32 (number fewer i) * 65537 - i64.u32 (number fewer (i + n)))
  in holds (<=) u64.i64 xs (sort xs)

entry of_f32 (n: i64) (fewer: i64) : bool =
  let xs = tabulate n (\i -> f32.i64 (i64.u32 (number fewer i) - 0x40000000) / 65536)
  in holds (<=) (\x -> u64.u32 (f32.to_bits x)) xs (sort xs)

entry of_f64 (n: i64) (fewer: i64) : bool =
  let xs = tabulate n (\i -> f64.i64 (i64.u32 (number fewer i) - 0x40000000) / 65537)
  in holds (<=) f64.to_bits xs (sort xs)

entry of_u8 (n: i64) (fewer: i64) : bool =
  let xs = tabulate n (\i -> u8.u32 (number fewer i))
  in holds (<=) u64.u8 xs (sort xs)

entry of_i16 (n: i64) (fewer: i64) : bool =
  let xs = tabulate n (\i -> i16.u32 (number fewer i))
  in holds (<=) u64.i16 xs (sort xs)

entry of_bool (n: i64) (fewer: i64) : bool =
  let xs = tabulate n (\i -> number fewer i % 3 == 0)
  in holds (<=) u64.bool xs (sort xs)

entry of_ascending (n: i64) : bool =
  let xs = tabulate n i32.i64
  in and (map2 (==) (sort xs) xs)

entry of_descending (n: i64) : bool =
  let xs = tabulate n (\i -> i32.i64 (n - i) - 1000)
  in and (map2 (==) (sort xs) (reverse xs))
