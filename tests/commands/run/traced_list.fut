-- Compiled code does not show values of recursive types.
type rec list = #nil | #cons i32 list

entry main : i32 =
  let list = #[trace] (#cons 9 #nil : list)
  in match list case #nil -> 0 case #cons x _ -> x
