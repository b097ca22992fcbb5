-- The function with which "Nested data-parallelism on the GPU" (Bergstrom and Reppy, 2012) introduces fusion in section 5,
-- written as NESL computes it: an operation on whole vectors after the other.
-- ==
-- input { [1, 2, 3] [4, 5, 6] [7, 8, 9] } output { [11, 18, 27] }
-- structure nest { map 1 copy 0 }
-- structure flat { grid 1 grid/map 1 }
entry main [n] (xs: [n]i32) (ys: [n]i32) (zs: [n]i32) : [n]i32 =
  let products = map2 (*) xs ys
  in map2 (+) products zs
