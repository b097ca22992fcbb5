-- What was shown before a failure stays, but of the operator that fails only the interpreter shows something.
entry main : i32 =
  let xs = #[trace(before)] [3, 0, 2]
  let ys = map (\x -> #[trace(quotient)] (6 / x)) xs
  in #[trace(never)] i32.sum ys
