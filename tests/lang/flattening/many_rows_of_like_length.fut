-- Many rows of different, but like lengths are reduced by a thread each, and nothing is laid out; some that are uneven, by their elements.
-- ==
-- entry: search
-- input { [1u8, 2u8, 1u8, 2u8, 1u8] [1u8, 2u8, 1u8, 2u8] [3i64, 1i64, 0i64] }
-- output { [2i64, 2i64, 6i64] }
-- input { empty([0]u8) empty([0]u8) [0i64] }
-- output { [1i64] }

-- ==
-- entry: search_test
-- input { 100i64 }
-- output { true }
-- compiled input { 30000i64 }
-- output { true }

-- ==
-- entry: uneven_test
-- compiled input { 30000i64 20000i64 }
-- output { true }

-- How often each pattern occurs.
def occurrences [n] [m] [k]
                (text: [n]u8)
                (pats: [m]u8)
                (lens: [k]i64) : [k]i64 =
  map (\p ->
    let l = length p
    let p = sized l p
    in i64.sum (tabulate (n - l + 1) (\i ->
      i64.bool (and (map2 (==)
                          p
                          (sized l text[i:i + l])))))) (segment lens pats)

entry search = occurrences

entry search_test (n: i64) : bool =
  let text = tabulate n (\i -> u8.i64 (i % 3))
  let found = occurrences text [0u8, 0u8, 1u8, 2u8, 1u8] [1, 3, 1]
  in and (map2 (==) found [(n + 2) / 3, n / 3, (n + 1) / 3])

entry uneven_test (n: i64) (long: i64) : bool =
  let width i = if i % 1000 == 7 then long else i % 5
  let sums = map (\i ->
    map (\j -> i64.sum (map (\k -> k) (iota (width (i + j)))))
        (iota (1 + i % 2))) (iota n)
  let first = map (\r -> r[0]) sums
  in and (map2 (\s i -> s == width i * (width i - 1) / 2) first (iota n))
