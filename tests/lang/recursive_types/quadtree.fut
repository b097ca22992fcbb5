-- Forces after Barnes and Hut. With an opening angle of zero every body is visited.
-- ==
-- input { [0.25f64, 0.75f64] [0.5f64, 0.5f64] [1f64, 1f64] }
-- output { [4f64, -4f64] [0f64, 0f64] }

type point = {x: f64, y: f64}

type body = {at: point, mass: f64}

type rec quad =
  #empty | #body body | #cell {centre: body, width: f64, parts: [4]quad}

def centre_of [n] (bs: [n]body) : body =
  let mass = f64.sum (map (.mass) bs)
  let x = f64.sum (map (\b -> b.at.x * b.mass) bs) / mass
  let y = f64.sum (map (\b -> b.at.y * b.mass) bs) / mass
  in {at = {x, y}, mass}

def quadrant (middle: point) (b: body) : i64 =
  (if b.at.x < middle.x then 0 else 1) + (if b.at.y < middle.y then 0 else 2)

def build [n] (depth: i64) (low: point) (width: f64) (bs: [n]body) : quad =
  if n == 0
  then #empty
  else if n == 1
  then #body bs[0]
  else if depth == 0
  then #body (centre_of bs)
  else
    let half = width / 2
    let middle = {x = low.x + half, y = low.y + half}
    let parts = map (\q -> filter (\b -> quadrant middle b == q) bs) (iota 4)
    let corner (q: i64) : point =
      { x = low.x + (if q % 2 == 0 then 0 else half)
      , y = low.y + (if q < 2 then 0 else half)
      }
    let quads =
      map2 (\q part -> build (depth - 1) (corner q) half part) (iota 4) parts
    in #cell {centre = centre_of bs, width, parts = quads}

def pull (p: point) (b: body) : point =
  let dx = b.at.x - p.x
  let dy = b.at.y - p.y
  let d2 = dx * dx + dy * dy
  let f = if d2 == 0 then 0 else b.mass / (d2 * f64.sqrt d2)
  in {x = f * dx, y = f * dy}

def plus (a: point) (b: point) : point = {x = a.x + b.x, y = a.y + b.y}

def force (theta: f64) (p: point) (q: quad) : point =
  match q
  case #empty -> {x = 0, y = 0}
  case #body b -> pull p b
  case #cell {centre, width, parts} ->
    let dx = centre.at.x - p.x
    let dy = centre.at.y - p.y
    in if width * width < theta * theta * (dx * dx + dy * dy)
       then pull p centre
       else reduce plus {x = 0, y = 0} (map (force theta p) parts)

entry main [n] (xs: [n]f64) (ys: [n]f64) (masses: [n]f64) : ([n]f64, [n]f64) =
  let bodies = map3 (\x y mass -> {at = {x, y}, mass}) xs ys masses
  let tree = build 32 {x = 0, y = 0} 1 bodies
  let forces = map (\b -> force 0 b.at tree) bodies
  in (map (.x) forces, map (.y) forces)
