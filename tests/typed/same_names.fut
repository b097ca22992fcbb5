-- Different variables and types of one name are told apart.
def x = 1i32

def f (x: i64) =
  let y = x
  let x = x + y
  let g = \z -> z + x
  in g 2

def g [n] 't (x: [n]t) = (x, n)

def h [n] 't (x: [n]t) : (t -> t) = \(_: t) -> x[0]

def shadowed = let map = 3i32 in map + x
