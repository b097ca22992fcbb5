def with_in (x: i32) =
  let a = x + 1 in
  let b = a * 2 in

  let c =
     b - 1
  in


  let d[0] = c
  let r.field.other = d

  let helper 't [n] (xs: [n]t) (i: i64) : t = xs[i]
  let [n] (ys: [n]i32) = filter (> 0) x
  in helper ys n

def on_one_line x = let y = x in y + 1

def too_long_for_one_line x = let first = x + 1 in let second = first * 2 in first + second * first

def body_on_next_line x =
  let y = x
  in
  y + x

def multi_line_body x =
  let y = x in if y > 0
  then y
  else x

def asserted x y =
  assert (x > 0) assert (y > 0)
  let z = x / y
  in z

def assert_on_one_line x y = assert (y != 0) (x / y)

def binding_does_not_fit =
  let total = reduce (+) 0 (map (\x -> x * x) (filter (\x -> x > 0) (iota 1000)))
  in total
