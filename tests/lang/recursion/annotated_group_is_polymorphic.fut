-- Inside the group, too, each call chooses the type.
-- ==
-- input { 3i64 } output { 7i64 }

def through 'a (n: i64) (x: a) : a = if n == 0 then x else back (n - 1) x
with def back 'b (n: i64) (x: b) : b = if through n true then through n x else x

entry main (n: i64) : i64 = through n 7
