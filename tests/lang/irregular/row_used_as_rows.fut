-- Inside the function a row has one size, so it can be the row of a regular array.
-- ==
-- input { [2i64, 3i64] } output { [1i64, 9i64] }

def square [k] (xs: [k]i64) : [k][k]i64 = map (\x -> map (* x) xs) xs

def squares [n] (xss: [n][?]i64) : [n][?][?]i64 = map square xss

def turned [n] (xsss: [n][?][3]f32) : [n][3][?]f32 = map transpose xsss

entry main [n] (is: [n]i64) : [n]i64 =
  map (\row ->
    i64.sum (flatten (transpose (map (\x -> map (* x) row) row)))) (map iota is)
