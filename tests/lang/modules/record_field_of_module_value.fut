-- ==
-- input { 1 } output { 43 }

module settings = {
  def limits = {low = 1i32, high = 42i32}
}

def main (x: i32) : i32 = x + settings.limits.high
