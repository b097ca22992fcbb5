-- A function that calls itself by a map over two parts of its array, and makes a tree of the results: on a device, where nothing else in it is worth being done in parallel, it runs in the thread that
-- calls it.
-- ==
-- entry: depth_of_one
-- input { 0i64 } output { 0 }
-- input { 100i64 } output { 7 }

-- ==
-- entry: depths_of_many
-- input { 5i64 } output { [0, 1, 2, 2, 3] }

type rec tree = #empty | #node tree i64 tree

def balanced [n] (sorted: [n]i64) : tree =
  if n == 0
  then #empty
  else let middle = n / 2
       let halves = map balanced [sorted[:middle], sorted[middle + 1:]]
       in #node halves[0] sorted[middle] halves[1]

def depth (t: tree) : i32 =
  match t
  case #empty -> 0
  case #node l _ r -> 1 + i32.max (depth l) (depth r)

entry depth_of_one (n: i64) : i32 = depth (balanced (iota n))

entry depths_of_many (n: i64) : [n]i32 =
  map (\i -> depth (balanced (iota i))) (iota n)
