-- Figure 10 of "Futhark: purely functional GPU-programming with nested parallelism and in-place array updates" (2017).
-- A chunk begins with an expensive formula and goes on with a cheap one, which is a scan. Outside, the sum joins the
-- stream; inside, all becomes one sequential loop that stores nothing.
-- ==
-- input { 10i64 } output { 165 }
-- input { 0i64 } output { 0 }
-- structure nest { stream 1 map 0 scan 0 reduce 0 fused 0 update 0 /stream/loop 1 }
-- structure flat { grid 1 grid/stream 1 }
def independent (i: i32) : i32 = i * (i + 1) / 2 - i

def cheap (_: i32) (i: i32) : i32 = i

entry main (n: i64) : i32 =
  let numbers = map i32.i64 (iota n)
  let sums =
    map_stream (\k (is: [k]i32) ->
      let before = if k > 0 then independent is[0] else 0
      let steps = map (cheap before) is
      in map (+ before) (scan (+) 0 steps)) numbers
  in i32.sum sums
