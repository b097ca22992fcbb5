-- A program with a hole runs until it comes to the hole.
-- ==
-- input { 1 } output { 2 }
-- input { 0 } error: A hole was reached

entry main (x: i32) : i32 = if x > 0 then x + 1 else ???
