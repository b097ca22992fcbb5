type point = {x: f32, y: f32}

def distance (a: point) (b: point) : f32 = f32.hypot (a.x - b.x) (a.y - b.y)

def centre [n] (points: [n][2]f32) : point =
  let mean (xs: [n]f32) = f32.sum xs / f32.i64 n
  in {x = mean (points[:, 0]), y = mean (points[:, 1])}
