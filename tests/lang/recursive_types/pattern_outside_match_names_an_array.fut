-- A pattern takes a value apart wherever it stands: the array in it has a size of its own.

type rec rose = #rose i64 ([]rose)

def grow (depth: i64) : rose =
  #rose depth (map grow (replicate depth (depth - 1)))

def by_match (t: rose) : i64 =
  match t
  case #rose x parts -> x + i64.sum (map by_match parts)

def by_let (t: rose) : i64 =
  let (#rose x parts) = t
  in x + i64.sum (map by_let parts)

def by_parameter ((#rose x parts): rose) : i64 =
  x + i64.sum (map by_parameter parts)

-- ==
-- entry: sums
-- input { 0i64 } output { 0i64 0i64 0i64 }
-- input { 1i64 } output { 1i64 1i64 1i64 }
-- input { 3i64 } output { 15i64 15i64 15i64 }
entry sums (depth: i64) : (i64, i64, i64) =
  let t = grow depth
  in (by_match t, by_let t, by_parameter t)

-- ==
-- entry: widths
-- input { [2i64, 0i64] } output { [2i64, 0i64] [2i64, 0i64] }
-- input { [2i64, -1i64] } error: negative
entry widths [n] (depths: [n]i64) : ([n]i64, [n]i64) =
  let trees = map grow depths
  in ( map (\(#rose _ parts) -> length parts) trees
     , loop ws = replicate n 0 for (i, #rose _ parts) in zip (iota n) trees do
         ws with [i] = length parts
     )
