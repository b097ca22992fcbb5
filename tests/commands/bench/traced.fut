-- ==
-- input { 1 } output { 2 }

entry main (x: i32) : i32 = trace (x + 1)
