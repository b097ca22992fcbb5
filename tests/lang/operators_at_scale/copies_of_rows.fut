-- Rows that are copied as they are: looked up, moved, repeated, joined, written down; alone and beside scalars.

def h (i: i64) : i64 =
  let x = u32.i64 i * 0x9e3779b1
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  in i64.u32 (x ^ (x >> 12)) % 1000

def table (n: i64) (m: i64) : [n][m]i64 =
  tabulate_2d n m (\i j -> h (i * m + j))

def mark [n] [m] (xss: [n][m]i64) : i64 =
  i64.sum (flatten (map2 (\i xs ->
                            map2 (\j x -> (x + 1) * (i * 31 + j + 7) % 10007)
                                 (iota m)
                                 xs)
                         (iota n)
                         xss))

-- ==
-- entry: take
-- input { [2i64, 0i64, 0i64] [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] } output { [[5f32, 6f32], [1f32, 2f32], [1f32, 2f32]] }
-- input { [2i64, 3i64] [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] } error: out of bounds
-- input { empty([0]i64) [[1f32, 2f32]] } output { empty([0][2]f32) }
entry take [n] [m] (is: []i64) (xss: [n][m]f32) : [][m]f32 =
  map (\i -> xss[i]) is

-- ==
-- entry: take_two
-- input { 700i64 33i64 } output { 205688i64 115474735i64 114759521i64 55926382i64 }
-- input { 5i64 2000i64 } output { 6i64 50142542i64 49585750i64 25099650i64 }
-- input { 5i64 0i64 } output { 6i64 0i64 0i64 0i64 }
entry take_two (n: i64) (m: i64) : (i64, i64, i64, i64) =
  let xss = table n m
  let yss = table m n
  let (a, b, c, d) =
    unzip4 (map (\i ->
      let k = h i % n
      in ( k
         , xss[k]
         , transpose yss |> (\t -> t[n - 1 - k])
         , xss[i, 0:m / 2]
         )) (iota n))
  in (i64.sum a, mark b, mark c, mark d)

-- ==
-- entry: turn
-- input { 0i64 5i64 3i64 } output { 0i64 0i64 }
-- input { 300i64 70i64 3i64 } output { 105202727i64 105303471i64 }
-- input { 7i64 3000i64 -12i64 } output { 104799822i64 104881061i64 }
entry turn (n: i64) (m: i64) (k: i64) : (i64, i64) =
  let xss = table n m
  in (mark (rotate k xss), mark (reverse (rotate k (map (rotate k) xss))))

-- ==
-- entry: move
-- input { 300i64 33i64 } output { 49047686i64 71608557i64 }
-- input { 3i64 3001i64 } output { 118565022i64 45035308i64 }
entry move (n: i64) (m: i64) : (i64, i64) =
  let to = map (\i -> (i * 7 + 3) % (2 * n) - 1) (iota n)
  let (xss, zs) = (table n m, map h (iota n))
  let moved = scatter (replicate (n + 5) (replicate m 5)) to xss
  let pairs =
    scatter (replicate n (replicate m 1, 0))
            (map (\i -> (i + 3) % n) (iota n))
            (zip xss zs)
  in ( mark moved
     , mark (map (.0) pairs) + i64.sum (map2 (*) (iota n) (map (.1) pairs))
     )

-- ==
-- entry: cells
-- input { 40i64 9i64 } output { 4257200i64 }
entry cells (n: i64) (m: i64) : i64 =
  let xss = table (n * 2) m
  let moved =
    scatter_2d (replicate n (replicate 3 (replicate m 0)))
               (map (\i -> (i % n, i / n + 1)) (iota (n * 2)))
               xss
  in mark (flatten moved)

-- ==
-- entry: repeat
-- input { 0i64 4i64 } output { 0i64 }
-- input { 64i64 1000i64 } output { 960876016i64 }
-- input { 1000i64 3i64 } output { 44682209i64 }
entry repeat (n: i64) (m: i64) : i64 =
  let row = map h (iota m)
  let copies = replicate n row
  let deep =
    replicate 3 (copies with [0:n / 2] = replicate (n / 2) (reverse row))
  in mark (flatten deep)

-- ==
-- entry: literal
-- input { 3i64 [4f32, 8f32, 12f32, 16f32, 1f32] } output { [[4.0f32, 29.0f32, 25.5f32, 22.0f32, 6.625f32], [3.25f32, 24.0f32, 21.0f32, 18.0f32, 5.5f32], [1.5f32, 24.0f32, 18.0f32, 12.0f32, 6.0f32]] }
entry literal [n] (steps: i64) (xs: [n]f32) : [3][n]f32 =
  loop parts = [xs, xs, xs] for _i < steps do
    let sums = map f32.sum (transpose parts)
    in [map (* 0.5) sums, reverse parts[0], parts[1]]

-- ==
-- entry: literal_of_computed
-- input { 5i64 } output { [[[0i64, 931i64, 871i64, 901i64, 783i64], [0i64, 1i64, 3i64, 6i64, 10i64]], [[0i64, 1i64, 3i64, 6i64, 10i64], [1i64, 932i64, 872i64, 902i64, 784i64]]] }
-- input { 0i64 } output { empty([2][2][0]i64) }
entry literal_of_computed (n: i64) : [2][2][n]i64 =
  let (a, b) = (map h (iota n), scan (+) 0 (iota n))
  in [[a, b], [b, map (+ 1) a]]

-- Nothing but moves.
-- ==
-- entry: transposed
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] } output { [[1.0f32, 3.0f32, 5.0f32], [2.0f32, 4.0f32, 6.0f32]] }
-- input { empty([0][2]f32) } output { empty([2][0]f32) }
entry transposed [n] [m] (xss: [n][m]f32) : [m][n]f32 = transpose xss

-- ==
-- entry: joined
-- input { [1, 2, 3, 4, 5] } output { [5i32, 4i32, 3i32, 2i32, 1i32, 1i32, 2i32, 3i32, 4i32, 5i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry joined [n] (xs: [n]i32) : [n + n]i32 = reverse xs ++ xs

-- ==
-- entry: joined_in_a_loop
-- input { 3i64 [[1, 2], [3, 4]] } output { [[1i32, 3i32, 3i32, 1i32, 1i32, 3i32, 3i32, 1i32], [2i32, 4i32, 4i32, 2i32, 2i32, 4i32, 4i32, 2i32], [2i32, 4i32, 4i32, 2i32, 2i32, 4i32, 4i32, 2i32], [1i32, 3i32, 3i32, 1i32, 1i32, 3i32, 3i32, 1i32]] }
entry joined_in_a_loop (steps: i64) (xss: [][]i32) : [][]i32 =
  loop xss for _i < steps do transpose (xss ++ reverse xss)

-- ==
-- entry: part
-- input { 1i64 [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[4i32, 6i32], [7i32, 9i32]] }
-- input { 5i64 [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } error: out of bounds
entry part [n] [m] (k: i64) (xss: [n][m]i32) : [][]i32 =
  if k > 2 then [xss[k]] else xss[k:, 0:m:2]

-- ==
-- entry: chosen
-- input { true [[1, 2], [3, 4]] } output { [[1i32, 3i32], [2i32, 4i32]] }
-- input { false [[1, 2], [3, 4]] } output { [[1i32, 2i32], [3i32, 4i32]] }
entry chosen [n] (c: bool) (xss: [n][n]i32) : [n][n]i32 =
  if c then transpose xss else copy xss
