def count (n: i64) =
  loop acc = 0i32 for i < n do i
