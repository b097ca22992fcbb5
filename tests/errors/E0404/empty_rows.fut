def f (_: i32) =
  let [n] (xss: [0][n]i32) = []
  in n
