-- Values come in the order of the elements, each with its place.
def square (x: i32) = #[trace(square)] (x * x)

entry main : i32 =
  let xs = trace (map square [3, 1, 2])
  let rows = #[trace(rows)] map iota [2, 0, 1]
  let (n, _) =
    loop (i, acc) = (0, {sum = 0}) while i < 2 do
      (i + 1, #[trace(step)] {sum = acc.sum + xs[i]})
  let never = if n > 5 then trace n else n
  let function = #[trace(function)] (\x -> x + never)
  in #[break] (function (i32.i64 (length rows)))
