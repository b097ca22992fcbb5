def even (n: i64) : bool = if n == 0 then true else odd (n - 1)
with def odd (n: i64) : bool = if n == 0 then false else even (n - 1)

def zero (n: i64) : i64 = if n == 0 then 0 else one (n - 1)
with def one (n: i64) : i64 = if n == 0 then 1 else two (n - 1)
with def two (n: i64) : i64 = if n == 0 then 2 else zero (n - 1)

entry parities [n] (xs: [n]i64) : [n](bool, i64) =
  map (\x -> (even x, zero x)) xs

-- ==
-- entry: apart
-- input { [0i64, 1i64, 2i64, 3i64, 7i64, 100i64] } output { [true, false, true, false, false, true] [0i64, 1i64, 2i64, 0i64, 1i64, 1i64] }
-- input { empty([0]i64) } output { empty([0]bool) empty([0]i64) }
entry apart [n] (xs: [n]i64) : ([n]bool, [n]i64) = unzip (parities xs)
