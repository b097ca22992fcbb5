type point = {x: f32, y: f32, at: {time: i64}}

def later (p: point) : point = p with at.time = p.at.time + 1

def make (x: f32) (y: f32) : point = {x, y, at = {time = 0}}

def swap (p: (i32, bool)) : (bool, i32) = (p.1, p.0)

-- ==
-- entry: twice_later
-- input { 1f32 2f32 } output { 1f32 2f32 2i64 }
entry twice_later (x: f32) (y: f32) : (f32, f32, i64) =
  let p = later (later (make x y))
  in (p.x, p.y, p.at.time)

-- ==
-- entry: swapped
-- input { 3 true } output { true 3 }
entry swapped (a: i32) (b: bool) : (bool, i32) = swap (a, b)
