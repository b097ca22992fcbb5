-- ==
-- input { 3 } output { 4 }

module type outer = {
  module inner : {
    type t
    val bump : t -> t
  }
}

module m : (outer with inner.t = i32) = {
  module inner = {
    type t = i32

    def bump (x: i32) = x + 1
  }
}

def main (x: i32) : i32 = m.inner.bump x
