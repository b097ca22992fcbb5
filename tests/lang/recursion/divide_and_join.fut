-- Functions that divide arrays, call themselves for two parts and join what these give, and do nothing else in parallel. They are done level by level, on
-- a GPU, too.
-- ==
-- entry: merge_sort
-- input { [5, 3, 8, 1, 9, 2, 7] } output { [1, 2, 3, 5, 7, 8, 9] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- input { [1] } output { [1] }
-- input { [2, 2, 1, 1, 2] } output { [1, 1, 2, 2, 2] }

-- ==
-- entry: gray_codes
-- input { 3i64 } output { [0u32, 1u32, 3u32, 2u32, 6u32, 7u32, 5u32, 4u32] }
-- input { 0i64 } output { [0u32] }

def merge (a: []i32) (b: []i32) : []i32 =
  if length a < length b
  then merge b a
  else if length b == 0
  then copy a
  else if length a == 1
  then [i32.min a[0] b[0], i32.max a[0] b[0]]
  else
    let m = length a / 2
    let (j, _) =
      loop (lo, hi) = (0, length b) while lo < hi do
        let mid = (lo + hi) / 2
        in if b[mid] < a[m] then (mid + 1, hi) else (lo, mid)
    let parts = map (\(a, b) -> merge a b) [(a[:m], b[:j]), (a[m:], b[j:])]
    in irregular.flatten parts

def sorted (xs: []i32) : []i32 =
  if length xs < 2
  then xs
  else
    let m = length xs / 2
    let halves = map sorted [xs[:m], xs[m:]]
    in merge halves[0] halves[1]

entry merge_sort (xs: []i32) : []i32 = sorted xs

def codes (bits: i64) (flip: bool) (from: u32) : []u32 =
  if bits == 0
  then [from]
  else
    let one = 1u32 << u32.i64 (bits - 1)
    let first = if flip then from | one else from
    let second = if flip then from else from | one
    in irregular.flatten (map (\(flip, from) -> codes (bits - 1) flip from)
                              [(false, first), (true, second)])

entry gray_codes (bits: i64) : []u32 = codes bits false 0
