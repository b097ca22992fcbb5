-- Data, control and objects that are written as functions: each element of a map makes its own, and on a device its thread does.
-- ==
-- entry: numerals powers lists fixed_point state lazy coroutines monad parsers objects pipelines composed environments exchanged
-- input { 3i64 } auto output
-- compiled input { 40i64 } auto output

-- ==
-- entry: numerals
-- input { 5i64 } output { [3i64, 5i64, 9i64, 15i64, 23i64] }

-- ==
-- entry: powers
-- input { 4i64 } output { [1i64, 3i64, 8i64, 17i64] }

-- ==
-- entry: lists
-- input { 5i64 } output { [0i64, 0i64, 1i64, 3i64, 6i64] }

-- ==
-- entry: fixed_point
-- input { 9i64 } output { [0i64, 1i64, 1i64, 2i64, 3i64, 5i64, 8i64, 13i64, 21i64] }

-- ==
-- entry: lazy
-- input { 6i64 } output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64] }

-- ==
-- entry: parsers
-- input { 4i64 } output { [8i64, 797i64, -1i64, 1768i64] }

-- | Church's numbers: how often a function is applied.
type^ numeral = (i64 -> i64) -> i64 -> i64

def successor (n: numeral) : numeral = \f x -> f (n f x)

def sum (a: numeral) (b: numeral) : numeral = \f x -> a f (b f x)

def product (a: numeral) (b: numeral) : numeral = \f -> a (b f)

def numeral (n: i64) : numeral =
  let zero: numeral = \_ x -> x
  in loop c = zero for _i < n do successor c

entry numerals (n: i64) : [n]i64 =
  map (\i ->
    sum (product (numeral i) (numeral (i + 1)))
        (numeral 3)
        (\x -> x + 1)
        0) (iota n)

-- | A power is a number applied to a number, so what is repeated repeats.
def repeated 'a (n: i64) (f: a -> a) : a -> a =
  loop g = \(x: a) -> x for _i < n do \x -> f (g x)

entry powers (n: i64) : [n]i64 =
  let power (a: i64) (b: i64) = repeated b (repeated a) (\x -> x + 1) 0
  in map (\i -> power 2 (i % 4) + power (i % 4) 2) (iota n)

-- | Scott's lists: what to do with the first element and the rest, or without.
type^ rec list = #list ((i64 -> list -> i64) -> (() -> i64) -> i64)

def cons (x: i64) (rest: list) : list = #list (\some _ -> some x rest)

def total (l: list) : i64 =
  match l
  case #list f -> f (\x rest -> x + total rest) (\() -> 0)

entry lists (n: i64) : [n]i64 =
  map (\i ->
    let empty: list = #list (\_ none -> none ())
    in total (loop l = empty for j < i do cons j l)) (iota n)

-- | Recursion by a function that gets itself.
type^ rec self = #self (self -> i64 -> i64)

def apply (f: self) : i64 -> i64 =
  match f
  case #self g -> g f

def fix (f: (i64 -> i64) -> i64 -> i64) : i64 -> i64 =
  apply (#self (\self n -> f (\m -> apply self m) n))

entry fixed_point (n: i64) : [n]i64 =
  map (\i ->
    fix (\fib n -> if n < 2 then n else fib (n - 1) + fib (n - 2))
        (i % 10)) (iota n)

-- | Functions of a state, one after the other.
type^ action 'a = i64 -> (i64, a)

def yield 'a (x: a) : action a = \s -> (s, x)

def before 'a 'b (m: action a) (k: a -> action b) : action b =
  \s -> let (s, x) = m s in k x s

def count (n: i64) : action i64 =
  if n == 0
  then yield 0
  else let tick: action i64 = \s -> (s + 1, s)
       in count (n - 1) `before` (\a -> tick `before` (\t -> yield (a + t)))

entry state (n: i64) : [n]i64 =
  map (\i -> let (s, x) = count i 5 in s * 1000 + x) (iota n)

-- | Infinite lists, of which a sieve takes the primes.
type^ rec lazy = #next i64 (() -> lazy)

def from (n: i64) : lazy = #next n (\() -> from (n + 1))

def without (p: i64) (s: lazy) : lazy =
  match s
  case #next x rest ->
    if x % p == 0
    then without p (rest ())
    else #next x (\() -> without p (rest ()))

def sieve (s: lazy) : lazy =
  match s
  case #next p rest -> #next p (\() -> sieve (without p (rest ())))

def at (n: i64) (s: lazy) : i64 =
  match s
  case #next x rest -> if n == 0 then x else at (n - 1) (rest ())

entry lazy (n: i64) : [n]i64 = map (\i -> at (i % 12) (sieve (from 2))) (iota n)

-- | Two that take turns with who runs them.
type^ rec routine = #yield i64 (i64 -> routine) | #stop i64

def counter (n: i64) (sum: i64) : routine =
  if n == 0
  then #stop sum
  else #yield sum (\x ->
                     if x > 10 then #stop x else counter (n - 1) (sum + x))

def both (a: routine) (b: routine) : routine =
  match (a, b)
  case (#yield x f, #yield y g) ->
    #yield (x * y) (\z -> both (f z) (g (z + 1)))
  case (#stop x, _) -> #stop x
  case (_, #stop y) -> #stop y

def drive (r: routine) (i: i64) : i64 =
  match r
  case #stop x -> x
  case #yield x next -> drive (next ((x + i) % 12)) (i + 1)

entry coroutines (n: i64) : [n]i64 =
  map (\i -> drive (both (counter i 1) (counter (i / 2) 3)) i) (iota n)

-- | A program as a tree of commands, each with what follows its answer.
type^ rec program = #pure i64 | #get (i64 -> program) | #put i64 (() -> program)

def followed (m: program) (k: i64 -> program) : program =
  match m
  case #pure x -> k x
  case #get f -> #get (\s -> followed (f s) k)
  case #put s f -> #put s (\() -> followed (f ()) k)

def commands (n: i64) : program =
  if n == 0
  then #pure 0
  else followed (#get (\s -> #put (s + n) (\() -> #pure s))) (\x ->
                                                                followed (commands (n - 1)) (\y ->
                                                                  #pure (x
                                                                         + y)))

def run (m: program) (s: i64) : i64 =
  match m
  case #pure x -> x * 100 + s
  case #get f -> run (f s) s
  case #put s f -> run (f ()) s

entry monad (n: i64) : [n]i64 = map (\i -> run (commands (i % 20)) 1) (iota n)

-- | Parsers are functions of a place in a row, and combinations of parsers are parsers.
type parsed = #ok i64 i64 | #none

type^ parser = i64 -> parsed

def symbol (row: [8]i64) (p: i64 -> bool) : parser =
  \at -> if at < 8 && p row[at] then #ok row[at] (at + 1) else #none

def or_else (a: parser) (b: parser) : parser =
  \at ->
    match a at
    case #ok x rest -> #ok x rest
    case #none -> b at

def and_then (a: parser) (f: i64 -> parser) : parser =
  \at ->
    match a at
    case #ok x rest -> f x rest
    case #none -> #none

def result (x: i64) : parser = \at -> #ok x at

def digits (row: [8]i64) (before: i64) : parser =
  symbol row (< 10)
  `and_then` (\x ->
                let value = 10 * before + x
                in digits row value `or_else` result value)

def sums (row: [8]i64) : parser =
  digits row 0
  `and_then` (\x ->
                (symbol row (== 10)
                 `and_then` (\_ ->
                               sums row `and_then` (\y -> result (x + y))))
                `or_else` result x)

entry parsers (n: i64) : [n]i64 =
  map (\i ->
    let row =
      tabulate 8 (\j -> if (i + j) % 3 == 2 then 10 else (i * j) % 10)
    in match sums row 0
       case #ok x rest -> 10 * x + rest
       case #none -> -1) (iota n)

-- | Objects whose methods return objects of another class.
type^ rec object =
  #object {get: () -> i64, add: i64 -> object, same: object -> bool}

def get (o: object) : i64 =
  match o
  case #object methods -> methods.get ()

def plain (x: i64) : object =
  #object { get = \() -> x
          , add = \y -> if y < 0 then doubled (x - y) else plain (x + y)
          , same = \o -> get o == x
          }
with def doubled (x: i64) : object =
  #object { get = \() -> 2 * x
          , add = \y -> plain (x * y)
          , same = \o -> get o == 2 * x
          }

entry objects (n: i64) : [n]i64 =
  map (\i ->
    let last =
      loop o = plain i for j < 6 do
        match o
        case #object methods -> methods.add (if j % 3 == 0 then -j else j)
    in match last
       case #object methods ->
         get last + (if methods.same (plain (get last)) then 1 else 0)) (iota n)

-- | Functions of arrays, whose lengths they change.
type^ rec pipeline = #pipeline ((k: i64) -> [k]i64 -> []i64)

def through [k] (f: pipeline) (xs: [k]i64) : []i64 =
  match f
  case #pipeline g -> g k xs

entry pipelines (n: i64) : [n]i64 =
  map (\i ->
    let f =
      loop f: pipeline = #pipeline (\k (xs: [k]i64) : []i64 -> xs)
      for j < i % 7 do
        if j % 2 == 0
        then #pipeline (\k (xs: [k]i64) : []i64 -> through f (xs ++ [j]))
        else #pipeline (\k (xs: [k]i64) : []i64 -> map (* 2) (through f xs))
    in i64.sum (through f (iota (i % 7)))) (iota n)

-- | Arrays of functions, composed by scans, written by scatters and replaced by loops.
entry composed (n: i64) : [n]i64 =
  let fs =
    map (\i ->
           if i % 2 == 0 then \(x: i64) -> x + i else \x -> i - 2 * x)
        (iota n)
  let composed = scan (\f g -> \x -> g (f x)) (\x -> x) fs
  let written = scatter (copy fs) (map (\i -> 2 * i) (iota n)) composed
  let replaced =
    loop fs = written for i < n do
      let f = fs[i]
      let g = fs[n - 1 - i]
      in fs with [i] = \x -> f (g x % 1009)
  in map2 (\f i -> f i) replaced (iota n)

-- | A table as a function, which is changed by asking another question.
entry environments (n: i64) : [n]i64 =
  map (\i ->
    let table =
      loop table = \(_: i64) -> 0 for j < 15 do
        let old = table ((j + i) % 4)
        let new = \k -> if k == j % 4 then old + j else table k
        in if j == 7 then \k -> new (3 - k) else new
    in table 0 + 10 * table 1 + 100 * table 2) (iota n)

-- | Functions that a loop exchanges, in a record, and that capture each other.
entry exchanged (n: i64) : [n]i64 =
  map (\i ->
    let last =
      loop r =
             { f = \(x: i64) -> x + 1
             , g = \(x: i64) -> x * 2
             , h = \(k: i64 -> i64) -> k 1
             }
      for j < i % 7 do
        { f = r.g
        , g = \x -> r.f (r.h (\y -> y + x)) % 1000
        , h = \k -> r.h (\z -> k (r.f z + j) % 1000)
        }
    in last.f i + last.g i + last.h last.g) (iota n)
