-- | Derivatives of functions, computed by transforming the program.
--
-- Regard a function `f` as taking *n* numbers to *m* numbers: those found in its argument and its
-- result, whatever records and arrays they are packed in. Its derivative at a point is the
-- Jacobian, a matrix of *m* rows and *n* columns that says how much each output changes with each
-- input. Nothing here builds that matrix. What one can have is its product with a vector, from
-- either side:
--
-- * *Forward* (`jvp`@term): given a direction in which the input moves, how does the output move?
--   With a direction that is 1 in one place and 0 elsewhere this is a column of the Jacobian. It
--   costs a small constant factor over `f`, in time and in memory.
--
-- * *Reverse* (`vjp`@term): given how much each output matters, how much does each input matter?
--   With weights that are 1 in one place and 0 elsewhere this is a row of the Jacobian. It too
--   costs a constant factor in time, but what `f` computes on the way has to be kept until the way
--   back, so that memory grows with the number of steps of sequential loops.
--
-- So a function of few inputs is differentiated forwards, and one of few outputs, such as a cost to
-- be minimised, in reverse. The operators nest, which gives higher derivatives; take care that at
-- most one of them is a reverse one.
--
-- Floating-point operations carry derivatives. Integers, and the choices made by `if` and `match`, are
-- taken as constants, and where a function has no derivative the result is that of a neighbour. Only if the
-- argument has no floats at all do integers carry derivatives, those of the ring operations.
--
-- The names ending in `2` return the value of `f` as well. The ones with an `m` in place of the `v`
-- take many vectors at once, and mean the same as mapping over them. What does not depend on the
-- vector is computed once where the compiler can see it.

-- | The value of `f` at `x`, and how it changes as `x` moves along `x'`.
def jvp2 'a 'b (f: a -> b) (x: a) (x': a) : (b, b) =
  intrinsics.jvp2 f x x'

-- | The value of `f` at `x`, and how sensitive the output, weighted by `y'`, is to each part of
-- `x`.
def vjp2 'a 'b (f: a -> b) (x: a) (y': b) : (b, a) =
  intrinsics.vjp2 f x y'

-- | As `jvp2`@term, for `n` directions.
def jmp2 [n] 'a 'b (f: a -> b) (x: a) (x': [n]a) : (b, [n]b) =
  intrinsics.jmp2 f x x'

-- | As `vjp2`@term, for `n` weightings of the output.
def mjp2 [n] 'a 'b (f: a -> b) (x: a) (y': [n]b) : (b, [n]a) =
  intrinsics.mjp2 f x y'

-- | Jacobian times vector: how `f` changes at `x` as `x` moves along `x'`.
def jvp 'a 'b (f: a -> b) (x: a) (x': a) : b =
  let (_, change) = jvp2 f x x'
  in change

-- | Vector times Jacobian: how sensitive `f` at `x`, weighted by `y'`, is to each part of `x`.
def vjp 'a 'b (f: a -> b) (x: a) (y': b) : a =
  let (_, sensitivity) = vjp2 f x y'
  in sensitivity

-- | Jacobian times matrix: `jvp`@term for `n` directions.
def jmp [n] 'a 'b (f: a -> b) (x: a) (x': [n]a) : [n]b =
  let (_, changes) = jmp2 f x x'
  in changes

-- | Matrix times Jacobian: `vjp`@term for `n` weightings of the output.
def mjp [n] 'a 'b (f: a -> b) (x: a) (y': [n]b) : [n]a =
  let (_, sensitivities) = mjp2 f x y'
  in sensitivities

-- | The value of `f` at `x`, with `f'` in place of its derivative in reverse mode.
-- `f'` receives the value that `f` returned and then
-- the weights of that value, and returns the sensitivity to `x`.
--
-- A variable that `f` takes from its surroundings is regarded as constant, so whatever is to have a
-- derivative must be part of `x`. What `f'` needs besides the value proper can be returned by `f`
-- along with it.
def with_vjp 'a 'b (f: a -> b) (f': (res: b) -> (b_adj: b) -> a) (x: a) : b =
  intrinsics.with_vjp f f' x

-- | As `with_vjp`@term, where `f` returns what `f'` needs (of type `c`) apart from its value (of
-- type `b`). In reverse, `f'` receives the former with the weights of the latter.
def with_vjp_tape 'a 'b 'c (f: a -> (c, b)) (f': (c, b) -> a) (x: a) : b =
  let (_, value) = with_vjp f (\(tape, _) (_, weights) -> f' (tape, weights)) x
  in value
