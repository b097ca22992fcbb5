import "shapes"

module s = import "shapes"

-- ==
-- entry: two
-- input { } output { 2f32 }
entry two : f32 = area 1 + s.area 1
