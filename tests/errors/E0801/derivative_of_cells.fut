type rec list = #nil | #cons f64 list

def squares (n: i64) (x: f64) : list =
  if n == 0 then #nil else #cons (x ** f64.i64 n) (squares (n - 1) x)

def sum (xs: list) : f64 =
  match xs
  case #nil -> 0
  case #cons x rest -> x + sum rest

entry main (x: f64) : f64 = jvp (\y -> sum (squares 3 y)) x 1
