-- # Closures
--
-- A function is a value: it can be made in one parallel operator, be stored in an array, and be
-- applied in another. The first three programs are those of section 3.3 of Holk, Newton, Siek and
-- Lumsdaine, *Region-based Memory Management for GPU Programming Languages* (OOPSLA 2014). Harlan
-- sends closures from the host to the device and back. In Norn an array of functions is an array of
-- their captured values, with a tag for each that selects its body, so it can go wherever an array
-- can.

-- ## From outside to inside
--
-- A function that is made outside a `map` and applied inside.

-- ==
-- entry: incremented
-- nobench input { 5i64 } output { [1i64, 2i64, 3i64, 4i64, 5i64] }
-- nobench input { 0i64 } output { empty([0]i64) }
entry incremented (n: i64) : [n]i64 =
  let f = \x -> x + 1
  in map f (iota n)

-- > incremented 10i64

-- ## From inside to outside
--
-- Functions that are made inside a `map`, each with an `i` of its own. One of them is taken out of
-- the array and applied.

-- ==
-- entry: multiple
-- nobench input { 10i64 5i64 24i64 } output { 120i64 }
-- nobench input { 1i64 0i64 24i64 } output { 0i64 }
entry multiple (count: i64) (which: i64) (x: i64) : i64 =
  let functions = map (\i -> \n -> n * i) (iota count)
  let f = functions[which]
  in f x

-- > multiple 10i64 5i64 24i64

-- ## Many programs, one datum
--
-- Functions that have nothing but their type in common.

def collatz_steps (start: i64) : i64 =
  let (_, steps) =
    loop (n, steps) = (start, 0)
    while n > 1 do
      (if n % 2 == 0 then n / 2 else 3 * n + 1, steps + 1)
  in steps

-- ==
-- entry: many_programs
-- nobench input { 7i64 } output { [8i64, 14i64, 49i64, 16i64] }
-- nobench input { 0i64 } output { [1i64, 0i64, 0i64, 0i64] }
entry many_programs (x: i64) : []i64 =
  let programs = [(+ 1), (* 2), \y -> y * y, collatz_steps]
  in map (\f -> f x) programs

-- > many_programs 27i64

-- ## Many programs, many data
--
-- The data decides which function is where, in the `map` that makes the functions. Another `map`
-- applies them.

-- | One of three functions, with a number that it keeps.
def operation (kind: u8) (a: i64) : i64 -> i64 =
  match kind
  case 0 -> (+ a)
  case 1 -> (* a)
  case _ -> \x -> if x < a then a - x else x

-- ==
-- entry: apply_each
-- nobench input { [0u8, 1u8, 2u8, 2u8] [10i64, 10i64, 10i64, 10i64] [3i64, 3i64, 3i64, 30i64] }
-- output { [13i64, 30i64, 7i64, 30i64] }
-- nobench input { empty([0]u8) empty([0]i64) empty([0]i64) } output { empty([0]i64) }
-- "100000" notest script input { input 100000i64 }
-- "1000000" notest script input { input 1000000i64 }
-- "10000000" notest script input { input 10000000i64 }
entry apply_each [n] (kinds: [n]u8) (as: [n]i64) (xs: [n]i64) : [n]i64 =
  let functions = map2 operation kinds as
  in map2 (\f x -> f x) functions xs

-- | A pseudorandom number: the `i`-th of the sequence for a seed.
def number (seed: u32) (i: i64) : u32 =
  let x = u32.i64 i * 0x9e3779b1 + seed * 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  in x ^ (x >> 15)

entry input (n: i64) : ([n]u8, [n]i64, [n]i64) =
  ( tabulate n (\i -> u8.u32 (number 1 i % 3))
  , tabulate n (\i -> i64.u32 (number 2 i % 1000))
  , tabulate n (\i -> i64.u32 (number 3 i % 1000))
  )

-- ## Functions out of functions
--
-- Functions can be reduced like numbers: composition is associative, and the identity is its neutral
-- element. The result is one function that has captured all others.

-- ==
-- entry: composed
-- nobench input { [2i64, 3i64] [5i64, 7i64] [0i64, 1i64] } output { [22i64, 28i64] }
-- nobench input { empty([0]i64) empty([0]i64) [3i64] } output { [3i64] }
entry composed [n] [m] (as: [n]i64) (bs: [n]i64) (xs: [m]i64) : [m]i64 =
  let lines = map2 (\a b -> \x -> a * x + b) as bs
  let all_of_them = reduce (\f g -> \x -> g (f x)) (\x -> x) lines
  in map all_of_them xs

-- > composed [2i64, 3i64] [5i64, 7i64] [0i64, 1i64, 2i64]

-- ==
-- entry: composition_agrees
-- nobench script input { input 100i64 } output { true }
entry composition_agrees [n] (_: [n]u8) (as: [n]i64) (bs: [n]i64) : bool =
  let one_by_one (x: i64) = loop x for i < n do as[i] * x + bs[i]
  in and (map2 (==) (composed as bs (iota n)) (map one_by_one (iota n)))
