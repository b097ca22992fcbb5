-- Rows as long as branches of scalars compute. Their lengths are known before the rows, which are computed where they belong.
-- ==
-- entry: digits
-- input { [7u32, 0u32, 4321u32, 99u32, 100u32] } output { [7u32, 0u32, 1u32, 2u32, 3u32, 4u32, 9u32, 9u32, 0u32, 0u32, 1u32] [1i64, 1i64, 4i64, 2i64, 3i64] }
-- input { empty([0]u32) } output { empty([0]u32) empty([0]i64) }

-- ==
-- entry: until
-- input { [0i64, 2i64, 5i64] [3i64, 1i64, 2i64] } output { [0i64, 1i64, 2i64, 0i64, 1i64] }
-- input { [0i64, 3i64, -1i64] [3i64, 1i64, 2i64] } output { [0i64, 1i64, 2i64] }

-- ==
-- entry: spans
-- input { [1i64, 2i64, 0i64] true } output { [0i64, 0i64, 1i64] }
-- input { [1i64, 2i64, 0i64] false } error: out of bounds

-- ==
-- entry: backwards
-- input { [3i64, 1i64] } output { [0i64, 1i64, 2i64, 0i64] }
-- input { [3i64, -1i64] } error:

def width (x: u32) : i64 =
  if x < 10 then 1 else if x < 100 then 2 else if x < 1000 then 3 else 4

entry digits [n] (xs: [n]u32) : ([]u32, []i64) =
  let rows = map (\x -> tabulate (width x) (\k -> x / 10 ** u32.i64 k % 10)) xs
  in (irregular.flatten rows, lengths rows)

-- An element is read only in the branch that may.
entry until [n] (at: [n]i64) (lens: [n]i64) : []i64 =
  irregular.flatten (map (\i -> iota (if i >= 0 && i < n then lens[i] else 0))
                         at)

entry spans [n] (lens: [n]i64) (inside: bool) : []i64 =
  irregular.flatten (tabulate n (\i ->
    iota (if inside || i + 1 < n then lens[i] else lens[i + 1])))

entry backwards [n] (lens: [n]i64) : []i64 =
  irregular.flatten (map (\l -> iota (if l == 0 then 1 else l)) lens)
