-- What a recursive function yields has the size that its type says, so rows that are halved stay rows of one length: the host knows it and does not wait.
-- ==
-- entry: butterfly butterfly_by_size
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32] }
-- output { [36, -4, -8, 0, -16, 0, 0, 0] }
-- structure run { waits 1 sent 0 received 0 }
-- input { [7i32] }
-- output { [7] }
-- input { empty([0]i32) }
-- output { empty([0]i32) }

-- ==
-- entry: strassen_main
-- input { [[1i32, 2i32], [3i32, 4i32]] [[5i32, 6i32], [7i32, 8i32]] }
-- output { [[19, 22], [43, 50]] }
-- structure run { waits 1 sent 0 received 0 }

def butterfly_of [n] (xs: [n]i32) : [n]i32 =
  if n <= 1
  then xs
  else let m = n / 2
       let ys = map butterfly_of (unflatten (sized (2 * m) xs) : [2][m]i32)
       in sized n (map2 (+) ys[0] ys[1] ++ map2 (-) ys[0] ys[1])

entry butterfly [n] (xs: [n]i32) : [n]i32 = butterfly_of xs

-- The same with a size that is a parameter, and a condition that is a branch.
def by_size (n: i64) (xs: [n]i32) : [n]i32 =
  if n == 0 || n == 1
  then xs
  else let m = n / 2
       let ys = map (by_size m) (unflatten (sized (2 * m) xs) : [2][m]i32)
       in sized n (map2 (+) ys[0] ys[1] ++ map2 (-) ys[0] ys[1])

entry butterfly_by_size [n] (xs: [n]i32) : [n]i32 = by_size n xs

def strassen (n: i64) (a: [n][n]i32) (b: [n][n]i32) : [n][n]i32 =
  if n <= 1
  then map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a
  else let m = n / 2
       let part (x: [n][n]i32) i j : [m][m]i32 =
         x[i * m:i * m + m, j * m:j * m + m] :> [m][m]i32
       let add (x: [m][m]i32) (y: [m][m]i32) = map2 (map2 (+)) x y
       let sub (x: [m][m]i32) (y: [m][m]i32) = map2 (map2 (-)) x y
       let (a11, a12, a21, a22) =
         (part a 0 0, part a 0 1, part a 1 0, part a 1 1)
       let (b11, b12, b21, b22) =
         (part b 0 0, part b 0 1, part b 1 0, part b 1 1)
       let ps =
         map2 (strassen m)
              [ add a11 a22
              , add a21 a22
              , a11
              , a22
              , add a11 a12
              , sub a21 a11
              , sub a12 a22
              ]
              [ add b11 b22
              , b11
              , sub b12 b22
              , sub b21 b11
              , b22
              , add b11 b12
              , add b21 b22
              ]
       let c11 = add (sub (add ps[0] ps[3]) ps[4]) ps[6]
       let c12 = add ps[2] ps[4]
       let c21 = add ps[1] ps[3]
       let c22 = add (sub (add ps[0] ps[2]) ps[1]) ps[5]
       in (map2 (++) c11 c12 ++ map2 (++) c21 c22) :> [n][n]i32

entry strassen_main [n] (a: [n][n]i32) (b: [n][n]i32) : [n][n]i32 =
  strassen n a b
