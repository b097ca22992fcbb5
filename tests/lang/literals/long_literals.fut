-- Long literals are data of the program. What is made of them can be overwritten, and is the same the next time.
-- ==
-- entry: read
-- input { 0i64 } output { 0u8 -0.5f32 false 0i64 }
-- input { 39i64 } output { 39u8 77.5f32 false 1443i64 }
-- input { 37i64 } output { 37u8 73.5f32 true 1369i64 }

-- ==
-- entry: special
-- input { 1i64 } output { true 1f64 }
-- input { 35i64 } output { false f64.inf }
-- input { 36i64 } output { false 36.25f64 }

-- ==
-- entry: overwritten
-- input { 3i64 } output { 7i64 28756i64 7i64 28756i64 }

-- ==
-- entry: with_variables
-- input { 5i64 9i64 } output { 9i64 5i64 1i64 39i64 774i64 }

-- ==
-- entry: matrix
-- input { 2i64 } output { [4i32, 5i32, 6i32] 14i32 }

-- ==
-- entry: pairs
-- input { 0i64 } output { 7i64 true }
-- input { 2i64 } output { 21i64 true }

entry read (i: i64) : (u8, f32, bool, i64) =
  let a: [40]u8 =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
     21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]
  let b: [40]f32 =
    [-0.5, 1.5, 3.5, 5.5, 7.5, 9.5, 11.5, 13.5, 15.5, 17.5, 19.5, 21.5, 23.5,
     25.5, 27.5, 29.5, 31.5, 33.5, 35.5, 37.5, 39.5, 41.5, 43.5, 45.5, 47.5,
     49.5, 51.5, 53.5, 55.5, 57.5, 59.5, 61.5, 63.5, 65.5, 67.5, 69.5, 71.5,
     73.5, 75.5, 77.5]
  let c =
    [false, true, false, false, true, false, false, true, false, false, true,
     false, false, true, false, false, true, false, false, true, false, false,
     true, false, false, true, false, false, true, false, false, true, false,
     false, true, false, false, true, false, false]
  let d: [40]i64 =
    [0, 37, 74, 111, 148, 185, 222, 259, 296, 333, 370, 407, 444, 481, 518, 555,
     592, 629, 666, 703, 740, 777, 814, 851, 888, 925, 962, 999, 1036, 1073,
     1110, 1147, 1184, 1221, 1258, 1295, 1332, 1369, 1406, 1443]
  in (a[i], b[i], c[i], d[i])

entry special (i: i64) : (bool, f64) =
  let a: [40]f64 =
    [0.25, f64.nan, 2.25, 3.25, 4.25, 5.25, 6.25, 7.25, 8.25, 9.25, 10.25,
     11.25, 12.25, 13.25, 14.25, 15.25, 16.25, 17.25, 18.25, 19.25, 20.25,
     21.25, 22.25, 23.25, 24.25, 25.25, 26.25, 27.25, 28.25, 29.25, 30.25,
     31.25, 32.25, 33.25, 34.25, f64.inf, 36.25, 37.25, 38.25, 39.25]
  in (f64.isnan a[i], if f64.isnan a[i] then 1 else a[i])

def numbers (_: i64) : *[40]i64 =
  [0, 37, 74, 111, 148, 185, 222, 259, 296, 333, 370, 407, 444, 481, 518, 555,
   592, 629, 666, 703, 740, 777, 814, 851, 888, 925, 962, 999, 1036, 1073, 1110,
   1147, 1184, 1221, 1258, 1295, 1332, 1369, 1406, 1443]

entry overwritten (i: i64) : (i64, i64, i64, i64) =
  let once (x: i64) =
    let xs = numbers x
    let xs[i] = 7
    in (xs[i], i64.sum xs)
  let (a, b) = once i
  let (c, d) = once (i + 1)
  in (a, b, c, d)

entry with_variables (x: i64) (y: i64) : (i64, i64, i64, i64, i64) =
  let a =
    [y, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, x,
     21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]
  in (a[0], a[20], a[1], a[39], i64.sum a)

entry matrix (i: i64) : ([3]i32, i32) =
  let a: [30][3]i32 =
    [ [-2, -1, 0]
    , [1, 2, 3]
    , [4, 5, 6]
    , [7, 8, 9]
    , [10, 11, 12]
    , [13, 14, 15]
    , [16, 17, 18]
    , [19, 20, 21]
    , [22, 23, 24]
    , [25, 26, 27]
    , [28, 29, 30]
    , [31, 32, 33]
    , [34, 35, 36]
    , [37, 38, 39]
    , [40, 41, 42]
    , [43, 44, 45]
    , [46, 47, 48]
    , [49, 50, 51]
    , [52, 53, 54]
    , [55, 56, 57]
    , [58, 59, 60]
    , [61, 62, 63]
    , [64, 65, 66]
    , [67, 68, 69]
    , [70, 71, 72]
    , [73, 74, 75]
    , [76, 77, 78]
    , [79, 80, 81]
    , [82, 83, 84]
    , [85, 86, 87]
    ]
  in (a[i], i32.sum (map (\r -> r[1]) a[:i + 2]))

entry pairs (i: i64) : (i64, bool) =
  let a =
    [ [(0, false), (1, true), (2, false), (3, true), (4, false), (5, true),
       (6, false), (7, true)]
    , [(8, true), (9, false), (10, true), (11, false), (12, true), (13, false),
       (14, true), (15, false)]
    , [(16, false), (17, true), (18, false), (19, true), (20, false),
       (21, true), (22, false), (23, true)]
    , [(24, true), (25, false), (26, true), (27, false), (28, true),
       (29, false), (30, true), (31, false)]
    , [(32, false), (33, true), (34, false), (35, true), (36, false),
       (37, true), (38, false), (39, true)]
    , [(40, true), (41, false), (42, true), (43, false), (44, true),
       (45, false), (46, true), (47, false)]
    , [(48, false), (49, true), (50, false), (51, true), (52, false),
       (53, true), (54, false), (55, true)]
    , [(56, true), (57, false), (58, true), (59, false), (60, true),
       (61, false), (62, true), (63, false)]
    , [(64, false), (65, true), (66, false), (67, true), (68, false),
       (69, true), (70, false), (71, true)]
    ]
  in a[i, 7 - i]
