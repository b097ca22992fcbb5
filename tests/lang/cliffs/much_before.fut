-- Numbers of a row for which there is much to compute are stored: the elements of a row are done by all threads, not by one that does the row.

-- ==
-- tune @ apart.tune
-- entry: weighted
-- input { [[1f32, 2f32, 0.5f32, 1f32, 1f32, 3f32, 2f32, 1f32], [1f32, 1f32, 1f32, 1f32, 0f32, 1f32, 1f32, 1f32]] [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] }
-- output { [[62.0f32, 186.0f32, 372.0f32], [104.0f32, 234.0f32, 390.0f32]] } structure run { launches 2 waits 1 sent 0 received 0 }
def numbers (w: [8]f32) : (f32, f32, f32, f32, f32, f32) =
  ( w[0] + w[1] + w[2] + w[3] + w[4] + w[5] + w[6] + w[7]
  , w[0] * w[1] + w[1] * w[2] + w[2] * w[3] + w[3] * w[4] + w[4] * w[5]
  , w[5] * w[6] + w[6] * w[7] + w[7] * w[0] + w[0] * w[2] + w[1] * w[4]
  , w[1] * w[3] + w[2] * w[4] + w[3] * w[5] + w[4] * w[6] + w[2] * w[5]
  , w[0] * w[3] + w[1] * w[5] + w[2] * w[7] + w[3] * w[6] + w[0] * w[5]
  , w[1] * w[6] + w[2] * w[6] + w[4] * w[7] + w[5] * w[7] + w[3] * w[7]
  )

entry weighted [n] [m] (ws: [n][8]f32) (xss: [n][m]f32) : [n][m]f32 =
  map2 (\w xs ->
    let (a, b, c, d, e, f) = numbers w
    in scan (+)
            0
            (map (\x -> a * x + b * x + c * x + d * x + e * x + f * x)
                 xs)) ws xss
