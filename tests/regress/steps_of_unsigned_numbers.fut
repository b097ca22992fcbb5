-- Numbers that grow by a step that is known at run time only, in a type that no index has.
-- ==
-- entry: main
-- input { 9i64 3i64 } output { [0u64, 0u64, 0u64, 1u64, 1u64, 1u64, 2u64, 2u64, 3u64] }
-- input { 4i64 -1i64 } output { [0u64, 2305843009213693951u64, 2305843009213693951u64, 2305843009213693951u64] }
entry main (n: i64) (k: i64) : [n]u64 = map (\j -> u64.i64 (k * j) >> 3) (iota n)

-- ==
-- entry: hashes
-- input { 100i64 7i64 } output { 16190895132489200228u64 }
entry hashes (n: i64) (k: i64) : u64 =
  u64.sum (tabulate n (\i -> (u64.i64 (i * k) * 0x9e3779b97f4a7c15) ^ u64.i64 (k + i)))
