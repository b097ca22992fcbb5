-- Rays through spheres in a kd-tree, which is built by filters of all parts at once and walked by a thread for each ray: on a device, both happen in kernels. The nearest hit is that of a search through all spheres.
-- ==
-- entry: agree
-- input { 1i64 8i64 } output { true }
-- input { 40i64 12i64 } output { true }
-- compiled input { 500i64 60i64 } output { true }

-- ==
-- entry: hits
-- input { 40i64 12i64 } output { 18i64 }

type vector = {x: f32, y: f32, z: f32}
type sphere = {centre: vector, radius: f32}
type ray = {from: vector, along: vector}

-- A node has the axis and the plane that it divides its box by; spheres that touch the plane are on both sides.
type rec tree = #leaf ([]sphere) | #node i32 f32 tree tree

def coordinate (axis: i32) (v: vector) : f32 =
  if axis == 0 then v.x else if axis == 1 then v.y else v.z

def build [n] (depth: i32) (spheres: [n]sphere) : tree =
  if depth == 0 || n <= 4
  then #leaf spheres
  else let axis = depth % 3
       let at =
         f32.sum (map (\s -> coordinate axis s.centre) spheres) / f32.i64 n
       let below =
         filter (\s -> coordinate axis s.centre - s.radius <= at) spheres
       let above =
         filter (\s -> coordinate axis s.centre + s.radius >= at) spheres
       in #node axis at (build (depth - 1) below) (build (depth - 1) above)

def dot (a: vector) (b: vector) : f32 = a.x * b.x + a.y * b.y + a.z * b.z

-- | How far along a ray it hits a sphere.
def hit (r: ray) (s: sphere) : f32 =
  let d =
    { x = s.centre.x - r.from.x
    , y = s.centre.y - r.from.y
    , z = s.centre.z - r.from.z
    }
  let along = dot d r.along
  let square = dot d d - along * along
  in if along < 0 || square > s.radius * s.radius
     then f32.inf
     else along - f32.sqrt (s.radius * s.radius - square)

-- | The nearest hit between two distances: first the side that the ray begins on.
def trace (t: tree) (r: ray) (near: f32) (far: f32) : f32 =
  match t
  case #leaf spheres -> f32.minimum (map (hit r) spheres)
  case #node axis at below above ->
    let (from, along) = (coordinate axis r.from, coordinate axis r.along)
    let crossing = if along == 0 then f32.inf else (at - from) / along
    let begins_below = from < at || (from == at && along <= 0)
    in if crossing < 0 || crossing > far
       then (if begins_below
             then trace below r near far
             else trace above r near far)
       else if crossing < near
       then (if begins_below
             then trace above r near far
             else trace below r near far)
       else let first =
              if begins_below
              then trace below r near crossing
              else trace above r near crossing
            in if first <= crossing
               then first
               else f32.min first
                            (if begins_below
                             then trace above r crossing far
                             else trace below r crossing far)

-- | Numbers without order, between 0 and 1.
def random (i: i64) : f32 =
  let x = u32.i64 i * 2654435769
  let x = (x ^ (x >> 15)) * 2246822519
  in f32.u32 ((x ^ (x >> 13)) >> 8) / 16777216

def spheres (n: i64) : [n]sphere =
  tabulate n (\i ->
    { centre =
        {x = random (4 * i), y = random (4 * i + 1), z = 1 + random (4 * i + 2)}
    , radius = 0.02 + 0.05 * random (4 * i + 3)
    })

def rays (m: i64) : [m][m]ray =
  tabulate_2d m m (\i j ->
    let at k = (f32.i64 k + 0.5) / f32.i64 m
    let (x, y) = (at i - 0.5, at j - 0.5)
    let length = f32.sqrt (x * x + y * y + 1)
    in { from = {x = 0.5, y = 0.5, z = 0}
       , along = {x = x / length, y = y / length, z = 1 / length}
       })

def distances (n: i64) (m: i64) : [m][m]f32 =
  let tree = build 12 (spheres n)
  in map (map (\r -> trace tree r 0 f32.inf)) (rays m)

entry agree (n: i64) (m: i64) : bool =
  let all = spheres n
  let expected = map (map (\r -> f32.minimum (map (hit r) all))) (rays m)
  in and (map2 (\a b -> and (map2 (==) a b)) (distances n m) expected)

entry hits (n: i64) (m: i64) : i64 =
  i64.sum (map (\row -> i64.sum (map (\d -> i64.bool (d < f32.inf)) row))
               (distances n m))
