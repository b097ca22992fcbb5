-- Rows of lengths that nobody knows before: empty, short and long ones side by side, of several types, in maps in maps and beside sums. The sums say that each
-- element is where it belongs.
-- ==
-- entry: kept
-- input { 5i64 3i64 } auto output
-- input { 0i64 3i64 } auto output
-- input { 300i64 1000i64 } auto output
-- compiled input { 3000i64 9000i64 } auto output

-- ==
-- entry: nested
-- input { 7i64 } auto output
-- input { 60i64 } auto output
def length_of (most: i64) (i: i64) : i64 =
  loop k = 0 while k * k * k < i * i && k < most do k + 1 + i % 3

def agree [k] [l] (xs: [k]i32) (ps: [l](u8, f64)) : bool =
  k == l
  && and (map (\i -> u8.i32 xs[i] == ps[i].0 && f64.i32 xs[i] == ps[i].1)
              (iota (i64.min k l)))

entry kept (n: i64) (most: i64) : ([n]i64, []i32, i64, bool) =
  let rows = tabulate n (\i ->
    filter (\x -> x % 2 == 0)
           (map i32.i64 (iota (if i % 7 == 5 then 0 else 2 * i % most))))
  let pairs =
    map (\r -> map (\x -> (u8.i32 x, f64.i32 x)) (filter (>= 0) r)) rows
  let sum = i64.sum (map (\r -> i64.sum (map i64.i32 r)) rows)
  in ( map (\r -> length r) rows
     , irregular.flatten rows
     , sum
     , and (map2 agree rows pairs)
     )

entry nested (n: i64) : ([]i64, [n]i64, []i64) =
  let rows = tabulate n (\i ->
    let inner =
      tabulate (i % 4) (\j -> filter (> j) (iota (length_of 900 (i * j))))
    in (irregular.flatten inner, i64.sum (map (\r -> length r) inner)))
  let (xs, ks) = (map (.0) rows, map (.1) rows)
  in (irregular.flatten xs, ks, map (\x -> length x) xs)
