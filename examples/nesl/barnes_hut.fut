-- # Barnes-Hut
--
-- Bodies attract one another. Adding up all pairs takes quadratic time. Barnes and Hut (1986) put the bodies into a tree
-- instead, so that a distant group of bodies counts as one body. It is the largest benchmark of *Nested data-parallelism
-- on the GPU* (Bergstrom and Reppy, ICFP 2012).
--
-- NESL has no recursive types, so there the tree is encoded in vectors. In Norn it is a tree. It is built by a recursive
-- function that calls itself in a `map`, and all bodies traverse it at the same time, each along its own path.

type vector = {x: f32, y: f32}

def zero : vector = {x = 0, y = 0}

def plus (a: vector) (b: vector) : vector = {x = a.x + b.x, y = a.y + b.y}

def minus (a: vector) (b: vector) : vector = {x = a.x - b.x, y = a.y - b.y}

def scale (k: f32) (a: vector) : vector = {x = k * a.x, y = k * a.y}

def square (a: vector) : f32 = a.x * a.x + a.y * a.y

def sum [n] (vs: [n]vector) : vector = reduce_comm plus zero vs

-- A mass at some place: a body, or many as seen from afar.

type mass = {at: vector, mass: f32}

-- How fast a mass makes something at `p` fall. The softening keeps this finite where two bodies meet, as if they had a
-- radius of 0.02, and makes the pull of a body on itself zero.

def softening : f32 = 4e-4

def pull (p: vector) (m: mass) : vector =
  let way = m.at `minus` p
  let distance2 = square way + softening
  in scale (m.mass / (distance2 * f32.sqrt distance2)) way

-- ## The tree
--
-- A leaf has a few bodies. A cell is a square with more, divided into four quadrants; it knows the centre of its mass.

type box = {corner: vector, width: f32}

type rec tree =
    #leaf box ([]mass)
  | #cell {box: box, centre: mass, quadrants: [4]tree}

def centre [n] (ms: [n]mass) : mass =
  let total = f32.sum (map (.mass) ms)
  in { at = scale (1 / total) (sum (map (\m -> scale m.mass m.at) ms))
     , mass = total
     }

def quadrant (b: box) (q: i64) : box =
  let half = b.width / 2
  let offset = {x = f32.i64 (q % 2) * half, y = f32.i64 (q / 2) * half}
  in {corner = b.corner `plus` offset, width = half}

def which_quadrant (b: box) (m: mass) : i64 =
  let middle = b.corner `plus` {x = b.width / 2, y = b.width / 2}
  in i64.bool (m.at.x >= middle.x) + 2 * i64.bool (m.at.y >= middle.y)

def leaf_size : i64 = 8

-- The depth is limited, because no number of divisions can separate bodies at the same place.

def build [n] (depth: i64) (b: box) (ms: [n]mass) : tree =
  if n <= leaf_size || depth == 0
  then #leaf b ms
  else let part q = filter (\m -> which_quadrant b m == q) ms
       let child q = build (depth - 1) (quadrant b q) (part q)
       in #cell {box = b, centre = centre ms, quadrants = map child (iota 4)}

def bounding_box [n] (ms: [n]mass) : box =
  let (xs, ys) = (map (.at.x) ms, map (.at.y) ms)
  let corner = {x = f32.minimum xs, y = f32.minimum ys}
  let width = f32.max (f32.maximum xs - corner.x) (f32.maximum ys - corner.y)
  in {corner, width}

def tree_of [n] (ms: [n]mass) : tree =
  if n == 0
  then #leaf {corner = zero, width = 0} []
  else build 24 (bounding_box ms) ms

-- ## The forces
--
-- A cell is opened only if it appears wider than the *opening angle*, the ratio of its width to its distance.

def fall (angle: f32) (p: vector) (t: tree) : vector =
  match t
  case #leaf _ ms -> sum (map (pull p) ms)
  case #cell {box, centre, quadrants} ->
    if box.width * box.width < angle * angle * square (centre.at `minus` p)
    then pull p centre
    else sum (map (fall angle p) quadrants)

def accelerations [n] (angle: f32) (ms: [n]mass) : [n]vector =
  let t = tree_of ms
  in map (\m -> fall angle m.at t) ms

def masses [n] (xs: [n]f32) (ys: [n]f32) (weights: [n]f32) : [n]mass =
  map3 (\x y mass -> {at = {x, y}, mass}) xs ys weights

-- ==
-- entry: iteration
-- nobench input { 0.5f32 [0f32, 3f32] [0f32, 4f32] [1f32, 50f32] } output { [1.2f32, -0.024f32] [1.6f32, -0.032f32] }
-- nobench input { 0.5f32 [1f32] [1f32] [1f32] } output { [0f32] [0f32] }
-- nobench input { 0.5f32 empty([0]f32) empty([0]f32) empty([0]f32) } output { empty([0]f32) empty([0]f32) }
-- "750" notest script input { input 750i64 }
-- "7500" notest script input { input 7500i64 }
-- "75000" notest script input { input 75000i64 }
entry iteration [n]
                (angle: f32)
                (xs: [n]f32)
                (ys: [n]f32)
                (weights: [n]f32) : ([n]f32, [n]f32) =
  let falls = accelerations angle (masses xs ys weights)
  in (map (.x) falls, map (.y) falls)

-- > iteration 0.5f32 [0f32, 3f32] [0f32, 4f32] [1f32, 50f32]

-- ## The bodies of the paper
--
-- One iteration builds the tree of 75,000 random bodies and computes the force on each. Here a random number is the hash
-- of its index. Most bodies are near the middle, so the tree is deep there and shallow elsewhere.

def random (seed: u32) (i: i64) : f32 =
  let x = u32.i64 i * 0x9e3779b9 + seed * 0x85ebca6b
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in f32.u32 ((x ^ (x >> 16)) >> 8) / 16777216

def cluster (n: i64) : [n]mass =
  let body i =
    let radius = random 1 i
    let turn = 2 * f32.pi * random 2 i
    in { at = {x = radius * f32.cos turn, y = radius * f32.sin turn}
       , mass = (1 + random 3 i) / f32.i64 n
       }
  in tabulate n body

entry input (n: i64) : (f32, [n]f32, [n]f32, [n]f32) =
  let ms = cluster n
  in (0.5, map (.at.x) ms, map (.at.y) ms, map (.mass) ms)

-- The sum over all pairs is what the tree approximates. The error is the distance from it, relative to the longest
-- acceleration. With an angle of zero every cell is opened, and only rounding is left.

def direct [n] (ms: [n]mass) : [n]vector =
  map (\m -> sum (map (pull m.at) ms)) ms

entry error (angle: f32) (n: i64) : f32 =
  let ms = cluster n
  let exact = direct ms
  let length v = f32.sqrt (square v)
  let errors =
    map2 (\a b -> length (a `minus` b)) (accelerations angle ms) exact
  in f32.maximum errors / f32.maximum (map length exact)

-- ==
-- entry: is_within
-- nobench input { 0f32 200i64 0.00001f32 } output { true }
-- nobench input { 0.5f32 200i64 0.01f32 } output { true }
-- nobench input { 1f32 200i64 0.05f32 } output { true }
entry is_within (angle: f32) (n: i64) (bound: f32) : bool =
  error angle n <= bound

-- > error 0f32 2000i64

-- > error 0.5f32 2000i64

-- > error 1f32 2000i64

-- ## Pictures
--
-- The tree of 3000 bodies, as the squares of its leaves. They are collected by another recursive function, whose calls
-- return arrays of different lengths.

def leaves (t: tree) : []box =
  match t
  case #leaf box _ -> [box]
  case #cell {box = _, centre = _, quadrants} ->
    irregular.flatten (map leaves quadrants)

-- The picture shows the square from -1 to 1.

def pixel (size: i64) (p: vector) : (i64, i64) =
  let place c = i64.f32 (f32.floor ((c + 1) / 2 * f32.i64 size))
  in (place p.y, place p.x)

-- Two sides are enough, because the other two belong to neighbours.

def sides (size: i64) (b: box) : [](i64, i64) =
  let (top, left) = pixel size b.corner
  let (bottom, right) = pixel size (b.corner `plus` {x = b.width, y = b.width})
  in map (\column -> (top, column)) (left...right)
     ++ map (\row -> (row, left)) (top...bottom)

entry picture (size: i64) (n: i64) : [size][size]u32 =
  let ms = cluster n
  let lines = irregular.flatten (map (sides size) (leaves (tree_of ms)))
  let paint [k]
            (colour: u32)
            (image: *[size][size]u32)
            (places: [k](i64, i64)) =
    scatter_2d image places (replicate k colour)
  let white = replicate size (replicate size 0xffffffff)
  let with_lines = paint 0xffb0c4de white lines
  in paint 0xff202020 with_lines (map (\m -> pixel size m.at) ms)

-- > :brief :img picture 512i64 3000i64;
-- alt: Bodies as dots, dense in the middle, and the squares of the quadtree, which are smaller where there are more bodies

-- Now they move. At first each body has the speed that would keep it on a circle.

type body = {mass: mass, velocity: vector}

def angle : f32 = 0.7

def start (n: i64) : [n]body =
  let ms = cluster n
  let circling (m: mass) (a: vector) : body =
    let radius2 = square m.at + softening
    let speed = f32.sqrt (f32.sqrt (square a * radius2))
    let sideways = scale (1 / f32.sqrt radius2) {x = -m.at.y, y = m.at.x}
    in {mass = m, velocity = scale speed sideways}
  in map2 circling ms (accelerations angle ms)

def step [n] (dt: f32) (bodies: [n]body) : [n]body =
  let move (b: body) (a: vector) : body =
    let velocity = b.velocity `plus` scale dt a
    let at = b.mass.at `plus` scale dt velocity
    in {mass = b.mass with at = at, velocity}
  in map2 move bodies (accelerations angle (map (.mass) bodies))

-- A point is the brighter the more bodies are there.

def frame [n] (size: i64) (bodies: [n]body) : [size][size]u8 =
  let places = map (\b -> pixel size b.mass.at) bodies
  let counts =
    reduce_by_index_2d
      (replicate size (replicate size 0))
      (+)
      0
      places
      (replicate n 1)
  in map (map (\count -> u8.i32 (255 - 255 / (1 + count)))) counts

entry animation (size: i64) (frames: i64) (n: i64) : [frames][size][size]u8 =
  let black = replicate frames (replicate size (replicate size 0))
  let (film, _) =
    loop (film, bodies) = (black, start n) for i < frames do
      (film with [i] = frame size bodies, step 0.01 bodies)
  in film

-- > :brief :video animation 256i64 120i64 2500i64;
-- alt: Bodies that whirl around a dense middle
