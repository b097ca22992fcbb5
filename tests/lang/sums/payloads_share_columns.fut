-- Payloads of one kind lie in the same column, whichever constructor they belong to: each has its own size, and is what it was.

-- ==
-- entry: sizes
-- input { 3i64 }
-- output { [0i64, 3i64, 6i64, 5i64] }

-- ==
-- entry: in_arrays
-- input { 9i64 }
-- output { [-1i64, 100i64, 2021i64, 9i64, -1i64, 510i64, 2061i64, 28i64, -1i64] [true, false] }

-- ==
-- entry: in_loop
-- input { 5i64 }
-- output { 3000i64 }

-- ==
-- entry: through
-- input { 0i64 }
-- output { [7i64, 8i64] }
-- input { 1i64 }
-- output { [3i64] }
-- input { 2i64 }
-- output { [0i64, 1i64, 2i64, 3i64] }
type t [n] [m] =
    #a ([n]i64)
  | #b ([m]i64)
  | #c i64 ([m]i64)
  | #d (i64, f32) bool
  | #e (i64, f32)

def size_a [n] [m] (x: t [n] [m]) : i64 =
  match x
  case #a xs -> length xs
  case #b _ -> n * 0 + m
  case #c k ys -> k + length ys
  case #d (k, _) b -> if b then k else 0
  case #e (k, y) -> k + i64.f32 y

entry sizes (n: i64) : [4]i64 =
  let a: t [0] [n] = #b (iota n)
  let b: t [n] [2] = #c n (iota 2 |> map (* 2))
  in [ size_a (#a [] : t [0] [1])
     , size_a a
     , size_a (#d (6, 1) true : t [n] [n])
     , size_a b
     ]

type inner = #left i64 | #right i64 i64
type~ s =
  #none | #xs ([]i64) | #two i64 ([]i64) | #rows i64 ([][2]i64) | #in inner

def make (i: i64) : s =
  match i % 4
  case 0 -> #none
  case 1 -> if i > 4 then #two 5 (iota i) else #in (#left (i * 100))
  case 2 -> #rows 2 (map (\j -> [i * 10, j]) (iota 2))
  case _ -> if i > 4 then #xs (map (+ 1) (iota i)) else #in (#right i (i * 2))

def value (x: s) : i64 =
  match x
  case #none -> -1
  case #xs xs -> i64.sum xs
  case #two k xs -> k * 100 + i64.sum xs
  case #rows k xss ->
    k * 1000
    + i64.sum (map i64.sum xss) * 1
    - (if length xss > 0 then xss[0][0] else 0)
  case #in (#left k) -> k
  case #in (#right j k) -> j + k

entry in_arrays (n: i64) : ([n]i64, [2]bool) =
  let xs = map make (iota n)
  let ys = map make (iota n)
  in (map value xs, [xs == ys, xs == ys[::-1]])

entry in_loop (n: i64) : i64 =
  let x =
    loop x: (#up ([n]i64) | #down ([n]i64)) = #up (iota n) for i < 3 do
      match x
      case #up xs -> #down (map (+ i) xs)
      case #down xs -> #up (map (* 2) xs)
  in match x
     case #up xs -> i64.sum xs
     case #down xs -> i64.sum xs * 100

def pick (k: i64) : (#one ([]i64) | #other ([]i64)) =
  if k == 0 then #one [7, 8] else if k == 1 then #other [3] else #one (iota 4)

entry through (k: i64) : []i64 =
  match pick k
  case #one xs -> xs
  case #other ys -> ys
