-- ==
-- input { 4 } output { 45 }

module outer (a: {val x : i32}) = {
  module inner (b: {val y : i32}) = {
    def z (k: i32) = k + a.x + b.y
  }
}

module half = outer {
  def x = 1i32
}

module whole = half.inner {
  def y = 40i32
}

def main (k: i32) : i32 = whole.z k
