-- What a reduction begins with has a derivative, too, where it is no constant: a loop hands it from one reduction to the next.

-- The least of all so far: only where it changes for the last time, an element matters.
-- ==
-- entry: least
-- input { [3f64, 5f64] [4f64, 2f64, 6f64] } output { 2f64 [0f64, 0f64] [0f64, 1f64, 0f64] }
-- input { [1f64, 5f64] [4f64, 2f64, 6f64] } output { 1f64 [1f64, 0f64] [0f64, 0f64, 0f64] }
-- input { [7f64] empty([0]f64) } output { 7f64 [1f64] empty([0]f64) }
entry least [n] [m] (xs: [n]f64) (ys: [m]f64) : (f64, [n]f64, [m]f64) =
  let f (xs: [n]f64, ys: [m]f64) = reduce f64.min (reduce f64.min f64.inf xs) ys
  let (value, (dxs, dys)) = vjp2 f (xs, ys) 1
  in (value, dxs, dys)

-- The better of two pairs. It does not matter how often the beginning is compared.
def better (a: f64, x: f64) (b: f64, y: f64) : (f64, f64) =
  if a <= b then (a, x) else (b, y)

def best [n] (p: f64, q: f64, fs: [n](f64, f64)) : f64 =
  let (a, b) = reduce better (p, q) fs
  in 2 * a + b

-- Both directions, and both ways to write it.
-- ==
-- entry: bests
-- input { 1.5f64 0.5f64 [2f64, 3f64, 0.5f64, 0.25f64, 7f64] [1f64, -1f64, 4f64, 2f64, 0f64] } output { true }
-- input { 0.5f64 3f64 [2f64, 3f64] [1f64, -1f64] } output { true }
-- input { 1.5f64 0.5f64 [1f64] [1f64] } output { true }
-- input { 1.5f64 0.5f64 empty([0]f64) empty([0]f64) } output { true }
entry bests [n] (p: f64) (q: f64) (as: [n]f64) (bs: [n]f64) : bool =
  let x = (p, q, zip as bs)
  let by_loop (p, q, fs) =
    let (a, b) = loop f = (p, q) for g in fs do better f g
    in 2 * a + b
  let near a b = f64.abs (a - b) < 1e-9
  let same (p, q, fs) (r, s, gs) =
    near p r
    && near q s
    && and (map2 (\(a, b) (c, d) -> near a c && near b d) fs gs)
  let forwards f =
    let zeros = map (\_ -> (0, 0)) (zip as bs)
    let unit i j = if i == j then 1 else 0
    in ( jvp f x (1, 0, zeros)
       , jvp f x (0, 1, zeros)
       , tabulate n (\i ->
         ( jvp f x (0, 0, tabulate n (\j -> (unit i j, 0)))
         , jvp f x (0, 0, tabulate n (\j -> (0, unit i j)))
         ))
       )
  in same (vjp best x 1) (vjp by_loop x 1)
     && same (vjp best x 1) (forwards best)
