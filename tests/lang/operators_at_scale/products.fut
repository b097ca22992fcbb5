-- Products of matrices whose sizes are no multiple of anything.
-- ==
-- compiled input { 150i64 170i64 70i64 } output { true }
-- compiled input { 129i64 300i64 33i64 } output { true }
-- input { 67i64 70i64 33i64 } output { true }
-- input { 1i64 1i64 1i64 } output { true }
-- input { 5i64 0i64 4i64 } output { true }
-- input { 5i64 4i64 0i64 } output { true }
def product [n] [m] [k] (a: [n][k]i32) (b: [k][m]i32) : [n][m]i32 =
  map (\row -> map (\column -> i32.sum (map2 (*) row column)) (transpose b)) a

entry main (n: i64) (m: i64) (k: i64) : bool =
  let a i j = i32.i64 ((i * 7 + j * 3) % 11)
  let b i j = i32.i64 ((i * 5 + j * 13) % 17)
  let one i j = loop sum = 0 for l < k do sum + a i l * b l j
  in and (flatten (map2 (map2 (==))
                        (product (tabulate_2d n k a) (tabulate_2d k m b))
                        (tabulate_2d n m one)))
