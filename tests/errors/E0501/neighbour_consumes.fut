-- What was evaluated before is used when all its neighbours are.
def second (s: i64) (xs: []i64) : i64 = xs[0] + s

entry in_a_tuple (n: i64) : ([n]i64, i64) = let xs = iota n in (xs, i64.sum (xs with [0] = 5))

entry in_an_array (n: i64) : [2][n]i64 = let xs = iota n in [xs, map (+ 1) (xs with [0] = 5)]

entry in_an_operator (n: i64) : bool = let xs = iota n in xs == (xs with [0] = 5)

entry in_arguments (n: i64) : i64 = let xs = iota n in second (i64.sum (xs with [0] = 5)) xs
