-- The parameter promises a fresh array, the function does not.
def set (f: () -> *[2]i32) : *[2]i32 = f () with [0] = 1

def main (xs: [2]i32) : *[2]i32 =
  let f () : [2]i32 = xs
  in set f
