-- Records, tuples and arrays of them.

entry make (x: f32) (y: f32) : {x: f32, y: f32} = {x, y}

entry norm2 (p: {x: f32, y: f32}) : f32 = p.x * p.x + p.y * p.y

entry split [n] (xs: [n]i32) : (i32, [n]i32) = (i32.sum xs, map (+ 1) xs)

entry cloud [n] (xs: [n]f32) (ys: [n]f32) : [n]{x: f32, y: f32} = map2 (\x y -> {x, y}) xs ys

entry total [n] (ps: [n]{x: f32, y: f32}) : f32 = f32.sum (map norm2 ps)

entry nothing (_: i32) : () = ()
