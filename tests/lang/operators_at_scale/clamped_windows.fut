-- Windows that are clamped at the borders, or end there, in matrices of all shapes. Integers, so that the order of additions does not matter.

def clamp (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

-- | By index, along rows and then along columns.
def by_index [n] [m] [k] (w: [k]i32) (xss: [n][m]i32) : [n][m]i32 =
  let yss =
    tabulate_2d n m (\i j ->
      i32.sum (map (\d -> w[d] * xss[i, clamp m (j + d - k / 2)]) (iota k)))
  in tabulate_2d n m (\i j ->
    i32.sum (map (\d -> w[d] * yss[clamp n (i + d - k / 2), j]) (iota k)))

def along [n] [k] (w: [k]i32) (xs: [n]i32) : [n]i32 =
  tabulate n (\j ->
    i32.sum (map2 (\d x -> x * xs[clamp n (j + d - k / 2)]) (iota k) w))

-- | By rows and by columns.
def by_rows [n] [m] [k] (w: [k]i32) (xss: [n][m]i32) : [n][m]i32 =
  map (along w) xss |> transpose |> map (along w) |> transpose

def matrix (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 37 + j * 101) % 64 - 20))

-- Windows that are longer than what they go through are clamped on both sides.
-- ==
-- entry: agree
-- input { 0i64 3i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 2i64 40i64 } output { true }
-- input { 37i64 5i64 } output { true }
-- input { 16i64 33i64 } output { true }
-- input { 70i64 131i64 } output { true }
entry agree (n: i64) (m: i64) : bool =
  let same k =
    let w = tabulate k (\d -> i32.i64 (d * d + 1))
    let (xss, yss) = (by_index w (matrix n m), by_rows w (matrix n m))
    in and (map2 (\xs ys -> and (map2 (==) xs ys)) xss yss)
  in same 1 && same 5 && same 9 && same (n + 4)

-- ==
-- entry: fixed
-- input { 1i64 } output { [[-20i32]] }
-- input { 3i64 } output { [[-10i32, 0i32, 91i32], [0i32, 10i32, 101i32], [91i32, 101i32, -384i32]] }
entry fixed (n: i64) : [n][n]i32 = by_rows [1, -2, 1, 1, 0] (matrix n n)

-- Sums of what is behind and before, as far as there is something.
-- ==
-- entry: one_sided
-- input { 0i64 3i64 } output { empty([0]i32) empty([0]i32) }
-- input { 5i64 3i64 } output { [0i32, 1i32, 4i32, 10i32, 16i32] [8i32, 14i32, 20i32, 11i32, 4i32] }
entry one_sided (n: i64) (k: i64) : ([n]i32, [n]i32) =
  let xs = tabulate n i32.i64
  let sum f = tabulate n (\i -> i32.sum (map (f i) (iota k)))
  in ( sum (\i d -> if i - d >= 0 then i32.i64 (d + 1) * xs[i - d] else 0)
     , sum (\i d -> if i + d < n then i32.i64 (d + 1) * xs[i + d] else 0)
     )
