def f (b: bool) =
  let y = if b then (let x = 1i32 in x) else 2
  in y + x
