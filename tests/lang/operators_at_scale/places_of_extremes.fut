-- Reductions that need the order of elements, of which a lambda computes much, or may fail: the processor does the latter strip by strip.

-- ==
-- entry: nearest last_of_best
-- input { 0i64 } auto output
-- input { 1i64 } auto output
-- input { 255i64 } auto output
-- input { 256i64 } auto output
-- input { 257i64 } auto output
-- input { 10001i64 } auto output
def value (i: i64) : f32 = f32.u32 ((u32.i64 i * 0x9e3779b1) >> 20) / 256

def distances (n: i64) : [n](f32, i64) =
  tabulate n (\i ->
    let x = value i in (f32.abs (f32.exp (-x / 4) + f32.sqrt x - 3), i))

entry nearest (n: i64) : i64 =
  (reduce (\(a, i) (b, j) ->
             if a < b || (a == b && i < j) then (a, i) else (b, j))
          (f32.inf, -1)
          (distances n)).1

-- Not commutative: of those that are equal the last one.
entry last_of_best (n: i64) : (i32, i64, i64) =
  let classes =
    map (\(d, i) -> (i32.f32 (d * 8), i, i64.f32 (f32.exp (d / 4) * 100) % 7))
        (distances n)
  in reduce (\(a, i, u) (b, j, v) -> if b >= a then (b, j, v) else (a, i, u))
            (i32.lowest, -1, 0)
            classes

-- ==
-- entry: of_quotients
-- input { [1i64, 2i64, 4i64, 5i64] } auto output
-- input { [1i64, 0i64, 4i64, 5i64] } error: Division by zero
-- input { empty([0]i64) } output { 0i64 -1i64 }
entry of_quotients [n] (xs: [n]i64) : (i64, i64) =
  let cost x =
    100 / x
    - 100 % x
    + x * x
    + 50 / (x + 1)
    - 7 * x / (x + 2)
    + 9 / (x + 3)
    - 8 / (x + 5)
    + 3 % (x + 7)
  in map2 (\x i -> (cost x, i)) xs (iota n)
     |> reduce (\(a, i) (b, j) -> if b > a then (b, j) else (a, i)) (0, -1)
