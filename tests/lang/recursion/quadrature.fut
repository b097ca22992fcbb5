-- Adaptive quadrature: an interval is divided as long as two estimates differ, for each element to another depth.

def f (k: f64) (x: f64) : f64 = f64.sin (k * x) / (x + 0.01)

def simpson (fa: f64) (fm: f64) (fb: f64) (width: f64) : f64 =
  (fa + 4 * fm + fb) * width / 6

def refine (k: f64)
           (a: f64)
           (b: f64)
           (fa: f64)
           (fm: f64)
           (fb: f64)
           (whole: f64)
           (error: f64)
           (depth: i32) : (f64, i32) =
  let m = (a + b) / 2
  let (fl, fr) = (f k ((a + m) / 2), f k ((m + b) / 2))
  let (left, right) = (simpson fa fl fm (m - a), simpson fm fr fb (b - m))
  let difference = left + right - whole
  in if depth == 0 || f64.abs difference <= 15 * error
     then (left + right + difference / 15, 1)
     else let (l, i) = refine k a m fa fl fm left (error / 2) (depth - 1)
          let (r, j) = refine k m b fm fr fb right (error / 2) (depth - 1)
          in (l + r, i + j)

def integral (k: f64) (a: f64) (b: f64) (error: f64) : (f64, i32) =
  let (fa, fm, fb) = (f k a, f k ((a + b) / 2), f k b)
  in refine k a b fa fm fb (simpson fa fm fb (b - a)) error 30

-- ==
-- entry: integrals
-- input { 6i64 0.000001f64 } output { [1.7975710658185107f64, 1.3381126612403944f64, 1.546188569976865f64, 1.3582980995429283f64, 1.4452482290053306f64, 1.339861177071233f64] true }
-- input { 0i64 0.000001f64 } output { empty([0]f64) true }
entry integrals (n: i64) (error: f64) : ([n]f64, bool) =
  let (values, pieces) =
    unzip (tabulate n (\i -> integral (f64.i64 (i + 1)) 0 3 error))
  in (values, all (\k -> k > 5 && k < 1000) pieces)
