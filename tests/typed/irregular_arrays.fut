-- Rows of an irregular array have a size each.
def ragged : [2][?]i32 = [[1], [2, 3]]

def row_sizes [n] (xss: [n][?]i32) : [n]i64 = map (\xs -> length xs) xss

def kept [n] (xss: [n][]i32) = map (filter (> 0)) xss

def first_row [n] (xss: [n][?]i32) =
  let row = xss[0]
  in map (+ 1) row

def sums [n] (xss: [n][?]f32) : f32 =
  loop acc = 0 for xs in xss do acc + f32.sum xs
