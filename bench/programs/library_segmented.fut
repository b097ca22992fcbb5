-- Running sums and sums of segments with different lengths, by `/norn/segmented`.
-- ==
-- nobench script input { input 1000i64 } auto output
-- "10000000" notest script input { input 10000000i64 } output @ data/library_segmented-10000000.out
import "data"
import "/norn/segmented"

-- | About one element in ten begins a segment.
entry input (n: i64) : ([n]bool, [n]i64) =
  ( tabulate n (\i -> i == 0 || number 1 i % 10 == 0)
  , tabulate n (\i -> i64.u32 (number 2 i % 1000))
  )

-- | The largest running sum, and all sums.
entry main [n] (flags: [n]bool) (xs: [n]i64) : (i64, []i64) =
  ( i64.maximum (segmented_scan (+) 0 flags xs)
  , segmented_reduce (+) 0 flags xs
  )
