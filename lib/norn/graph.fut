-- | Graphs: search, components, shortest paths, ranks, spanning forests and triangles.
--
-- A graph with `n` nodes is the array of the neighbours of each node, of type `[n][?]i64`, and one with
-- weights the array of neighbours and weights, `[n][?](i64, w)`. Edges go one way; in an undirected
-- graph they are there twice. `from_edges` and `undirected` make graphs of lists of edges.
--
-- `graph`@module has weights of type `f64`, `graph_f32`@module of type `f32`. In the costs, *n* is the
-- number of nodes, *m* that of edges, and *d* the number of steps on the longest of the shortest ways.

import "sorting"

-- | Graphs with weights of type `R.t`.
module mk_graph (R: real) = {
  type weight = R.t

  -- | The graph with edges from each element of the first array to that of the second at the same
  -- place. Neighbours are in ascending order, and several equal edges count as one.
  --
  -- **Work:** *O(n + m)*. **Span:** *O(log(n + m))*.
  def from_edges [m] (n: i64) (from: [m]i64) (to: [m]i64) : [n][?]i64 =
    let inside = and (map2 (\u v -> u >= 0 && u < n && v >= 0 && v < n) from to)
    let keys = assert inside (map2 (\u v -> u64.i64 (u * n + v)) from to)
    let edges = map i64.u64 (dedup (==) (sort keys))
    let counts =
      hist (+) 0 n (map (/ n) edges) (map (const 1i64) edges)
    in segment counts (map (% n) edges)

  -- | The graph with edges in both directions, without those from a node to itself.
  --
  -- **Work:** *O(n + m)*. **Span:** *O(log(n + m))*.
  def undirected [m] (n: i64) (us: [m]i64) (vs: [m]i64) : [n][?]i64 =
    let (us, vs) = unzip (filter (\(u, v) -> u != v) (zip us vs))
    in from_edges n (us ++ vs) (vs ++ us)

  -- | The graph with edges of these weights. Neighbours are in the order of the edges.
  --
  -- **Work:** *O(n + m)*. **Span:** *O(log(n + m))*.
  def from_weighted_edges
      [m]
      (n: i64)
      (from: [m]i64)
      (to: [m]i64)
      (weights: [m]weight) : [n][?](i64, weight) =
    group_by_index n from (zip to weights)

  -- | The graph without its weights.
  def unweighted [n] (g: [n][?](i64, weight)) : [n][?]i64 =
    map (\row -> map (.0) row) g

  -- | The edges: from which node to which.
  --
  -- **Work:** *O(n + m)*. **Span:** *O(log(n))*.
  def edges [n] (g: [n][?]i64) : ?[m].([m]i64, [m]i64) =
    let to = irregular.flatten g
    in (irregular.owners g :> [length to]i64, to :> [length to]i64)

  -- | How many edges leave each node.
  def degrees [n] (g: [n][?]i64) : [n]i64 = lengths g

  -- | The graph with all edges in the other direction.
  --
  -- **Work:** *O(n + m)*. **Span:** *O(log(n + m))*.
  def reversed [n] (g: [n][?]i64) : [n][?]i64 =
    let (from, to) = edges g
    in group_by_index n to from

  -- | Breadth-first search: how many edges each node is away from the source, and the node before it on
  -- a shortest way, the least of several. Both are -1 for nodes that cannot be reached; the source is
  -- before itself.
  --
  -- **Work:** *O(n + m)*. **Span:** *O(d ✕ log(n))*.
  def bfs [n] (g: [n][?]i64) (source: i64) : ([n]i64, [n]i64) =
    let distances = replicate n (-1) with [source] = 0
    let parents = replicate n i64.highest with [source] = source
    let (distances, parents, _, _) =
      loop (distances, parents, frontier, step) =
             (distances, parents, [source], 1)
      while length frontier > 0 do
        let seen =
          irregular.flatten (map (\u -> map (\v -> (u, v)) g[u]) frontier)
        let (us, vs) = unzip seen
        let new (v: i64) : bool = distances[v] < 0
        let parents =
          reduce_by_index parents
                          i64.min
                          i64.highest
                          (map (\v -> if new v then v else -1) vs)
                          us
        -- A node is in the next frontier once, with the edge from its parent.
        let next =
          map (.1) (filter (\(u, v) -> new v && parents[v] == u) seen)
        let distances = scatter distances next (map (const step) next)
        in (distances, parents, next, step + 1)
    in (distances, map (\p -> if p == i64.highest then -1 else p) parents)

  -- The roots of trees of which each node has its parent, and each root itself (pointer jumping).
  local def to_roots [n] (parents: [n]i64) : [n]i64 =
    let (roots, _) =
      loop (roots, changed) = (parents, true) while changed do
        let next = map (\r -> roots[r]) roots
        in (next, or (map2 (!=) next roots))
    in roots

  -- | The connected components of an undirected graph: for each node the least node of its component.
  -- Nodes form trees, whose roots are hooked to lesser nodes that their trees have edges to, and whose
  -- ways to the root are halved at the same time (Shiloach and Vishkin, An O(log n) parallel
  -- connectivity algorithm, 1982). Edges within a tree are looked at no more.
  --
  -- **Work:** *O((n + m) ✕ log(n))*, as a rule. **Span:** *O(log(n)²)*, as a rule.
  def components [n] (g: [n][?]i64) : [n]i64 =
    let (us, vs) = edges g
    let (parents, _) =
      loop (parents, edges) = (iota n, zip us vs) while length edges > 0 do
        let (us, vs) = unzip edges
        let above = map (\p -> parents[p]) parents
        -- Only roots are hooked: a tree that lost a part could need an edge again.
        let roots =
          map (\u -> let p = parents[u] in if parents[p] == p then p else -1) us
        let hooked =
          reduce_by_index (copy parents)
                          i64.min
                          i64.highest
                          roots
                          (map (\v -> above[v]) vs)
        let next = map2 i64.min hooked above
        in (next, filter (\(u, v) -> next[u] != next[v]) edges)
    in to_roots parents

  -- | The least sum of weights on a way from the source to each node, and infinity where there is none,
  -- by Bellman's and Ford's method: in each step only nodes whose distance has become less are looked
  -- at. If there is a cycle with a negative sum, what it leads to has no meaning.
  --
  -- **Work:** *O(d ✕ (n + m))* at most. **Span:** *O(d ✕ log(n))*, where *d* counts edges on the ways
  -- with the least sums.
  def shortest_paths [n] (g: [n][?](i64, weight)) (source: i64) : [n]weight =
    let distances = replicate n R.inf with [source] = R.i64 0
    let (distances, _, _) =
      loop (distances, frontier, step) = (distances, [source], 0)
      while length frontier > 0 && step < n do
        let from = map (\u -> (u, distances[u])) frontier
        let reached =
          irregular.flatten (map (\(u, d) -> map (\(v, w) -> (v, d R.+ w)) g[u])
                                 from)
        let (vs, ds) = unzip reached
        let better = reduce_by_index (copy distances) R.min R.inf vs ds
        -- Of several ways that are equally short the first counts, so that a node is looked at once.
        let shorter (v: i64) (d: weight) : bool =
          d R.< distances[v] && d R.== better[v]
        let firsts =
          reduce_by_index (replicate n i64.highest)
                          i64.min
                          i64.highest
                          (map2 (\v d -> if shorter v d then v else -1) vs ds)
                          (indices vs)
        let next =
          map (.0)
              (filter (\(v, d, i) -> shorter v d && firsts[v] == i)
                      (zip3 vs ds (indices vs)))
        in (better, next, step + 1)
    in distances

  -- | How often each node is visited by someone who follows a random edge with probability `damping`
  -- and else goes to a random node, until no rank changes by more than `tolerance`, but at most `limit`
  -- times. Where no edge leaves, everyone goes to a random node.
  --
  -- **Work:** *O(n + m)* for each step. **Span:** *O(log(n))* for each step.
  def pagerank [n]
               (damping: weight)
               (tolerance: weight)
               (limit: i64)
               (g: [n][?]i64) : [n]weight =
    let incoming = reversed g
    let degrees = lengths g
    let size = R.i64 n
    let (ranks, _, _) =
      loop (ranks, change, step) = (replicate n (R.recip size), R.inf, 0)
      while step < limit && change R.> tolerance do
        let shares =
          map2 (\r d -> if d == 0 then R.i64 0 else r R./ R.i64 d) ranks degrees
        let lost =
          R.sum (map2 (\r d -> if d == 0 then r else R.i64 0) ranks degrees)
        let base = R.((i64 1 - damping + damping * lost) / size)
        let next =
          map (\us -> R.(base + damping * sum (map (\u -> shares[u]) us)))
              incoming
        let change = R.maximum (map2 (\a b -> R.(abs (a - b))) ranks next)
        in (next, change, step + 1)
    in ranks

  -- | The edges of a minimum spanning forest, as indices in ascending order, of the undirected graph
  -- with these edges (Boruvka 1926). Of edges with equal weights the first is preferred.
  --
  -- **Work:** *O((n + m) ✕ log(n))*. **Span:** *O(log(n)²)*.
  def spanning_forest [m]
                      (n: i64)
                      (us: [m]i64)
                      (vs: [m]i64)
                      (weights: [m]weight) : []i64 =
    let none = (R.inf, i64.highest)
    let lighter (a: weight, i: i64) (b: weight, j: i64) : (weight, i64) =
      if a R.< b || (a R.== b && i < j) then (a, i) else (b, j)
    let (chosen, _, _) =
      loop (chosen, labels, left) =
             ( replicate m false
             , iota n
             , filter (\e -> us[e] != vs[e]) (iota m)
             )
      while length left > 0 do
        -- The lightest edge that leaves each component.
        let ends =
          map (\e -> labels[us[e]]) left ++ map (\e -> labels[vs[e]]) left
        let edges = map (\e -> (weights[e], e)) (left ++ left)
        let best = hist lighter none n ends edges
        let across (l: i64) : i64 =
          let e = best[l].1
          in if e == i64.highest
             then l
             else labels[us[e]] + labels[vs[e]] - l
        -- Of two components that choose the same edge the lesser becomes the root.
        let hooked =
          map (\l ->
            let k = across l
            in if across k == l && l < k then l else k) (iota n)
        let roots = to_roots hooked
        let chosen =
          scatter chosen
                  (map (\(_, e) -> if e == i64.highest then -1 else e) best)
                  (replicate n true)
        let labels = map (\l -> roots[l]) labels
        let left = filter (\e -> labels[us[e]] != labels[vs[e]]) left
        in (chosen, labels, left)
    in filter (\e -> chosen[e]) (iota m)

  -- | How many triangles an undirected graph has, as `undirected` makes it. Each edge is looked at from
  -- the end with fewer neighbours.
  --
  -- **Work:** *O(m^1.5 ✕ log(m))*. **Span:** *O(log(m))*.
  def triangles [n] (g: [n][?]i64) : i64 =
    let degrees = lengths g
    let after (u: i64) (v: i64) : bool =
      degrees[u] < degrees[v] || (degrees[u] == degrees[v] && u < v)
    let up = map2 (\u vs -> filter (after u) vs) (iota n) g
    let (us, vs) = edges up
    let common (u: i64) (v: i64) : i64 =
      let others = up[v]
      in i64.sum (map (\w -> i64.bool (binary_search (<=) others w >= 0)) up[u])
    in i64.sum (map2 common us vs)
}

-- | Graphs with weights of double precision.
module graph = mk_graph f64

-- | Graphs with weights of single precision.
module graph_f32 = mk_graph f32
