-- | Values, functions, operators.
def   one=1
let old_spelling (x:i32)=x
entry main [n] (xs:[n]i32):i32=i32.sum xs
def f [n] 'a (xs: [n]a) (y: i32) : [n]a =
  xs
def g x y=
    x+y
def (+^) (a:i32,b:i32) (c:i32,d:i32)=(a+c,b+d)
def (a:f32) *^ (b:f32):f32=a*b
def a `plus` b=a+b
def wide_parameters [n] [m] 'a (matrix: [n][m]a) (transform: a -> a) (default: a) : [n][m]a = map (map transform) matrix
def this_name_is_longer_than_most [n] (values: [n]f64) (weights: [n]f64) (scale: f64) : [n]f64 = map2 (*) values weights
def broken_by_hand
  (x: i32)
  (y: i32): i32 = x + y
def result_does_not_fit (xs: []i32) (ys: []i32) (zs: []i32) : {positives: []i32, negatives: []i32} = ???


def even (n: i32) : bool = n == 0 || odd (n - 1)
with def odd (n: i32) : bool = n != 0 && even (n - 1)

local def hidden=2
local
def hidden_too=3
open   import "lib"
import   "path/to/file"
