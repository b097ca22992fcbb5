-- Each function gives two functions to the one before: there are as many ways through it as there are subsets.
-- growth: 12 24 48
def f0 (g: i64 -> i64) (x: i64) : i64 = g x
-- repeat
def f{i} (g: i64 -> i64) (x: i64) : i64 = f{i-1} (\y -> g (y + {i})) x + f{i-1} (\y -> g y * {i}) x
-- end
entry main (n: i64) : i64 = f{n} (\x -> x + n) n
