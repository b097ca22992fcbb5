-- Quotients and remainders of many integers, which vector code computes by way of doubles: by one divisor, by one that is
-- known to the compiler, and each by its own; of small and large numbers, at both signs.

def h (i: i64) : u64 =
  let x = (u64.i64 i + 1) * 0x9e3779b97f4a7c15
  let x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
  in x ^ (x >> 27)

-- Of all magnitudes: some bits of a hash, and numbers beside powers of two.
def number (i: i64) : i64 =
  let x = i64.u64 (h i) >> i64.u64 (h (i + 77) % 64)
  let near = (1i64 << i64.u64 (h (i + 99) % 64)) + i64.u64 (h (i + 111) % 3) - 1
  in match h (i + 55) % 4
     case 0 -> near
     case 1 -> -near
     case _ -> x

def fold [n] (xs: [n]i64) : i64 =
  loop a = 0 for x in xs do (a ^ x) * 1099511628211

-- ==
-- entry: by_one
-- input { 1000i64 1i64 } auto output
-- input { 1000i64 7i64 } auto output
-- input { 1000i64 8i64 } auto output
-- input { 1000i64 -3i64 } auto output
-- input { 1000i64 -1i64 } auto output
-- input { 1000i64 1125899906842623i64 } auto output
-- input { 1000i64 1125899906842624i64 } auto output
-- input { 1000i64 -9223372036854775808i64 } auto output
-- input { 1000i64 2147483648i64 } auto output
entry by_one (n: i64) (d: i64) : (i64, i64, i64, i64) =
  let xs = tabulate n number
  in ( fold (map (/ d) xs)
     , fold (map (% d) xs)
     , fold (map (// d) xs)
     , fold (map (%% d) xs)
     )

-- ==
-- entry: indices
-- input { 1000i64 1i64 -5i64 } auto output
-- input { 1000i64 7i64 3i64 } auto output
-- input { 1000i64 -13i64 -500i64 } auto output
-- input { 0i64 0i64 0i64 } auto output
entry indices (n: i64) (d: i64) (from: i64) : (i64, i64, i64, i64) =
  ( fold (map (\i -> (i + from) / d) (iota n))
  , fold (map (\i -> (i + from) % d) (iota n))
  , fold (map (\i -> (i + from) // d) (iota n))
  , fold (map (\i -> (i + from) %% d) (iota n))
  )

-- ==
-- entry: by_one_i32
-- input { 1000i64 1i32 } auto output
-- input { 1000i64 10i32 } auto output
-- input { 1000i64 -16i32 } auto output
-- input { 1000i64 -1i32 } auto output
-- input { 1000i64 -2147483648i32 } auto output
-- input { 1000i64 2147483647i32 } auto output
entry by_one_i32 (n: i64) (d: i32) : (i64, i64, i64, i64) =
  let xs = map (\i -> i32.i64 (number i)) (iota n)
  let all = fold <-< map i64.i32
  in ( all (map (/ d) xs)
     , all (map (% d) xs)
     , all (map (// d) xs)
     , all (map (%% d) xs)
     )

-- ==
-- entry: by_one_unsigned
-- input { 1000i64 10u32 10u64 } auto output
-- input { 1000i64 4294967295u32 18446744073709551615u64 } auto output
-- input { 1000i64 1u32 1125899906842625u64 } auto output
entry by_one_unsigned (n: i64) (d: u32) (e: u64) : (i64, i64, i64, i64) =
  let xs = map (\i -> u32.i64 (number i)) (iota n)
  let ys = map (\i -> u64.i64 (number i)) (iota n)
  in ( fold (map (\x -> i64.u32 (x / d)) xs)
     , fold (map (\x -> i64.u32 (x % d)) xs)
     , fold (map (\y -> i64.u64 (y / e)) ys)
     , fold (map (\y -> i64.u64 (y % e)) ys)
     )

-- ==
-- entry: by_known
-- input { 1000i64 } auto output
entry by_known (n: i64) : [12]i64 =
  let xs = tabulate n number
  let ys = map i32.i64 xs
  let zs = map u8.i64 xs
  let ws = map i16.i64 xs
  in [ fold (map (/ 8) xs)
     , fold (map (% 8) xs)
     , fold (map (// 8) xs)
     , fold (map (%% 8) xs)
     , fold (map (\y -> i64.i32 (y / 10)) ys)
     , fold (map (\y -> i64.i32 (y % 1024)) ys)
     , fold (map (\y -> i64.i32 (y // -4)) ys)
     , fold (map (\z -> i64.u8 (z / 16)) zs)
     , fold (map (\z -> i64.u8 (z % 3)) zs)
     , fold (map (\w -> i64.i16 (w / 2)) ws)
     , fold (map (\w -> i64.i16 (w % 4)) ws)
     , fold (map (\w -> i64.i16 (w %% 4)) ws)
     ]

-- ==
-- entry: each
-- input { 1000i64 } auto output
entry each (n: i64) : [6]i64 =
  let xs = tabulate n number
  let divisor i = let d = number (i + 12345) in if d == 0 then 1 else d
  let ds = tabulate n divisor
  let small d = let d = i32.i64 d in if d == 0 then 3 else d
  let ys = map i32.i64 xs
  let es = map small ds
  in [ fold (map2 (/) xs ds)
     , fold (map2 (%) xs ds)
     , fold (map2 (//) xs ds)
     , fold (map2 (%%) xs ds)
     , fold (map2 (\y e -> i64.i32 (y / e)) ys es)
     , fold (map2 (\y e -> i64.i32 (y %% e)) ys es)
     ]

-- ==
-- entry: by_zero
-- input { 100i64 0i64 } error: Division by zero
-- input { 100i64 5i64 } output { 950i64 }
entry by_zero (n: i64) (d: i64) : i64 = i64.sum (map (/ d) (iota n))
