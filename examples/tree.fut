-- Recursive data: a search tree, built and queried in parallel, and formulas that are evaluated and
-- differentiated.

-- | A set of numbers.
type rec tree = #empty | #node {left: tree, key: i32, right: tree}

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

-- | For each query, whether it is among the keys.
-- ==
-- entry: lookups
-- input { [5, 3, 8, 1] [3, 4, 8] } output { [true, false, true] }
entry lookups [n] [m] (keys: [n]i32) (queries: [m]i32) : [m]bool =
  let t: tree = foldl insert #empty keys
  in map (member t) queries

-- | A formula in one unknown.
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

-- | Newton's method for x^3 - 2, from every start at once.
-- ==
-- entry: roots
-- input { [1.0, 2.0] } output { [1.259921, 1.259921] }
entry roots [n] (starts: [n]f64) : [n]f64 =
  let f: formula = #sum (#power #unknown 3) (#number (-2))
  let f' = derivative f
  in map (\start -> loop x = start for _i < 20 do x - eval x f / eval x f')
         starts

-- | Two functions that call each other, on every element in parallel.
def even (n: i64) : bool = if n == 0 then true else odd (n - 1)
with def odd (n: i64) : bool = if n == 0 then false else even (n - 1)

entry parities [n] (xs: [n]i64) : [n]bool = map even xs
