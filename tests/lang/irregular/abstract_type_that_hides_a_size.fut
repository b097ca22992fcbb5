-- ==
-- input { [3i64, 1i64] } output { [3i64, 0i64] }

module type row = {
  type~ t
  val up_to : i64 -> t
  val sum : t -> i64
}

module row : row = {
  type~ t = []i64
  def up_to (n: i64) : t = iota n
  def sum (xs: t) : i64 = i64.sum xs
}

entry main [n] (is: [n]i64) : [n]i64 =
  let rows: [n]row.t = map row.up_to is
  in map row.sum rows
