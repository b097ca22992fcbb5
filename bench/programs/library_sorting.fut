-- Pairs in lexicographic order by the bits of both, with `/norn/sorting`.
-- ==
-- nobench script input { input 500i64 } auto output
-- "1000000" notest script input { input 1000000i64 } output @ data/library_sorting-1000000.out
import "data"
import "/norn/sorting"

entry input (n: i64) : ([n]u32, [n]u32) =
  (tabulate n (\i -> number 1 i % 1000), tabulate n (number 2))

entry main [n] (xs: [n]u32) (ys: [n]u32) : ([n]u32, [n]u32) =
  let bit (i: i32) (x: u32, y: u32) : i32 =
    if i < 32 then u32.get_bit i y else u32.get_bit (i - 32) x
  in unzip (radix_sort 64 bit (zip xs ys))
