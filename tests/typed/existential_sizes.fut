-- Sizes that come into existence with a value, and arguments whose values are sizes.
def positive (xs: []i32) = filter (> 0) xs

def count (xs: []i32) : i64 = length (positive xs)

def numbers (x: f32) = iota (i64.f32 x)

def rows (n: i64) = map (\i -> map (+ i) (iota n)) (iota n)

def evens [n] (xs: [n]i64) : []i64 =
  let ys = filter (\x -> x % 2 == 0) xs
  let [k] (zs: [k]i64) = map (* 2) ys
  in if k > 10 then zs[:10] else zs

def checked [n] (xs: []i32) (ys: [n]i32) : [n]i32 =
  map2 (+) (xs :> [n]i32) ys

def downwards (n: i32) = (n..>0, 1..2...9i64, 0..<length (n...10))
