type rec t [n] = #leaf ([n]f32) | #node (t [n]) (t [n])

def sum [n] (x: t [n]) : [n]f32 =
  match x
  case #leaf v -> v
  case #node a b -> map2 (+) (sum a) (sum b)

def total [n] (x: t [n]) : f32 = f32.sum (sum x)

def totals [k] (ts: [k](t [?])) : [k]f32 = map total ts

def first [k] (ts: [k](t [?])) : f32 = total ts[0]

-- ==
-- entry: sum_of_three
-- input { [1f32, 2f32] } output { [12f32, 24f32] }
-- input { empty([0]f32) } output { empty([0]f32) }
entry sum_of_three [n] (xs: [n]f32) : [n]f32 =
  sum (#node (#leaf xs) (#node (#leaf xs) (#leaf (map (* 10) xs))))

-- The trees of the array have vectors of different sizes.
def trees [k] (lens: [k]i64) : [k](t [?]) =
  map (\i ->
    let ones = replicate i 1
    in #node (#leaf ones) (#leaf ones)) lens

-- ==
-- entry: of_totals
-- input { [3i64, 0i64, 1i64] } output { [6f32, 0f32, 2f32] }
-- input { empty([0]i64) } output { empty([0]f32) }
entry of_totals [k] (lens: [k]i64) : [k]f32 = totals (trees lens)

-- ==
-- entry: of_first
-- input { [3i64, 0i64] } output { 6f32 }
-- input { empty([0]i64) } error:
entry of_first [k] (lens: [k]i64) : f32 = first (trees lens)
