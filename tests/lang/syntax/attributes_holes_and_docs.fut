-- | Documented.
--
-- More.
#[noinline]
def f (x: i32) : i32 = #[unsafe] x + 1

-- ==
-- entry: g
-- input { [1, 2, 3] } output { 9 }
-- input { empty([0]i32) } output { 0 }
entry g (xs: []i32) : i32 = reduce (+) 0 (#[sequential] map f xs)

-- ==
-- entry: h
-- input { 1 } output { 0 }
-- input { 0 } error:
entry h (x: i32) : i32 = assert (x > 0) (x - 1)

-- A hole has any type.
def later (_: i32) : bool = ???

-- ==
-- entry: never
-- input { 1 } output { true }
-- input { 0 } error:
entry never (x: i32) : bool = x > 0 || later x
