def f (x: i64): i64 =
  let y = x + 1
  let z = y * 2
  z + 1

def g (xs: []i64) =
  map (\x ->
         let y = x * 2
         y + 1)
      xs
