-- Functions as values: lambdas, sections, partial application, local functions, arrays of them.
def sections = ((+ 1i32), (2f32 /), (.[0, 1:3]) : [2][4]bool -> []bool, (.0) : (i32, i8) -> i32)

def compose 'a 'b 'c (f: a -> b) (g: b -> c) = \x -> g (f x)

def partial = map2 (i32.+)

def table : [3](i32 -> i32) = [\x -> x + 1, (* 2), i32.abs]

def choose (i: i64) (x: i32) = table[i] x

def local_function (xs: []i32) =
  let add x y = x + y
  let same 'a (x: a) = x
  let f [n] (ys: [n]i32) : [n]i32 = map (add 1) ys
  in (same true, f (same xs))

def made [n] (xs: [n]i32) = map (\x y -> x + y) xs
