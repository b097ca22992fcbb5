-- Types that would be exponentially large if they were written out, without values.
-- growth: 16 32 64
type t0 = i64
-- repeat
type t{i} = (t{i-1}, t{i-1})
def f{i} (_: t{i}) : i64 = {i}
-- end
entry main : i64 = 2
