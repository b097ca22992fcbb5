-- zip and unzip of every width are each other's inverses and keep the order.

-- ==
-- entry: pairs
-- input { [1, 2, 3] [true, false, true] } output { [1, 2, 3] [true, false, true] [1, 2, 3] [true, false, true] }
entry pairs [n]
            (as: [n]i32)
            (bs: [n]bool) : ([n]i32, [n]bool, [n]i32, [n]bool) =
  let xs: [n](i32, bool) = zip as bs
  let ys: [n](i32, bool) = zip2 as bs
  let (as1, bs1): ([n]i32, [n]bool) = unzip xs
  let (as2, bs2): ([n]i32, [n]bool) = unzip2 ys
  in (as1, bs1, as2, bs2)

-- ==
-- entry: triples
-- input { [1, 2] [3i64, 4i64] [true, false] } output { [true, false] [3i64, 4i64] [1, 2] }
entry triples [n]
              (as: [n]i32)
              (bs: [n]i64)
              (cs: [n]bool) : ([n]bool, [n]i64, [n]i32) =
  let xs: [n](i32, i64, bool) = zip3 as bs cs
  let (as', bs', cs'): ([n]i32, [n]i64, [n]bool) = unzip3 xs
  in (cs', bs', as')

-- ==
-- entry: quadruples
-- input { [1, 2] [3i64, 4i64] } output { [2i64, 3i64] [true, false] [3i64, 4i64] [1, 2] }
entry quadruples [n]
                 (as: [n]i32)
                 (bs: [n]i64) : ([n]i64, [n]bool, [n]i64, [n]i32) =
  let xs: [n](i32, i64, bool, i64) =
    zip4 as bs (map (== 1) as) (map (\a -> i64.i32 a + 1) as)
  let (as', bs', cs', ds'): ([n]i32, [n]i64, [n]bool, [n]i64) = unzip4 xs
  in (ds', cs', bs', as')

-- ==
-- entry: quintuples
-- input { [1, 2] [3i64, 4i64] } output { [10u8, 20u8] [2i64, 3i64] [true, false] [3i64, 4i64] [1, 2] }
entry quintuples [n]
                 (as: [n]i32)
                 (bs: [n]i64) : ([n]u8, [n]i64, [n]bool, [n]i64, [n]i32) =
  let xs: [n](i32, i64, bool, i64, u8) =
    zip5 as
         bs
         (map (== 1) as)
         (map (\a -> i64.i32 a + 1) as)
         (map (\a -> u8.i32 a * 10) as)
  let (as', bs', cs', ds', es'): ([n]i32, [n]i64, [n]bool, [n]i64, [n]u8) =
    unzip5 xs
  in (es', ds', cs', bs', as')

-- What zip returns is a new array: it may be consumed, and its operands stay.
-- ==
-- entry: zip_is_fresh
-- input { [1, 2] [3, 4] } output { 10 [1, 2] }
entry zip_is_fresh [n] (as: [n]i32) (bs: [n]i32) : (i32, [n]i32) =
  let xs = zip as bs
  let ys = xs with [0] = (4, 0)
  in (i32.sum (map (\(a, b) -> a + b) ys), as)
