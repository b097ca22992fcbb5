-- A loop consumes what it updates. Other things that it carries may alias each other.
-- ==
-- input { 3i64 2i64 } output { [0.0f32, 2.0f32, 4.0f32] }
type pair [n] = {x: [n]f32, y: [n]f32}

def start (n: i64) : pair [n] = {x = replicate n 0, y = replicate n 1}

def next [n] (p: pair [n]) : pair [n] = {x = map (+ 1) p.x, y = p.y}

entry main (steps: i64) (n: i64) : [steps]f32 =
  let (_, sums) =
    loop (p, sums) = (start n, replicate steps 0)
    for i < steps do
      (next p, sums with [i] = f32.sum p.x)
  in sums
