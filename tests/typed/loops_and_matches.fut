-- Loops with sizes that change, in each form; matches; what patterns bind.
type option 'a = #some a | #none

def grow (n: i64) : []i32 =
  loop xs = [1] for _i < n do xs ++ map (+ 1) xs

def total [n] (xs: [n]f64) : f64 =
  (loop (sum, _) = (0, true) for x in xs do (sum + x, false)).0

def halve (n: i32) =
  loop n while n > 1 do n / 2

def get 'a (default: a) (x: option a) : a =
  match x
  case #some y -> y
  case #none -> default

def classify (x: (i32, bool)) : option {value: i32, flag: bool} =
  match x
  case (0, _) -> #none
  case (-1, true) -> #some {value = 1, flag = true}
  case (n, flag) -> #some {flag, value = n}
