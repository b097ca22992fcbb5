-- Sums.
-- ==
-- tags { nobench }
-- input { [1, 2,   3] }
-- output { 6 }
-- input @ data/big.in
--   auto output
entry main (xs: []i32) = i32.sum xs

-- ==
-- entry: other
-- error: .*
entry other = assert false 1
-- > main [1, 2]
