-- Values of exponentially many numbers.
-- growth: 8 16 32
-- refused from 16: E0802
def f0 (x: i64) = (x, x)
-- repeat
def f{i} (x: i64) =
  let y = f{i-1} x
  in (y, y)
-- end
def first (x: i64) =
  let y = f{n} x
  in y.0
entry main (x: i64) = let _y = first x in x
