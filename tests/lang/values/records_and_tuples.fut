-- Records and tuples are written as in programs; fields may come in any order.
-- ==
-- entry: swap
-- input { (1, 2.5) }
-- output { 2.5f64 1i32 }

-- ==
-- entry: nested
-- input { ((1, true), 3u8) }
-- output { 3u8 (1, true) }
-- input { ( (((1, true)), (3u8)) ) }
-- output { 3u8 ((1, true)) }

-- ==
-- entry: move
-- input { {y = 2, x = 1} 0.5f64 }
-- output { {x = 1.5, y = 2.5} }

-- ==
-- entry: points
-- input { [{x = 1, y = 2}, {x = -3, y = 4}] }
-- output { [{x = 2, y = 1}, {x = 4, y = -3}] }
-- input { [] }
-- output { [] }

-- ==
-- entry: grid
-- input { [[(1, true), (2, false)], [(3, true), (4, true)]] }
-- output { [[(1, true), (3, true)], [(2, false), (4, true)]] }

-- ==
-- entry: unit
-- input { () }
-- output { {nothing = ()} }

-- ==
-- entry: polygons
-- input { [{name = "ab", corners = [(0, 0), (1, 2)]}, {name = [], corners = []}] }
-- output { [{name = "ab", corners = [(0, 0), (1, 2)]}, {corners = [], name = ""}] }
type point = {x: f64, y: f64}

entry swap (p: (i32, f64)) : (f64, i32) = (p.1, p.0)

entry nested (p: ((i32, bool), u8)) : (u8, (i32, bool)) = (p.1, p.0)

entry move (p: point) (d: f64) : point = {x = p.x + d, y = p.y + d}

entry points [n] (ps: [n]{x: i32, y: i32}) : [n]{x: i32, y: i32} =
  map (\p -> {x = p.y, y = p.x}) ps

entry grid [n] [m] (ps: [n][m](i32, bool)) : [m][n](i32, bool) = transpose ps

entry unit (_: ()) : {nothing: ()} = {nothing = ()}

entry polygons (ps: []{name: [?]u8, corners: [?](i32, i32)})
    : []{name: [?]u8, corners: [?](i32, i32)} =
  ps
