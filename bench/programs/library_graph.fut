-- The connected components of a random graph, by `/norn/graph`.
-- ==
-- nobench script input { input 100i64 150i64 } auto output
-- "1000000 x 2000000" notest script input { input 1000000i64 2000000i64 } output @ data/library_graph-1000000x2000000.out
import "data"
import "/norn/graph"

entry input (n: i64) (m: i64) : (i64, [m]i64, [m]i64) =
  ( n
  , tabulate m (\i -> i64.u32 (number 1 i) % n)
  , tabulate m (\i -> i64.u32 (number 2 i) % n)
  )

entry main [m] (n: i64) (us: [m]i64) (vs: [m]i64) : i64 =
  let labels = graph.components (graph.undirected n us vs)
  in i64.sum (map2 (\i l -> i64.bool (i == l)) (iota n) labels)
