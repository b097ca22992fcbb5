-- Traces in the library have the place of the user's call, and whatever they trace may be overwritten afterwards.
-- ==
-- entry: library updates streams
-- input { 5i64 } auto output
-- input { 0i64 } auto output

def apply 'a (f: a -> a) (x: a) : a = f x

def twice 'a (f: a -> a) = f >-> f

entry library (n: i64) =
  let a = map trace (iota n)
  let b = map (twice trace >-> (+ 1)) (iota n)
  let c = apply trace n + (twice trace) n
  let d = n |> trace |> (* 2) |> trace
  in (a, b, c, d)

def increment [n] (xs: *[n]i64) : *[n]i64 =
  let ys = #[trace(before)] xs
  in if n > 0 then #[trace(after)] (ys with [0] = 1 + ys[0]) else ys

entry updates (n: i64) =
  let xs = increment (increment (iota n))
  let rows = map (\i -> increment (map (+ i) (iota n))) (iota n)
  let last =
    loop ys = copy xs for i < n do
      let zs = ys with [i] = #[trace(element)] (ys[i] * 2)
      in #[trace(array)] zs
  in (xs, rows, last)

entry streams (n: i64) =
  let mapped =
    map_stream (\k (xs: [k]i64) ->
                  #[trace(chunk)] (map (\x -> trace (x + 1)) xs))
               (iota n)
  let sum =
    reduce_stream (+) (\k (xs: [k]i64) -> #[trace(sum)] (i64.sum xs)) (iota n)
  in (mapped, sum)
