-- ==
-- input { 1 2 } output { 1 }

entry main (x: i32) (y: i32) : i32 = x
