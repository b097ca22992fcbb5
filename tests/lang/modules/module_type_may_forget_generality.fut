-- ==
-- input { 3 } output { 3 }

module m : {val id : i32 -> i32} = {
  def id 'a (x: a) = x
}

def main (x: i32) : i32 = m.id x
