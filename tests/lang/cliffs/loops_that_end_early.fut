-- Loops with operators inside that run more often for some elements than for others. Taken apart, each iteration would be several launches and a wait; where no group of threads can do an
-- element, since its rows have lengths of their own, many elements have a thread each before they are enough to fill the device.
-- ==
-- entry: recorded
-- script input { input 3i64 } auto output
-- script input { input 64i64 } auto output structure run { launches 2 waits 1 sent 0 received 0 }
entry input (n: i64) : ([12][12]f64, [n]i64) =
  (tabulate_2d 12 12 (\i j -> f64.i64 (i + j)), tabulate n (\i -> 3 + i % 5))

-- All states are kept, and gone through backwards, as in the forward and backward algorithm for hidden Markov models.
entry recorded [k] [n] (step: [k][k]f64) (times: [n]i64) : [n]f64 =
  map (\t ->
    let states = replicate (t + 1) (replicate k 1)
    let states =
      loop states for i < t do
        states with [i + 1] =
                 map (\r -> f64.sum (map2 (*) r states[i]) / 100) step
    in f64.sum (loop v = states[t] for i < t + 1 do
                  map2 (\a b -> f64.exp (a / 2 - b) / f64.i64 k)
                       states[t - i]
                       v)) times
