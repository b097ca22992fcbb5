-- | Documented.
--
-- More.
#[noinline]
def f (x: i32) : i32 = #[unsafe] x + 1

def g (xs: []i32) : i32 = reduce (+) 0 (#[sequential] map f xs)

def h (x: i32) : i32 = assert (x > 0) (x - 1)

-- A hole has any type.
def later (_: i32) : bool = ???
