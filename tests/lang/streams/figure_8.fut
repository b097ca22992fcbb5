-- Figure 8 of "Futhark: purely functional GPU-programming with nested parallelism and in-place array updates" (2017): what streams mean, for any number of arrays that go in and come out. The
-- result does not depend on how the input is cut.
-- ==
-- entry: stream_map
-- input { [1, 2, 3] [10i64, 20i64, 30i64] } output { [11i64, 22i64, 33i64] [true, false, true] }
-- input { empty([0]i32) empty([0]i64) } output { empty([0]i64) empty([0]bool) }

-- ==
-- entry: stream_red
-- input { [1, 2, 3] [10i64, 20i64, 30i64] } output { 66i64 3 [11i64, 22i64, 33i64] [true, false, true] }
-- input { empty([0]i32) empty([0]i64) } output { 0i64 -2147483648 empty([0]i64) empty([0]bool) }

-- ==
-- entry: stream_seq
-- input { [1, 2, 3] [10i64, 20i64, 30i64] } output { 66i64 [11i64, 33i64, 66i64] }
-- input { empty([0]i32) empty([0]i64) } output { 0i64 empty([0]i64) }

-- ==
-- entry: of_many
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 2049i64 } output { true }
-- compiled input { 70001i64 } output { true }

def both [k] (chunk: [k](i32, i64)) : [k](i64, bool) =
  map (\(a, b) -> (i64.i32 a + b, a % 2 == 1)) chunk

entry stream_map [n] (as: [n]i32) (bs: [n]i64) : ([n]i64, [n]bool) =
  unzip (map_stream (\k (chunk: [k](i32, i64)) -> both chunk) (zip as bs))

entry stream_red [n] (as: [n]i32) (bs: [n]i64) : (i64, i32, [n]i64, [n]bool) =
  let ((sum, most), made) =
    map_reduce_stream
      (\(s, m) (t, l) -> (s + t, i32.max m l))
      (\k (chunk: [k](i32, i64)) ->
         let made = both chunk
         let sums = loop sums = 0 for i < k do sums + made[i].0
         in ((sums, i32.maximum (map (.0) chunk)), made))
      (zip as bs)
  let (xs, ys) = unzip made
  in (sum, most, xs, ys)

entry stream_seq [n] (as: [n]i32) (bs: [n]i64) : (i64, [n]i64) =
  fold_stream (\k before (chunk: [k](i32, i64)) ->
    let sums = map (+ before) (scan (+) 0 (map (.0) (both chunk)))
    in (if k == 0 then before else sums[k - 1], sums)) 0 (zip as bs)

entry of_many (n: i64) : bool =
  let as = tabulate n (\i -> i32.i64 (i % 17))
  let bs = tabulate n (\i -> i * 3)
  let expected = map2 (\a b -> i64.i32 a + b) as bs
  let (mapped, odd) = stream_map as bs
  let (sum, most, reduced, _) = stream_red as bs
  let (last, running) = stream_seq as bs
  in and (map2 (==) mapped expected)
     && and (map2 (\o a -> o == (a % 2 == 1)) odd as)
     && sum == i64.sum expected
     && most == i32.maximum as
     && and (map2 (==) reduced expected)
     && last == sum
     && and (map2 (==) running (scan (+) 0 expected))
