-- ==
-- input { 1 } output { 5 }

module a = import "parts/token"
module b = import "parts/token"

def main (x: i32) : i32 = a.value (b.make (x + 4))
