-- ==
-- input { 5 } output { [5, 5, 5, 5] }

module vectors (s: {val n : i64}) = {
  type vector = [s.n]i32

  def fill (x: i32) : vector = replicate s.n x
}

module four = vectors {
  def n = 4i64
}

def main (x: i32) : []i32 = four.fill x
