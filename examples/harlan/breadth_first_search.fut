-- # Breadth-first search
--
-- The distance of every node of a graph from a start, level by level. This is the program of section
-- 6.2 of Holk, Newton, Siek and Lumsdaine, *Region-based Memory Management for GPU Programming
-- Languages* (OOPSLA 2014, figure 4), which shows that irregular problems have simple programs: the
-- graph is an array of lists of neighbours, of different lengths, and a colour is a value of a sum
-- type. In memory the lists are contiguous, as in compressed sparse rows.

-- A white node has not been reached, a gray one has been reached in the last step, and a black one
-- before.
type colour = #white | #gray | #black

-- ## One step
--
-- All nodes check at the same time whether one of their neighbours is gray. The operators inside work
-- on lists of different lengths.

def step [n] (edges: [n][?]i64) (colours: [n]colour) : [n]colour =
  let is_gray (node: i64) = colours[node] == #gray
  let next (neighbours: []i64) (own: colour) : colour =
    match own
    case #black -> #black
    case #gray -> #black
    case #white -> if any is_gray neighbours then #gray else #white
  in map2 next edges colours

-- ## All steps
--
-- The search goes on until no node is gray. A node that has just become gray is as far away as the
-- number of steps; one that stays white is at distance -1.

-- ==
-- entry: distances
-- nobench script input { paths 5i64 1i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] }
-- nobench script input { paths 1i64 1i64 } output { [0i64] }
-- nobench script input { paths 1i64 0i64 } output { empty([0]i64) }
-- nobench script input { tree 10i64 }
-- output { [0i64, 1i64, 1i64, 2i64, 2i64, 2i64, 2i64, 3i64, 3i64, 3i64] }
-- nobench script input { paths 3i64 2i64 } output { [0i64, 1i64, 2i64, -1i64, -1i64, -1i64] }
-- "10000" notest script input { random_graph 10000i64 8i64 }
-- "100000" notest script input { random_graph 100000i64 8i64 }
-- "1000000" notest script input { random_graph 1000000i64 8i64 }
entry distances [n] (edges: [n][?]i64) : [n]i64 =
  let start = tabulate n (\i : colour -> if i == 0 then #gray else #white)
  let (_, found, _) =
    loop (colours, found, distance) = (start, map (\_ -> -1) start, 0)
    while any (== #gray) colours do
      let note (c: colour) (d: i64) = if c == #gray then distance else d
      in (step edges colours, map2 note colours found, distance + 1)
  in found

-- ## Graphs
--
-- Paths that are not connected with each other, and a binary tree.

entry paths (long: i64) (count: i64) : [][?]i64 =
  let n = long * count
  let connected i j = 0 <= j && j < n && i / long == j / long
  in map (\i -> filter (connected i) [i - 1, i + 1]) (iota n)

entry tree (n: i64) : [n][?]i64 =
  let related i j = 0 <= j && j < n && i != j
  in map (\i -> filter (related i) [(i - 1) / 2, 2 * i + 1, 2 * i + 2]) (iota n)

-- > distances (tree 15i64)

-- In the graphs that the paper measures, each node has 16 edges at random. Here each node draws 8, and
-- an edge belongs to both of its ends. So a node has 16 edges on average, but the number differs from
-- node to node.

-- | A pseudorandom number: the `i`-th of the sequence for a seed.
def number (seed: u32) (i: i64) : u32 =
  let x = u32.i64 i * 0x9e3779b1 + seed * 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  in x ^ (x >> 15)

entry random_graph (n: i64) (draws: i64) : [n][?]i64 =
  let drawn =
    tabulate (n * draws) (\i -> (i / draws, i64.u32 (number 1 i) % n))
  let both_ways = drawn ++ map (\(a, b) -> (b, a)) drawn
  let (owners, neighbours) = unzip (sort_by_key (.0) both_ways)
  let degrees = hist (+) 0 n owners (map (const 1) owners)
  in segment degrees neighbours

-- How many nodes there are at each distance. Almost all of them are found in two of the steps.

-- ==
-- entry: level_sizes
-- nobench script input { tree 20i64 }
-- output { [0i64, 1i64, 2i64, 3i64, 4i64] [1i64, 2i64, 4i64, 8i64, 5i64] }
entry level_sizes [n] (edges: [n][?]i64) : ([]i64, []i64) =
  let found = distances edges
  let levels = 1 + i64.maximum found
  in (iota levels, hist (+) 0 levels found (map (const 1) found))

-- > :brief :plot2d level_sizes (random_graph 100000i64 8i64);
-- xlabel: distance from the start
-- ylabel: nodes
-- alt: Almost all of the nodes are at two of the distances

-- ## The same, one node after the other
--
-- The search as it is usually written, with a queue of the nodes that have been found. A test compares
-- the two.

def distances_by_queue [n] (edges: [n][?]i64) : [n]i64 =
  let found = replicate n (-1) with [0] = 0
  let (found, _, _, _) =
    loop (found, queue, first, last) = (found, replicate n 0, 0, 1)
    while first < last do
      let node = queue[first]
      let (found, queue, last) =
        loop (found, queue, last) = (found, queue, last)
        for neighbour in edges[node] do
          if found[neighbour] != -1
          then (found, queue, last)
          else let distance = found[node] + 1
               in ( found with [neighbour] = distance
                  , queue with [last] = neighbour
                  , last + 1
                  )
      in (found, queue, first + 1, last)
  in found

-- ==
-- entry: agrees
-- nobench script input { random_graph 100i64 1i64 } output { true }
-- nobench script input { random_graph 300i64 2i64 } output { true }
-- nobench script input { paths 7i64 9i64 } output { true }
entry agrees [n] (edges: [n][?]i64) : bool =
  and (map2 (==) (distances edges) (distances_by_queue edges))

-- > agrees (random_graph 100000i64 8i64)
