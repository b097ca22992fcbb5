-- An index behind a field updates the array in the record.
-- ==
-- input { [1, 2] } output { [9, 2] 5 }

type state = {data: [2]i32, count: i32}

def step (s: *state) : *state = s with data[0] = 9

def main (xs: *[2]i32) : ([2]i32, i32) =
  let s = step {data = xs, count = 5}
  in (s.data, s.count)
