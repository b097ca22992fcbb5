-- Irregular arrays, and recursive types.

type rec list = #nil | #cons i32 list

entry triangle (n: i64) : [n][?]i64 = map (\i -> iota i) (iota n)

entry lengths [n] (xss: [n][?]i64) : [n]i64 = map length xss

entry numbers (n: i32) : list = if n == 0 then #nil else #cons n (numbers (n - 1))

entry sum (xs: list) : i32 = match xs case #nil -> 0 case #cons x rest -> x + sum rest

entry push (xs: list) (x: i32) : list = #cons x xs

entry with_rest (xs: list) : (i32, list) = (sum xs, push xs 1)
