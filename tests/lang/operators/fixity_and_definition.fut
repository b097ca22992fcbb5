def (a: i32) +. (b: i32) : i32 = a + b

def (a: i32) *. (b: i32) : i32 = a * b

-- ==
-- entry: seven
-- input { } output { 7 }
entry seven : i32 = 1 +. 2 *. 3

def minus (a: i32) (b: i32) : i32 = a - b

-- ==
-- entry: two
-- input { } output { 2 }
entry two : i32 = 5 `minus` 2 `minus` 1

def (<->) (a: bool) (b: bool) : bool = a == b

-- ==
-- entry: same
-- input { true true } output { true }
-- input { true false } output { false }
-- input { false true } output { false }
-- input { false false } output { true }
entry same (a: bool) (b: bool) : bool = a <-> b
