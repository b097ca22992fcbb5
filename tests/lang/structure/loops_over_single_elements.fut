-- A loop in which nothing is done in parallel is a thread of the device if it is short; then nobody waits for what it yields. A long one is left
-- to the processor, and so is one whose array a thread would have to copy.
-- ==
-- entry: short
-- input { [1, 2, 3, 4] 5i64 } output { [88i64, 89i64, 90i64, 91i64, 92i64] }
-- structure run { launches 2 waits 1 sent 0 received 0 }

-- ==
-- entry: short_by_hand
-- input { [1, 2, 3, 4] 5i64 } output { [88i64, 89i64, 90i64, 91i64, 92i64] }
-- structure run { launches 2 waits 1 sent 0 received 0 }

-- ==
-- entry: few_of_many
-- input { 100000i64 } output { 4999950039i64 }

-- ==
-- entry: long
-- input { 20000i64 } output { 6062i64 }

-- | The numbers of a table are added up one after the other.
entry short (table: [4]i32) (n: i64) : [n]i64 =
  let last = loop last = 1 for t in table do (last * 3 + t) % 1000
  in map (+ i64.i32 last - 51) (iota n)

-- | The same with an index, and a condition.
entry short_by_hand (table: [4]i32) (n: i64) : [n]i64 =
  let (last, _) =
    loop (last, i) = (1, 0)
    while i < 4 do
      ((last * 3 + table[i]) % 1000, i + 1)
  in map (\i -> i + i64.i32 last - 51) (iota n)

-- | Three elements of a large array are set.
entry few_of_many (n: i64) : i64 =
  let xs = loop xs = iota n for i < 3 do xs with [i * 7] = xs[i * 7 + 3] * 2
  in i64.sum xs

-- | All elements of a large array, one after the other.
entry long (n: i64) : i64 =
  let xs = map (\i -> i * i % 1000) (iota n)
  in loop last = 0 for x in xs do (last * 31 + x) % 10007
