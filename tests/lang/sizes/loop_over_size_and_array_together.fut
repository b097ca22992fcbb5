-- ==
-- input { 4i64 } output { 1i64 }

def main (n: i64) : i64 =
  let (_, xs) =
    loop (m, xs: []i64) = (n, iota n) while m > 1 do
      let h = m / 2
      in (h, xs[:h])
  in length xs
