-- | Combining functions, and applying them repeatedly.
--
-- The type parameters are fully lifted where nothing has to be stored, so these work on functions
-- of functions too.

-- | Apply the function on the right to the value on the left: `x |> f |> g` is `g (f x)`.
def (|>) '^a '^b (x: a) (f: a -> b) : b = f x

-- | Apply the function on the left to the value on the right.
--
-- A size that only the right operand brings into being is not yet known when the left operand is
-- checked, so `length <| filter p xs` is rejected where `filter p xs |> length` is not.
def (<|) '^a '^b (f: a -> b) (x: a) : b = f x

-- | Compose from left to right: `(f >-> g) x` is `g (f x)`.
--
-- The result of `f` may not have a size that is unknown before the call; a pipe with `|>`@term does
-- not have this limit.
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)

-- | Compose from right to left: `(g <-< f) x` is `g (f x)`, with the limit of `>->`@term.
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a) : c = g (f x)

-- | The same function, taking its two arguments in the other order.
def flip '^a '^b '^c (f: a -> b -> c) (b: b) (a: a) : c = f a b

-- | Make a function of a pair into one of two arguments.
def curry '^a '^b '^c (f: (a, b) -> c) (a: a) (b: b) : c = f (a, b)

-- | Make a function of two arguments into one of a pair.
def uncurry '^a '^b '^c (f: a -> b -> c) (a: a, b: b) : c = f a b

-- | Ignore the second argument.
def const '^a '^b (x: a) (_: b) : a = x

-- | Return the argument.
def id '^a (x: a) : a = x

-- | Apply `f` exactly `n` times, each time to the result of the time before. A negative `n` counts
-- as zero.
def iterate 'a (n: i32) (f: a -> a) (x: a) : a =
  loop y = x for _i < n do f y

-- | Apply `f` until `p` holds, testing before each application. Need not terminate.
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a) : a =
  loop y = x while !(p y) do f y

-- | Apply `f` as long as `p` holds, testing before each application. Need not terminate.
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a) : a =
  loop y = x while p y do f y
