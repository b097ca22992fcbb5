-- Values of all types but recursive ones, which only the interpreter shows.
-- ==
-- entry: scalars arrays sums
-- input { 7i64 } auto output
-- input { 0i64 } auto output

entry scalars (n: i64) =
  let f = f64.i64 n / 3
  let all =
    #[trace(all)]
    ( i8.i64 (-n)
    , u8.i64 (-n)
    , u16.i64 n
    , i16.i64 (-n)
    , u32.i64 (-n)
    , u64.i64 (-n)
    , n > 3
    , f16.f64 f
    , f32.f64 f
    , -f
    , f64.nan
    , ()
    )
  in all.0

entry arrays (n: i64) =
  let empty = #[trace(empty)] (replicate 0 1f32)
  let matrix =
    #[trace(matrix)] (tabulate_2d 2 3 (\i j -> f32.i64 i - f32.i64 j / 2))
  let none = #[trace(none)] (tabulate_2d n 0 (\i j -> i + j))
  let records =
    #[trace(records)] (map (\i -> {i, even = i % 2 == 0, pair = [i, i * i]})
                           (iota n))
  let rows =
    #[trace(rows)] (map (\i -> map (\j -> (j, u8.i64 i)) (iota i)) (iota n))
  let deep =
    #[trace(deep)] (map (\i -> map (\j -> iota j) (iota i)) (iota (n / 2)))
  let inside = map (\i ->
    length (#[trace(inside)] (map (\j -> replicate j (i32.i64 i))
                                  (iota i)))) (iota 4)
  in ( length empty
     , length matrix
     , length none
     , length records
     , length rows
     , length deep
     , inside
     )

type~ shape = #none | #circle f32 | #box {w: i8, h: []bool}

def shape (i: i64) : shape =
  if i % 3 == 0
  then #none
  else if i % 3 == 1
  then #circle (f32.i64 i / 4)
  else #box {w = i8.i64 i, h = replicate (i / 2) true}

entry sums (n: i64) =
  let one = trace (shape n)
  let all = #[trace(all)] (map shape (iota n))
  let each = map (\i -> trace (shape i)) (iota n)
  in (length all + length each, match one case #none -> 0i64 case _ -> 1)
