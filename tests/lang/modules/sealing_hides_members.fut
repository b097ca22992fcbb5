-- ==
-- input { 3 } output { 9 }

module m : {val square : i32 -> i32} = {
  def helper (x: i32) (y: i32) = x * y

  def square (x: i32) = helper x x
}

def helper = 0i32

def main (x: i32) : i32 = m.square x + helper
