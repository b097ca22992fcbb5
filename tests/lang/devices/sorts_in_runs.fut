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
