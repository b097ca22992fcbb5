-- ==
-- input { 5i64 } output { [6i64, 10i64] }

type^ operation = {priority: i64, run: i64 -> i64}

def operations : [2]operation =
  [{priority = 0, run = (+ 1)}, {priority = 1, run = (* 2)}]

entry main (x: i64) : [2]i64 = map (\o -> o.run x) operations
