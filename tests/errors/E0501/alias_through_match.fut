def main (k: i32) (xs: *[]i32) (ys: *[]i32) : i32 =
  let zs =
    match k
    case 0 -> xs
    case _ -> ys
  let zs[0] = 1
  in ys[0] + zs[0]
