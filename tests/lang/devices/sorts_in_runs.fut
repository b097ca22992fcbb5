-- Several devices sort keys in runs, which are merged; equal keys stay in their order, whoever sorts which.
-- ==
-- entry: keys
-- input { [3i32, -1i32, 2i32, 3i32, 0i32, -7i32, 5i32, 2i32, 2i32, 9i32, -1i32] }
-- output { [-7i32, -1i32, -1i32, 0i32, 2i32, 2i32, 2i32, 3i32, 3i32, 5i32, 9i32] }
-- input { [1i32] }
-- output { [1i32] }

-- ==
-- entry: is_stable is_sorted
-- input { 0i64 }
-- output { true }
-- input { 9i64 }
-- output { true }
-- input { 1000i64 }
-- output { true }
-- input { 4099i64 }
-- output { true }

entry keys (xs: []i32) : []i32 = sort xs

def numbers (n: i64) : [n]u8 = map (\i -> u8.i64 (i * 7919 % 251)) (iota n)

-- | Pairs are sorted by what comes first alone.
entry is_stable (n: i64) : bool =
  let pairs = sort_by_key (.0) (zip (numbers n) (iota n))
  in and (map2 (\(a, i) (b, j) -> a < b || (a == b && i <= j))
               (pairs ++ [(255, n)] :> [n + 1](u8, i64))
               (rotate 1 (pairs ++ [(255, n)]) :> [n + 1](u8, i64))
          |> take n)

entry is_sorted (n: i64) : bool =
  let xs = sort (map (\i -> i * i * 7919 % 1013 - 500) (iota n))
  in and (map (\i -> i == 0 || xs[i - 1] <= xs[i]) (iota n))

-- | Floats by their bits: `-0` comes before `0`, and what is no number last, as it was.
-- ==
-- entry: floats
-- input { [0x3f800000u32, 0x80000000u32, 0x7fc00001u32, 0x00000000u32, 0xff800000u32, 0x7f800000u32,
--          0xbf800000u32, 0xffc00002u32, 0x00000001u32, 0x80000001u32, 0x7fc00000u32, 0x40000000u32] }
-- output { [0xff800000u32, 0xbf800000u32, 0x80000001u32, 0x80000000u32, 0x00000000u32, 0x00000001u32,
--           0x3f800000u32, 0x40000000u32, 0x7f800000u32, 0x7fc00001u32, 0xffc00002u32, 0x7fc00000u32] }
entry floats (xs: []u32) : []u32 =
  map f32.to_bits (sort (map f32.from_bits xs))

-- | By numbers that come several times; and by those of one kind, and then of another.
-- ==
-- entry: by_floats by_both
-- input { 9i64 }
-- output { true }
-- input { 4099i64 }
-- output { true }
entry by_floats (n: i64) : bool =
  let key i = f64.i64 (i * 7919 % 251) / 3 - 40
  let places = sort_by_key key (iota n)
  let before i j = key i < key j || (key i == key j && i < j)
  in and (map (\i -> i == 0 || before places[i - 1] places[i]) (iota n))

entry by_both (n: i64) : bool =
  let (first, second) =
    ((\i -> i * 7919 % 13 < 7), (\i -> f16.i64 (i * 7919 % 17)))
  let places = sort_by_key first (sort_by_key second (iota n))
  let before i j =
    (!first i && first j)
    || (first i == first j
        && (second i < second j || (second i == second j && i < j)))
  in and (map (\i -> i == 0 || before places[i - 1] places[i]) (iota n))
