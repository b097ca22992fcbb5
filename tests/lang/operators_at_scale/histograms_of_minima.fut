-- Minima and maxima of floats, and words that are compared and swapped, in more bins than have room in the memory of a group: evenly, all in one bin,
-- and in bins that are as far apart as a power of two.
-- ==
-- entry: minima maxima nearest saturated
-- script input { evenly 40000i64 60000i64 }
-- auto output
-- script input { in_one 20000i64 60000i64 }
-- auto output
-- script input { far_apart 20000i64 65536i64 }
-- auto output
-- script input { evenly 0i64 60000i64 }
-- auto output
-- script input { evenly 1000i64 50i64 }
-- auto output
-- script input { evenly 10i64 60000i64 }
-- auto output

def mixed (i: i64) : u32 =
  let x = u32.i64 i * 0x9e3779b1
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  in x ^ (x >> 12)

def values (n: i64) : [n]f32 =
  tabulate n (\i -> f32.u32 (mixed (i + 7) % 1000) - 500)

entry evenly (n: i64) (k: i64) : (i64, [n]i64, [n]f32) =
  (k, tabulate n (\i -> i64.u32 (mixed i) % k), values n)

entry in_one (n: i64) (k: i64) : (i64, [n]i64, [n]f32) =
  (k, replicate n 12345, values n)

entry far_apart (n: i64) (k: i64) : (i64, [n]i64, [n]f32) =
  (k, tabulate n (\i -> i64.u32 (mixed i % 8) * 8192), values n)

entry minima [n] (k: i64) (at: [n]i64) (xs: [n]f32) : [k]f32 =
  hist f32.min f32.inf k at xs

entry maxima [n] (k: i64) (at: [n]i64) (xs: [n]f32) : [k]f64 =
  hist f64.max (-f64.inf) k at (map f64.f32 xs)

entry nearest [n] (k: i64) (at: [n]i64) (xs: [n]f32) : ([k]f32, [k]i32) =
  let nearer (a, i) (b, j) = if a < b || a == b && i < j then (a, i) else (b, j)
  in unzip (hist nearer
                 (f32.inf, i32.highest)
                 k
                 at
                 (zip xs (map i32.i64 (iota n))))

entry saturated [n] (k: i64) (at: [n]i64) (xs: [n]f32) : [k]u8 =
  hist (\a b -> if a > 200 - b then 200 else a + b)
       0
       k
       at
       (map (\x -> u8.bool (x > 0)) xs)

-- What is no number is chosen only if there is nothing else.
-- ==
-- entry: of_no_numbers
-- input { 60000i64 } output { true }
-- input { 3i64 } output { true }
entry of_no_numbers (n: i64) : bool =
  let either i = if mixed i % 2 == 0 then f32.nan else f32.i64 i
  let chosen =
    hist f32.max f32.nan 20000 (map (% 20000) (iota n)) (map either (iota n))
  in and (tabulate n (\i ->
    mixed i % 2 == 0 || chosen[i % 20000] >= f32.i64 i))
