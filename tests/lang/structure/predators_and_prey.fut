-- Looking ahead saves an operator. What the luckiest wolf catches depends on all deer and hares, and what becomes of those
-- depends on all wolves: either the wolves are gone through once, or the deer and the hares are. A greedy plan begins with
-- the wolves and then has to go through both others twice.
-- `tests/commands/dev` has the costs of both plans.
-- ==
-- input { [0.75, 0.25] [4.0, 8.0, 12.0] [1.0, 3.0] } output { 21.0 6.0 1.5 }
-- input { [1.0] empty([0]f64) [2.0] } output { 2.0 0.0 1.0 }
-- structure nest { fused 3 reduce 1 map 0 }
def largest [n] (xs: [n]f64) : f64 = reduce f64.max 0 xs

entry main [n] [m] [k]
           (wolves: [n]f64)
           (deer: [m]f64)
           (hares: [k]f64) : (f64, f64, f64) =
  let hunger = f64.sum wolves
  let prey = f64.sum deer + f64.sum hares
  let caught = largest (map (* prey) wolves)
  let (deer_left, hares_left) =
    (largest (map (/ (1 + hunger)) deer), largest (map (/ (1 + hunger)) hares))
  in (caught, deer_left, hares_left)
