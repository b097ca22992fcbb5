-- A program that is not accepted.
-- ==
-- input { 1 } output { 1 }

entry main (x: i32) : i32 = y
