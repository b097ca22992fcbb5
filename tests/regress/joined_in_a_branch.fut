-- Arrays that are joined in a branch for each element: joined once, and never half of them.

def scanned [n] (vs: [n]i32) : [n]i64 =
  scan (+) 0 (map (\i -> if i % 7 == 0 then i64.i32 (vs ++ [7])[i + 1] else 0) (iota n))

-- ==
-- entry: main
-- input { [1, 2, 3, 4, 5, 6, 7, 8, 9] } output { [2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 11i64, 11i64] }
entry main [n] (vs: [n]i32) : [n]i64 = scanned vs

-- ==
-- entry: large
-- input { 20000i64 } output { true true }
entry large (n: i64) : (bool, bool) =
  let vs = map i32.i64 (iota n)
  let next = map (\i -> if i % 7 != 0 then 0 else if i + 1 < n then i + 1 else 7) (iota n)
  let mapped = map (\i -> if i % 7 == 0 then (vs ++ [7])[i + 1] else 0) (iota n)
  in (and (map2 (==) (scanned vs) (scan (+) 0 next)), and (map2 (==) mapped (map i32.i64 next)))

-- What is in a branch that nobody takes does not fail, nor does it need memory.
-- ==
-- entry: never
-- input { [1, 2, 3] 1000000000000i64 -1i64 } output { [1, 2, 3] }
entry never [n] (vs: [n]i32) (large: i64) (negative: i64) : [n]i32 =
  map (\v ->
         if v > 5
         then (replicate large v)[large - 1]
              + (replicate large 1i32)[v]
              + (replicate negative 1i32)[0]
              + vs[negative]
              + v / i32.i64 (negative + 1)
         else v)
      vs
