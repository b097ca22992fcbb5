type t = #a i32 | #b

def main (x: t) : i32 =
  let (#a y) = x
  in y
