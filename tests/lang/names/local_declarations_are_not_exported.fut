-- ==
-- input { 3 } output { 10 }

module m = {
  local def hidden = 7i32

  def shown (x: i32) = x + hidden
}

def hidden = 1000i32

def main (x: i32) : i32 = m.shown x + 0 * hidden
