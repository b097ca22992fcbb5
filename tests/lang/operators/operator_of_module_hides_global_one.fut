-- ==
-- input { 3 4 } output { 25 7 }

module squares = {
  def (+) (x: i32) (y: i32) = i32.(x * x + y * y)
}

def main (a: i32) (b: i32) : (i32, i32) = (a squares.+ b, a + b)
