module counter : {
  type t
  val start : t
  val next : t -> t
  val value : t -> i64
} = {
  type t = i64
  def start : t = 0
  def next (x: t) : t = x + 1
  def value (x: t) : i64 = x
}

-- ==
-- entry: three
-- input { } output { 3i64 }
entry three : i64 = counter.(value (next (next (next start))))
