-- Operators in a loop that are wider for some elements than for others: where there are many elements, each has a thread, since the host would wait in each iteration for the sizes of rows.

-- Particles that are sorted by cell act on each other, from 27 cells each.
-- ==
-- entry: from_cells from_cells_by_index
-- input { [0i64, 2i64, 2i64, 5i64, 9i64] [0i64, 2i64, 3i64, 4i64, 5i64, 6i64, 8i64, 7i64, 1i64] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] }
-- output { [14.197290378297378, 22.361794267730083, 28.027558668020266, 27.362753944751134, 28.545265813787847, 28.91961502834049, 28.027558668020255, 24.35968403619052, 13.806320672682082] } structure run { launches 1 waits 1 sent 0 received 0 }
-- input { [0i64, 0i64, 0i64] empty([0]i64) empty([0]f64) } output { empty([0]f64) }
def potential (d: f64) : f64 =
  if d == 0
  then 0
  else 1 / (d * d) + f64.exp (-f64.abs d) * f64.sqrt (f64.abs d)

entry from_cells [c] [n] (ends: [c]i64) (order: [n]i64) (xs: [n]f64) : [n]f64 =
  map (\i ->
    loop total = 0 for k < 27 do
      let cell = (i + k) % (c - 1)
      let row = order[ends[cell]:ends[cell + 1]]
      in total + f64.sum (map (\j -> potential (xs[j] - xs[i])) row)) (iota n)

entry from_cells_by_index
    [c] [n]
    (ends: [c]i64)
    (order: [n]i64)
    (xs: [n]f64) : [n]f64 =
  map (\i ->
    loop total = 0 for k < 27 do
      let cell = (i + k) % (c - 1)
      in loop total for at in ends[cell]..<ends[cell + 1] do
           total + potential (xs[order[at]] - xs[i])) (iota n)

-- The same with forces, which are rows.
-- ==
-- entry: forces
-- input { [0i64, 2i64, 2i64, 5i64, 9i64] [0i64, 2i64, 3i64, 4i64, 5i64, 6i64, 8i64, 7i64, 1i64] [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0], [4.0, 1.0], [5.0, 2.0], [6.0, 2.0], [7.0, 2.0], [8.0, 2.0], [9.0, 2.0]] }
-- output { [[57.5, 8.0], [47.25, 8.75], [31.5, 8.75], [15.0, 8.25], [-1.5, -6.75], [-13.75, -6.5], [-31.5, -7.0], [-45.0, -6.75], [-60.5, -6.75]] } structure run { launches 1 waits 1 }
entry forces [c] [n]
             (ends: [c]i64)
             (order: [n]i64)
             (xs: [n][2]f64) : [n][2]f64 =
  map (\i ->
    loop total = [0, 0] for k < 27 do
      let cell = (i + k) % (c - 1)
      let row = order[ends[cell]:ends[cell + 1]]
      let forces = map (\j -> map2 (\x y -> (x - y) / 4) xs[j] xs[i]) row
      in reduce (map2 (+)) total forces) (iota n)
