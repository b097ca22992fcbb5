-- A rotation by any number of places, of arrays of any length, is what the index taken around the end says: also by more than there are elements, and to either side.

def by_remainder [n] (r: i64) (a: [n]i64) : [n]i64 =
  tabulate n (\i -> a[(i + r % n) % n])

-- ==
-- entry: agree
-- input { [0i64, 1i64, -1i64, 2i64, -2i64, 7i64, -7i64, 8i64, -8i64, 100i64, -100i64, 9223372036854775807i64, -9223372036854775808i64] }
-- output { true }
entry agree (rs: []i64) : bool =
  and (map (\r ->
    and (map (\n ->
      let a = map (* 3) (iota n)
      in and (map2 (==) (rotate r a) (by_remainder r a))) [1, 2, 7, 8, 40])) rs)

-- ==
-- entry: of_none
-- input { 0i64 } output { empty([0]i32) }
-- input { 1i64 } output { empty([0]i32) }
-- input { -1i64 } output { empty([0]i32) }
-- input { -5i64 } output { empty([0]i32) }
entry of_none (r: i64) : []i32 = rotate r ([] : [0]i32)

-- Neighbours around the end, by constants.
-- ==
-- entry: neighbours
-- input { [1i32, 2i32, 4i32, 8i32] } output { [11i32, 7i32, 14i32, 13i32] }
-- input { [1i32, 2i32] } output { [5i32, 4i32] }
-- input { [5i32] } output { [15i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry neighbours [n] (a: [n]i32) : [n]i32 =
  map3 (\x l r -> x + l + r) a (rotate (-1) a) (rotate 1 a)

-- Many elements, on both sides of the place where the index is taken around the end.
-- ==
-- entry: long
-- input { 1000i64 3i64 } output { 0i64 }
-- input { 1000i64 -3i64 } output { 0i64 }
-- input { 1000i64 500i64 } output { 0i64 }
-- input { 1000i64 -999i64 } output { 0i64 }
-- input { 1000i64 12345i64 } output { 0i64 }
entry long (n: i64) (r: i64) : i64 =
  let a = map u8.i64 (iota n)
  let b = rotate r a
  in i64.sum (tabulate n (\i -> i64.bool (b[i] != a[(i + r % n) % n])))
