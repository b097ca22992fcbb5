-- ==
-- input { 1 } output { 3 }

def step = 1i32

module m = {
  def step = 2i32
}

open m

def main (x: i32) : i32 = x + step
