-- # Many long loops
--
-- A `map` over a wide array with a function that runs for a long time: all elements are independent, so
-- any number of processors can share the work. Svensson, Vollmer, Holk, McDonell and Newton,
-- *Converting Data-Parallelism to Task-Parallelism by Rewrites* (FHPC 2015, section 6.1), use it to see
-- whether their runtime keeps two GPUs busy. The array has two million elements, and the time is
-- measured for a growing number of iterations. It should grow in proportion.
--
-- Here the loop is that of a linear congruential generator. Each iteration needs the one before, so
-- nothing but the `map` is parallel.

def multiplier : u32 = 1664525

def increment : u32 = 1013904223

def iterate (iterations: i64) (start: u32) : u32 =
  loop x = start for _i < iterations do multiplier * x + increment

-- ==
-- entry: megapar
-- nobench input { 0i64 [5u32] } output { [5u32] }
-- nobench input { 1i64 [0u32, 1u32, 2u32] } output { [1013904223u32, 1015568748u32, 1017233273u32] }
-- nobench input { 3i64 empty([0]u32) } output { empty([0]u32) }
-- "100 iterations" notest script input { input 100i64 2000000i64 }
-- "1000 iterations" notest script input { input 1000i64 2000000i64 }
-- "10000 iterations" notest script input { input 10000i64 2000000i64 }
entry megapar [n] (iterations: i64) (starts: [n]u32) : [n]u32 =
  map (iterate iterations) starts

entry input (iterations: i64) (n: i64) : (i64, [n]u32) =
  (iterations, map u32.i64 (iota n))

-- > megapar 1i64 [0u32, 1u32, 2u32]

-- ## A short cut
--
-- An iteration is an affine function, and so is any number of them. Composition is associative, so
-- repeated squaring gives the function for all iterations in a logarithmic number of steps. A test
-- compares it with the loops.

type affine = {factor: u32, term: u32}

def after (f: affine) (g: affine) : affine =
  {factor = f.factor * g.factor, term = f.factor * g.term + f.term}

def power (f: affine) (exponent: i64) : affine =
  let (result, _, _) =
    loop (result, square, rest) = ({factor = 1, term = 0}, f, exponent)
    while rest > 0 do
      ( if rest % 2 == 1 then square `after` result else result
      , square `after` square
      , rest / 2
      )
  in result

-- ==
-- entry: agrees
-- nobench script input { input 1000i64 10i64 } output { true }
-- nobench script input { input 77i64 100i64 } output { true }
entry agrees [n] (iterations: i64) (starts: [n]u32) : bool =
  let all = power {factor = multiplier, term = increment} iterations
  let at_once x = all.factor * x + all.term
  in and (map2 (==) (megapar iterations starts) (map at_once starts))

-- > agrees (input 1000i64 2000000i64)
