-- ==
-- entry: make
-- input { 3 } output { 3 true }

type state = {count: i32, done: bool}

entry make (n: i32) : (i32, bool) =
  let s: state = {count = n, done = true}
  in (s.count, s.done)

entry step (s: state) : state = s with count = s.count + 1
