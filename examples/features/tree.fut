-- # Trees and formulas
--
-- In Norn a type can contain itself if it is declared with `type rec`. Values of such a type are built and taken apart
-- like those of any sum type. They can be used everywhere: in arrays, and in every parallel operator.

-- ## A search tree
--
-- A set of numbers: those in the left part are less than the key, those in the right part greater.

type rec tree = #empty | #node {left: tree, key: i32, right: tree}

-- Inserting makes new nodes on the way from the root, and shares everything else with the old tree.

def insert (t: tree) (x: i32) : tree =
  match t
  case #empty -> #node {left = #empty, key = x, right = #empty}
  case #node n ->
    if x < n.key
    then #node (n with left = insert n.left x)
    else if x > n.key
    then #node (n with right = insert n.right x)
    else t

def member (t: tree) (x: i32) : bool =
  match t
  case #empty -> false
  case #node n ->
    if x == n.key
    then true
    else member (if x < n.key then n.left else n.right) x

-- The tree is built by one insertion after the other. All queries then search it at the same time, each along its own
-- path.

-- ==
-- entry: lookups
-- input { [5, 3, 8, 1] [3, 4, 8] } output { [true, false, true] }
-- input { empty([0]i32) [3] } output { [false] }
-- input { [5] empty([0]i32) } output { empty([0]bool) }
entry lookups [n] [m] (keys: [n]i32) (queries: [m]i32) : [m]bool =
  let t = foldl insert #empty keys
  in map (member t) queries

-- > lookups [5, 3, 8, 1] [3, 4, 8]

-- A tree can also be built in parallel. The middle element of a sorted array becomes the root, and both halves become
-- trees at the same time, by a `map` over the two of them. Such a tree is balanced.

def balanced [n] (sorted: [n]i32) : tree =
  if n == 0
  then #empty
  else let middle = n / 2
       let halves = map balanced [sorted[:middle], sorted[middle + 1:]]
       in #node {left = halves[0], key = sorted[middle], right = halves[1]}

def depth (t: tree) : i32 =
  match t
  case #empty -> 0
  case #node n -> 1 + i32.max (depth n.left) (depth n.right)

-- The numbers from 0 to n - 1: how deep the tree is when they are inserted in order, and when it is built in parallel.

-- ==
-- entry: depths
-- input { 100i64 } output { 100 7 }
-- input { 0i64 } output { 0 0 }
entry depths (n: i64) : (i32, i32) =
  let numbers = map i32.i64 (iota n)
  in (depth (foldl insert #empty numbers), depth (balanced numbers))

-- > depths 1000i64

-- ## Formulas
--
-- A formula with one variable is a tree, too. Its value and its derivative are two short functions.

type rec formula =
    #unknown
  | #number f64
  | #sum formula formula
  | #product formula formula
  | #power formula i64

def eval (x: f64) (f: formula) : f64 =
  match f
  case #unknown -> x
  case #number c -> c
  case #sum a b -> eval x a + eval x b
  case #product a b -> eval x a * eval x b
  case #power a n -> eval x a ** f64.i64 n

def derivative (f: formula) : formula =
  match f
  case #unknown -> #number 1
  case #number _ -> #number 0
  case #sum a b -> #sum (derivative a) (derivative b)
  case #product a b ->
    #sum (#product (derivative a) b) (#product a (derivative b))
  case #power a n ->
    #product (#product (#number (f64.i64 n)) (#power a (n - 1))) (derivative a)

-- The formula x^3 - 2, with its derivative, at many places at once:

def cubic : formula = #sum (#power #unknown 3) (#number (-2))

-- ==
-- entry: values
-- input { [-1.0, 0.0, 2.0] } output { [-3.0, -2.0, 6.0] [3.0, 0.0, 12.0] }
-- input { empty([0]f64) } output { empty([0]f64) empty([0]f64) }
entry values [n] (xs: [n]f64) : ([n]f64, [n]f64) =
  let slope = derivative cubic
  in (map (\x -> eval x cubic) xs, map (\x -> eval x slope) xs)

entry between (low: f64) (high: f64) (n: i64) : [n]f64 =
  tabulate n (\i -> low + (high - low) * f64.i64 i / f64.i64 (n - 1))

-- > :brief :plot2d let xs = between (-2.0) 2.0 100i64 in let (ys, slopes) = values xs in {formula=(xs, ys), derivative=(xs, slopes)};
-- xlabel: x
-- ylabel: y
-- alt: The cubic formula x³ - 2 and its derivative, between -2 and 2

-- Newton's method finds where the formula is zero, from every start at once. The cube root of 2 is 1.259921.

-- ==
-- entry: roots
-- input { [1.0, 2.0] } output { [1.259921, 1.259921] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry roots [n] (starts: [n]f64) : [n]f64 =
  let slope = derivative cubic
  let improve x = x - eval x cubic / eval x slope
  in map (\start -> loop x = start for _i < 20 do improve x) starts

-- > roots [1.0, 2.0, 10.0]

-- ## Functions that call each other
--
-- They are defined together, joined by `with`, and can be called in parallel like any other.

def even (n: i64) : bool = if n == 0 then true else odd (n - 1)
with def odd (n: i64) : bool = if n == 0 then false else even (n - 1)

-- ==
-- entry: parities
-- input { [0i64, 1i64, 10i64, 7i64] } output { [true, false, true, false] }
-- input { empty([0]i64) } output { empty([0]bool) }
entry parities [n] (xs: [n]i64) : [n]bool = map even xs

-- > parities [0i64, 1i64, 10i64, 7i64]
