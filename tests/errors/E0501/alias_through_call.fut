-- ALIAS-APPLY-NONUNIQUE: a result that is not unique may be an argument.
def pick (xs: []i32) (_ys: []i32) : []i32 = xs

def main (xs: *[]i32) (ys: *[]i32) : i32 =
  let zs = pick xs ys
  let zs[0] = 1
  in ys[0] + zs[0]
