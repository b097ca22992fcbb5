-- Figure 10 of "Futhark: purely functional GPU-programming with nested parallelism and in-place array updates" (2017): a chunk begins with an expensive formula and goes on with a cheap
-- one, which is a scan; all of it is summed. Written as the program is before fusion (a), after fusion outside (b), and after fusion at all levels (c), it yields the same. Where the scan is an operator
-- of a chunk, a single kernel goes through the chunks and adds their sums; a fold over chunks has all of its input in one, which is scanned and summed.
-- ==
-- entry: apart outside everywhere
-- input { 0i64 } output { 0i64 }
-- input { 1i64 } output { 0i64 }
-- input { 10i64 } output { 165i64 }

-- ==
-- entry: apart outside
-- input { 3000i64 } output { 4499999500i64 }
-- structure run { launches 1 waits 1 }

-- ==
-- entry: everywhere
-- input { 3000i64 } output { 4499999500i64 }
-- structure run { launches 2 waits 1 }

-- | The sum of all numbers up to i.
def independent (i: i64) : i64 = i * (i - 1) / 2

def cheap (_: i64) (i: i64) : i64 = i

-- | Figure 10a.
entry apart (n: i64) : i64 =
  let sums =
    map_stream (\k (is: [k]i64) ->
      let before = if k > 0 then independent is[0] else 0
      let steps = map (cheap before) is
      in map (+ before) (scan (+) 0 steps)) (iota n)
  in reduce (+) 0 sums

-- | Figure 10b.
entry outside (n: i64) : i64 =
  reduce_stream (+) (\k (is: [k]i64) ->
    let before = if k > 0 then independent is[0] else 0
    let steps = map (cheap before) is
    let sums = map (+ before) (scan (+) 0 steps)
    in reduce (+) 0 sums) (iota n)

-- | Figure 10c.
entry everywhere (n: i64) : i64 =
  reduce_stream (+) (\k (is: [k]i64) ->
    let before = if k > 0 then independent is[0] else 0
    let ((_, sum), _) =
      fold_stream (\q (y, sum) (is: [q]i64) ->
        let steps = map (cheap before) is
        let ys = map (+ y) (scan (+) 0 steps)
        in ( (if q > 0 then ys[q - 1] else y, sum + reduce (+) 0 ys)
           , replicate q ()
           )) (before, 0) is
    in sum) (iota n)
