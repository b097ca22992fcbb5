-- ==
-- input { 5 } output { 16 }

module outer = {
  module inner = {
    def triple (x: i32) = 3 * x
  }

  def plus_one (x: i32) = inner.triple x + 1
}

def main (x: i32) : i32 = outer.plus_one x + 0 * outer.inner.triple x
