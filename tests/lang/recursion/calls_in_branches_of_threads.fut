-- Calls in several branches, in what decides between them, and in arguments of each other.

type shape = #leaf | #left i32 | #both i32 i32 | #turn

def shape_of (depth: i32) (x: u32) : shape =
  if depth == 0
  then #leaf
  else match x % 4
       case 0 -> #turn
       case 1 -> #left (i32.u32 (x % 7))
       case 2 -> #both (i32.u32 (x % 5)) (i32.u32 (x % 3))
       case _ -> #leaf

-- ==
-- entry: by_constructors
-- input { 12i64 } output { [6i32, 13i32, 16i32, 4i32, 1i32, 4i32, 9i32, 10i32, -9i32, -3i32, 23i32, 9i32] }
def fold (depth: i32) (x: u32) : i32 =
  match shape_of depth x
  case #leaf -> i32.u32 (x % 11)
  case #left a -> a - fold (depth - 1) (x / 2 + 77)
  case #both a b ->
    let l = fold (depth - 1) (x * 3 + 1)
    in if l % 2 == 0
       then l + a
       else let r = fold (depth - 1) (x * 5 + 2) in b + l * 2 - r
  case #turn -> fold (depth - 1) (x + 1)

entry by_constructors (n: i64) : [n]i32 =
  tabulate n (\i -> fold 9 (u32.i64 i * 2654435761))

-- McCarthy's function, and others that call themselves in arguments.
-- ==
-- entry: arguments
-- input { 9i64 } output { [91i64, 91i64, 91i64, 91i64, 91i64, 91i64, 91i64, 91i64, 91i64] [1i64, 0i64, 1i64, 1i64, 2i64, 2i64, 3i64, 2i64, 2i64] [1i64, 1i64, 1i64, 2i64, 3i64, 3i64, 4i64, 5i64, 5i64] }
def ninety_one (n: i64) : i64 =
  if n > 100 then n - 10 else ninety_one (ninety_one (n + 11))

def tak (x: i64) (y: i64) (z: i64) : i64 =
  if y >= x
  then z
  else tak (tak (x - 1) y z) (tak (y - 1) z x) (tak (z - 1) x y)

def hofstadter (n: i64) : i64 =
  if n <= 2
  then 1
  else hofstadter (n - hofstadter (n - 1)) + hofstadter (n - hofstadter (n - 2))

entry arguments (n: i64) : ([n]i64, [n]i64, [n]i64) =
  unzip3 (tabulate n (\i ->
    (ninety_one (i * 12), tak i (i / 2) 1, hofstadter i)))

-- A condition that calls.
-- ==
-- entry: conditions
-- input { 9i64 } output { [false, true, false, true, false, true, true, true, false] }
def wins (n: i64) (turn: i64) : bool =
  n > 0
  && (!(wins (n - 1) (turn + 1))
      || (n > 2 && !(wins (n - 3) (turn * 2))
          || (turn % 3 == 0 && wins (n / 2) turn)))

entry conditions (n: i64) : [n]bool = tabulate n (\i -> wins i i)

-- What is checked in a thread fails there, from any depth.
-- ==
-- entry: checked
-- input { [3i64, 1i64, 4i64, 1i64, 2i64] } output { [13i64, 9i64, 26i64, 9i64, 28i64] }
-- input { [3i64, 1i64, 4i64, 1i64, 6i64] } error: Index 6
def follow [n] (next: [n]i64) (at: i64) (count: i64) : i64 =
  if count == 0 then at else next[at] * 2 + follow next next[at] (count - 1)

entry checked [n] (next: [n]i64) : [n]i64 =
  map (\at -> follow next at 4) (indices next)

-- ==
-- entry: divided
-- input { 20i64 3i64 } output { [3i64, 34i64, 35i64, 36i64, 6i64, 7i64, 8i64, 23i64, 22i64, 21i64, 14i64, 15i64, 16i64, 20i64, 20i64, 21i64, 21i64, 22i64, 22i64, 23i64] }
-- input { 20i64 0i64 } error: ivi
def divide (n: i64) (by: i64) : i64 =
  if n <= 0 then by else n + 100 / divide (n - 3) by

entry divided (n: i64) (by: i64) : [n]i64 = tabulate n (\i -> divide i by)
