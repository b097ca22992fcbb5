-- ==
-- input { [3, 1, 2] } output { [2, 1, 3] 3i64 }

module bag : {
  type bag [n]
  val pack [n] : [n]i32 -> bag [n]
  val unpack [n] : bag [n] -> [n]i32
} = {
  type bag [n] = [n]i32

  def pack [n] (xs: [n]i32) : bag [n] = reverse xs
  def unpack [n] (b: bag [n]) : [n]i32 = b
}

def main [n] (xs: [n]i32) : ([n]i32, i64) =
  let ys: [n]i32 = bag.unpack (bag.pack xs)
  in (ys, n)
