-- Each element reduces as many elements as it says: none, one, or nearly all that there are.

def lengths (n: i64) : [n]i64 =
  tabulate n (\i ->
    if i % 5 == 0 then 0 else if i % 97 == 3 then 2000 else i % 7)

def x (i: i64) : i64 = (i * 31 + 7) % 1009

def rows (n: i64) : ([n]i64, [n]i64, []i64) =
  let ls = lengths n
  let ends = scan (+) 0 ls
  in (map2 (-) ends ls, ls, tabulate (i64.sum ls) x)

def expected [n] (os: [n]i64) (ls: [n]i64) (xs: []i64) : [n]i64 =
  map2 (\o l -> loop s = 0 for j < l do s + xs[o + j]) os ls

-- ==
-- entry: by_offset by_slice with_more maxima in_order
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 4i64 } output { true }
-- input { 700i64 } output { true }
-- input { 3001i64 } output { true }
entry by_offset (n: i64) : bool =
  let (os, ls, xs) = rows n
  let sums = map2 (\o l -> i64.sum (map (\j -> xs[o + j]) (iota l))) os ls
  in and (map2 (==) sums (expected os ls xs))

entry by_slice (n: i64) : bool =
  let (os, ls, xs) = rows n
  let sums = map2 (\o l -> reduce (+) 0 xs[o:o + l]) os ls
  in and (map2 (==) sums (expected os ls xs))

-- Something comes before the sum, and something behind it.
entry with_more (n: i64) : bool =
  let (os, ls, xs) = rows n
  let sums = map3 (\i o l ->
    let k = 2 * l - l
    in (i64.sum (tabulate k (\j -> xs[o + j] * 2)) + i) / 2) (iota n) os ls
  let wanted = map2 (\i s -> (2 * s + i) / 2) (iota n) (expected os ls xs)
  in and (map2 (==) sums wanted)

-- Two columns; of rows without elements, the neutral one.
entry maxima (n: i64) : bool =
  let (os, ls, xs) = rows n
  let best (a: i64, i: i64) (b: i64, j: i64) =
    if b > a || b == a && j < i then (b, j) else (a, i)
  let found =
    map2 (\o l -> reduce best (-1, -1) (tabulate l (\j -> (xs[o + j], j))))
         os
         ls
  let wanted =
    map2 (\o l ->
      loop (a, i) = (-1, -1) for j < l do best (a, i) (xs[o + j], j)) os ls
  in and (map2 (\(a, i) (b, j) -> a == b && i == j) found wanted)

-- An operator that does not commute, and rows inside of rows.
entry in_order (n: i64) : bool =
  let after (a: i64, b: i64) (c: i64, d: i64) =
    (a * c % 1009, (b * c + d) % 1009)
  let element i j = (1 + x (i + j), j % 7)
  let found =
    tabulate_2d n 3 (\i k ->
      reduce after (1, 0) (tabulate (i % 11 * k) (element i)))
  let wanted =
    tabulate_2d n 3 (\i k ->
      loop p = (1, 0) for j < i % 11 * k do after p (element i j))
  in and (map2 (\ps qs -> and (map2 (\(a, b) (c, d) -> a == c && b == d) ps qs))
               found
               wanted)

-- A length below 0 is an error, even though there is nothing to reduce.
-- ==
-- entry: below_zero
-- input { [3i64, -1i64, 2i64] } error: -1
entry below_zero [n] (ls: [n]i64) : [n]i64 =
  map (\l -> i64.sum (map x (iota l))) ls
