-- ALIAS-APPLY-NONUNIQUE: the result may be the argument.
def same 't (x: t) : t = x

def main (xs: []i32) : []i32 =
  let ys = same xs
  in ys with [0] = 1
