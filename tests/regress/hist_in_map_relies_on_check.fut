-- What a histogram of each row counts relies on a check that is done before, in a kernel of its own.
-- ==
-- input { [1i64, 2, 3] [[0i32, 0, 0], [0, 0, 0]] } output { [[0u32, 0, 0], [0, 0, 0]] [0i64, 0] }
-- input { [1i64, 2, 3] empty([0][3]i32) } output { empty([0][3]u32) empty([0]i64) }
-- input { empty([0]i64) [empty([0]i32)] } output { [empty([0]u32)] [0i64] }
entry main [n] [m] (ws: [m]i64) (xss: [n][m]i32) : ([n][m]u32, [n]i64) =
  unzip (map (\_ ->
                let bins =
                  hist (+) 0 7
                       (map (% 7)
                            (let q = m / 19
                             let xss = unflatten (ws[:q * 19] :> [q * 19]i64) : [q][19]i64
                             let both = (map (reduce i64.min i64.highest) xss ++ ws)[:m]
                             in map (\j -> both[(j * 10) % m]) (iota m)))
                       (rotate (0 % 77) (replicate m 0i64))
                in (replicate m 0u32, i64.sum (map (\j -> bins[j % 7] * (j + 1)) (iota m))))
             xss)
