-- ==
-- input { [1i64, 2i64] [1i64, 2i64] } output { true }
-- input { [1i64, 2i64] [2i64, 1i64] } output { false }

entry main [n] (is: [n]i64) (js: [n]i64) : bool = map iota is == map iota js
