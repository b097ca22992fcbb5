-- In the next iteration bs would be consumed.
def main (n: i64) : i64 =
  let bs = iota n
  let as =
    loop as = iota n for i < n do
      let as[i] = 0
      in if as[0] == 0 then as else bs
  in as[0] + bs[0]
