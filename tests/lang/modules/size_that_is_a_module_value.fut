-- ==
-- input { [1, 2, 3] } output { 6 }

module config = {
  def width = 3i64
}

def total (xs: [config.width]i32) : i32 = i32.sum xs

def main (xs: []i32) : i32 = total (xs :> [config.width]i32)
