-- Floats of rows of different lengths are added up in the same order, however the rows are cut into parts: by groups of
-- threads that begin where they would without parts.
-- ==
-- entry: sums products of_made_rows
-- script input { input 300i64 } auto output
-- script input { input 5000i64 } auto output
-- script input { long 40i64 } auto output

def number (i: i64) : f32 = f32.i64 ((i * 7919 + 13) % 10007) / 10007 - 0.3

-- | Most rows are short, some are long, and some are empty.
entry input (n: i64) : ?[m].([n]i64, [m]f32) =
  let lengths =
    tabulate n (\i -> if i % 37 == 5 then 700 + i % 90 else (i * 31) % 17)
  let m = i64.sum lengths
  in (lengths, tabulate m number)

-- | Each is longer than many groups of threads go through.
entry long (n: i64) : ?[m].([n]i64, [m]f32) =
  let lengths = tabulate n (\i -> 3000 + (i * 7919) % 5000)
  let m = i64.sum lengths
  in (lengths, tabulate m number)

entry sums [n] [m] (lengths: [n]i64) (values: [m]f32) : [n]f32 =
  map (\row -> f32.sum row) (segment lengths values)

entry products [n] [m] (lengths: [n]i64) (values: [m]f32) : [n]f32 =
  map (\row -> reduce (*) 1 (map (\x -> 1 + x / 100) row))
      (segment lengths values)

-- | Rows that threads make before, which are needed themselves, too.
entry of_made_rows [n] [m] (lengths: [n]i64) (values: [m]f32) : ([n]f32, f32) =
  let made =
    map (\row ->
      loop xs = copy row for i < length row - 1 do
        xs with [i + 1] = xs[i] * 0.5 + xs[i + 1]) (segment lengths values)
  in (map (\row -> f32.sum row) made, f32.maximum (irregular.flatten made))
