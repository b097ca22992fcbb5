-- Reductions of few rows that are long, of one length: with parts, without, with none left over, and what becomes of the sums.

def number (i: i64) : i64 = (i * 7919 + 13) % 10007

entry sums (n: i64) (m: i64) : [n]i64 =
  tabulate n (\i -> i64.sum (tabulate m (\j -> number (i * m + j))))
-- ==
-- entry: sums
-- input { 3i64 5000i64 } output { [25016022i64, 25020465i64, 25004894i64] }
-- input { 2i64 2048i64 } output { [10250069i64, 10239416i64] }
-- input { 2i64 2047i64 } output { [10241196i64, 10234925i64] }
-- input { 1i64 100003i64 } output { [500315969i64] }
-- input { 0i64 5000i64 } output { empty([0]i64) }
-- input { 70i64 4099i64 } output { [20503878i64, 20513731i64, 20503570i64, 20503416i64, 20513269i64, 20503108i64, 20512961i64, 20492793i64, 20522660i64, 20512499i64, 20492331i64, 20522198i64, 20492023i64, 20511883i64, 20501722i64, 20511575i64, 20511421i64, 20501260i64, 20511113i64, 20510959i64, 20510805i64, 20500644i64, 20500490i64, 20520350i64, 20500182i64, 20500028i64, 20519888i64, 20499720i64, 20519580i64, 20489405i64, 20519272i64, 20509111i64, 20498950i64, 20518810i64, 20498642i64, 20508495i64, 20498334i64, 20518194i64, 20508033i64, 20497872i64, 20507725i64, 20517578i64, 20507417i64, 20507263i64, 20497102i64, 20516962i64, 20496794i64, 20506647i64, 20516500i64, 20496332i64, 20526199i64, 20486017i64, 20525891i64, 20505723i64, 20495562i64, 20515422i64, 20505261i64, 20505107i64, 20504953i64, 20514806i64, 20504645i64, 20504491i64, 20504337i64, 20514190i64, 20504029i64, 20513882i64, 20493714i64, 20523581i64, 20493406i64, 20513266i64] }

entry spreads (n: i64) (m: i64) : ([n]i64, [n]i64, [n]f64) =
  let xss = tabulate_2d n m (\i j -> number (i * m + j))
  in unzip3 (map (\xs ->
    let (least, most) =
      reduce_comm (\a b -> (i64.min a.0 b.0, i64.max a.1 b.1))
                  (i64.highest, i64.lowest)
                  (zip xs xs)
    in (least, most, f64.i64 (most - least) / f64.i64 m)) xss)
-- ==
-- entry: spreads
-- input { 3i64 5000i64 } output { [0i64, 4i64, 0i64] [10006i64, 10005i64, 10006i64] [2.0012f64, 2.0002f64, 2.0012f64] }

entry levels (n: i64) (m: i64) (k: i64) : [n][m]i64 =
  tabulate_2d n m (\i j ->
    100 / (1 + i + j) + i64.sum (tabulate k (\l -> number (i + l) ^ j)))
-- ==
-- entry: levels
-- input { 2i64 0i64 -4i64 } output { empty([2][0]i64) }
-- input { 2i64 3i64 6001i64 } output { [[30019836i64, 30019783i64, 30019767i64], [30028469i64, 30028451i64, 30028442i64]] }

-- The quotient fails in a row whose sum is even.
entry quotients [n] (ms: [n]i64) (k: i64) : [n]i64 =
  map (\m -> 1000 / (i64.sum (tabulate k (\l -> l * m)) % 2)) ms
-- ==
-- entry: quotients
-- input { [1i64, 5i64] 4098i64 } output { [1000i64, 1000i64] }
-- input { [1i64, 4i64] 4098i64 }
-- error: Division by zero

-- An operator that is not commutative.
entry affine (n: i64) (m: i64) : ([n]i64, [n]i64) =
  unzip (tabulate n (\i ->
    reduce (\f g -> (f.0 * g.0 % 1009, (f.1 * g.0 + g.1) % 1009))
           (1, 0)
           (tabulate m (\j -> (1 + number j % 7, number (i + j))))))
-- ==
-- entry: affine
-- input { 3i64 5000i64 } output { [42i64, 42i64, 42i64] [26i64, 668i64, 657i64] }
