-- Functions that call themselves, once, twice, or as their own arguments, and are called for each element.

-- ==
-- entry: factorials
-- input { 21i64 } output { [1i64, 1i64, 2i64, 6i64, 24i64, 120i64, 720i64, 5040i64, 40320i64, 362880i64, 3628800i64, 39916800i64, 479001600i64, 6227020800i64, 87178291200i64, 1307674368000i64, 20922789888000i64, 355687428096000i64, 6402373705728000i64, 121645100408832000i64, 2432902008176640000i64] }
-- input { 0i64 } output { empty([0]i64) }
def factorial (n: i64) : i64 = if n == 0 then 1 else n * factorial (n - 1)

entry factorials (n: i64) : [n]i64 = tabulate n factorial

-- ==
-- entry: fibonaccis
-- input { 18i64 } output { [0i64, 1i64, 1i64, 2i64, 3i64, 5i64, 8i64, 13i64, 21i64, 34i64, 55i64, 89i64, 144i64, 233i64, 377i64, 610i64, 987i64, 1597i64] }
def fibonacci (n: i64) : i64 =
  if n < 2 then n else fibonacci (n - 1) + fibonacci (n - 2)

entry fibonaccis (n: i64) : [n]i64 = tabulate n fibonacci

-- ==
-- entry: ackermanns
-- input { 4i64 } output { [[1i64, 2i64, 3i64, 4i64], [2i64, 3i64, 4i64, 5i64], [3i64, 5i64, 7i64, 9i64], [5i64, 13i64, 29i64, 61i64]] }
def ackermann (m: i64) (n: i64) : i64 =
  if m == 0
  then n + 1
  else if n == 0
  then ackermann (m - 1) 1
  else ackermann (m - 1) (ackermann m (n - 1))

entry ackermanns (n: i64) : [n][n]i64 = tabulate_2d n n ackermann

-- A greatest common divisor with the factors of Bezout's identity: what is returned is more than one number, and is needed in another order.
-- ==
-- entry: bezout
-- input { [240i32, 46i32, 7i32, 0i32] [46i32, 240i32, 0i32, 5i32] } output { [2i32, 2i32, 7i32, 5i32] [-9i32, 47i32, 1i32, 0i32] [47i32, -9i32, 0i32, 1i32] }
def extended (a: i32) (b: i32) : (i32, i32, i32) =
  if b == 0
  then (a, 1, 0)
  else let (g, s, t) = extended b (a % b)
       in (g, t, s - t * (a / b))

entry bezout [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32, [n]i32) =
  unzip3 (map2 extended xs ys)

-- Of all widths, so that a frame has places of all widths.
-- ==
-- entry: widths
-- input { 9i64 } output { [0.25f64, 110.0f64, 250.75f64, 536.375f64, 1523.5625f64, 6017.90625f64, 28011.953125f64, 71979.2265625f64, 94692.23828125f64] }
def mixed (n: i64) (a: i8) (b: u16) (c: f32) (d: bool) (e: f64) : f64 =
  if n == 0
  then e
  else let below = mixed (n - 1) (a + 3) (b * 5) (c / 2) (!d) (e + 1)
       in below
          + f64.i8 a
          + f64.u16 b
          + f64.f32 c
          + (if d then e else f64.i64 n)

entry widths (n: i64) : [n]f64 = tabulate n (\i -> mixed i 100 7 1.5 true 0.25)

-- The tower of Hanoi: how often a disk is moved, and where it is then.
-- ==
-- entry: hanoi
-- input { 7i64 } output { [0i64, 1i64, 3i64, 7i64, 15i64, 31i64, 63i64] [0i64, 2i64, 17i64, 1844i64, 9243791i64, 520927731813338i64, -1621380002049323835i64] }
def moves (n: i64) (from: i64) (to: i64) (moved: i64) (sum: i64) : (i64, i64) =
  if n == 0
  then (moved, sum)
  else let over = 3 - from - to
       let (moved, sum) = moves (n - 1) from over moved sum
       in moves (n - 1) over to (moved + 1) (sum * 3 + to)

entry hanoi (n: i64) : ([n]i64, [n]i64) =
  unzip (tabulate n (\i -> moves i 0 2 0 0))
