-- Numbers that are computed in front of an inner map, and conditions there, leave one kernel over all elements.

-- ==
-- tune @ apart.tune
-- entry: many many_inside many_by_function
-- input { [1f32, 2f32, 3f32] [1f32, 0f32, -1f32, 0.5f32] }
-- output { [[-4.0f32, 0.0f32, -4.0f32, -1.0f32], [-208.0f32, 4.0f32, 176.0f32, -61.0f32], [-2960.0f32, -4.0f32, 2800.0f32, -923.0f32]] } structure run { launches 1 waits 1 sent 0 received 0 }
entry many [r] [n] (ps: [r]f32) (xs: [n]f32) : [r][n]f32 =
  map (\p ->
    let (a, b, c, d) = (p + 1, p * p, p - 2, 3 - p)
    let (a, b, c, d) = (a * b, b + c, c * d, d - a)
    let (a, b, c, d) = (a - c, b * d, c + a, d * b)
    let (a, b, c, d) = (a * d, b - a, c * b, d + c)
    in map (\x -> ((a * x + b) * x + c) * x + d) xs) ps

entry many_inside [r] [n] (ps: [r]f32) (xs: [n]f32) : [r][n]f32 =
  tabulate_2d r n (\i j ->
    let (p, x) = (ps[i], xs[j])
    let (a, b, c, d) = (p + 1, p * p, p - 2, 3 - p)
    let (a, b, c, d) = (a * b, b + c, c * d, d - a)
    let (a, b, c, d) = (a - c, b * d, c + a, d * b)
    let (a, b, c, d) = (a * d, b - a, c * b, d + c)
    in ((a * x + b) * x + c) * x + d)

def coefficients (p: f32) : (f32, f32, f32, f32) =
  let (a, b, c, d) = (p + 1, p * p, p - 2, 3 - p)
  let (a, b, c, d) = (a * b, b + c, c * d, d - a)
  let (a, b, c, d) = (a - c, b * d, c + a, d * b)
  in (a * d, b - a, c * b, d + c)

entry many_by_function [r] [n] (ps: [r]f32) (xs: [n]f32) : [r][n]f32 =
  map (\p ->
    let (a, b, c, d) = coefficients p
    in map (\x -> ((a * x + b) * x + c) * x + d) xs) ps

-- ==
-- entry: clamped clamped_inside clamped_by_bounds clamped_by_rows
-- input { 2i64 [[4f32, 8f32, 1f32], [12f32, 0f32, 2f32], [3f32, 5f32, 9f32]] }
-- output { [[6.4375f32, 5.5625f32, 3.5f32], [6.6875f32, 5.5625f32, 4.625f32], [5.875f32, 4.5f32, 4.6875f32]] } structure run { launches 2 waits 1 sent 0 received 0 }
entry clamped [n] [m] (steps: i64) (xss: [n][m]f32) : [n][m]f32 =
  loop xss for _t < steps do
    tabulate n (\i ->
      let (up, down) =
        (if i == 0 then 0 else i - 1, if i == n - 1 then n - 1 else i + 1)
      in tabulate m (\j ->
        let left = if j == 0 then 0 else j - 1
        in (xss[up, j] + xss[down, j] + xss[i, left] + xss[i, j]) / 4))

entry clamped_inside [n] [m] (steps: i64) (xss: [n][m]f32) : [n][m]f32 =
  loop xss for _t < steps do
    tabulate_2d n m (\i j ->
      let up = if i > 0 then i - 1 else 0
      let down = if i < n - 1 then i + 1 else i
      let left = if j > 0 then j - 1 else 0
      in (xss[up, j] + xss[down, j] + xss[i, left] + xss[i, j]) / 4)

entry clamped_by_bounds [n] [m] (steps: i64) (xss: [n][m]f32) : [n][m]f32 =
  loop xss for _t < steps do
    map2 (\i row ->
      let (up, down) = (i64.max 0 (i - 1), i64.min (n - 1) (i + 1))
      in map2 (\j x ->
                 (xss[up, j] + xss[down, j] + row[i64.max 0 (j - 1)] + x) / 4)
              (iota m)
              row) (iota n) xss

entry clamped_by_rows [n] [m] (steps: i64) (xss: [n][m]f32) : [n][m]f32 =
  loop xss for _t < steps do
    tabulate n (\i ->
      let up = if i == 0 then xss[0] else xss[i - 1]
      let down = if i == n - 1 then xss[n - 1] else xss[i + 1]
      in tabulate m (\j ->
        (up[j] + down[j] + xss[i, i64.max 0 (j - 1)] + xss[i, j]) / 4))

-- ==
-- entry: cube cube_by_condition
-- input { 2i64 3i64 [[0f32, 6f32, 0f32], [6f32, 9f32, 6f32], [0f32, 6f32, 0f32]] }
-- output { [[0.0f32, 6.0f32, 0.0f32], [6.0f32, 7.0f32, 6.0f32], [0.0f32, 6.0f32, 0.0f32]] } structure run { launches 3 waits 1 sent 0 received 0 }
entry cube [n] [m] (steps: i64) (depth: i64) (plane: [n][m]f32) : [n][m]f32 =
  let inner i k = i > 0 && i < k - 1
  let last =
    loop c = replicate depth plane for _t < steps do
      tabulate_3d depth n m (\i j k ->
        if !(inner i depth && inner j n && inner k m)
        then c[i, j, k]
        else (c[i - 1, j, k]
              + c[i + 1, j, k]
              + c[i, j - 1, k]
              + c[i, j + 1, k]
              + c[i, j, k - 1]
              + c[i, j, k + 1])
             / 6)
  in last[depth / 2]

entry cube_by_condition
    [n] [m]
    (steps: i64)
    (depth: i64)
    (plane: [n][m]f32) : [n][m]f32 =
  let last =
    loop c = tabulate_3d depth n m (\_ j k -> plane[j, k]) for _t < steps do
      map (\i ->
        map (\j ->
          map (\k ->
            if i == 0
               || i == depth - 1
               || j == 0
               || j == n - 1
               || k == 0
               || k == m - 1
            then c[i, j, k]
            else (c[i - 1, j, k]
                  + c[i + 1, j, k]
                  + c[i, j - 1, k]
                  + c[i, j + 1, k]
                  + c[i, j, k - 1]
                  + c[i, j, k + 1])
                 / 6) (iota m)) (iota n)) (iota depth)
  in last[depth / 2]
