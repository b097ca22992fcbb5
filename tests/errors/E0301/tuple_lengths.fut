def third (p: (i32, i32)): i32 =
  let (_, _, c) = p
  in c
