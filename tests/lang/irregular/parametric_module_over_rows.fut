-- ==
-- script input { make [2i64, 0i64, 1i64] [1i64, 2i64, 3i64] }
-- output { [3i64, 0i64, 3i64] }

module type row = {
  type~ t
  val sum : t -> i64
}

module sums (R: row) = {
  def sums [n] (rows: [n]R.t) : [n]i64 = map R.sum rows
}

module sums_of_arrays = sums {type~ t = []i64 def sum (t: t) : i64 = i64.sum t}

def main [n] (xss: [n][?]i64) : [n]i64 = sums_of_arrays.sums xss

module type refined = row with t = []i64

entry make [n] (lens: [n]i64) (xs: []i64) : [n][?]i64 = segment lens xs
