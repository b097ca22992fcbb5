-- ==
-- input { [1, 2, 3] } output { 3i64 6 }

type sized [n] 'a = {size: i64, items: [n]a}

def make [n] 'a (xs: [n]a) : sized [n] a = {size = n, items = xs}

def main (xs: []i32) : (i64, i32) =
  let s = make xs
  in (s.size, i32.sum s.items)
