-- # Nearest neighbours
--
-- The `k` places that are nearest to a given one, among many that are known by latitude and longitude. This is the
-- program NN of Rodinia, one of the sixteen benchmarks of the Futhark paper (PLDI 2017).
--
-- Rodinia, and Futhark after it, look for the least distance `k` times. Here a histogram counts the distances by their
-- leading bits. It shows which of them can be among the `k` least, and only these few are sorted.

type place = {latitude: f32, longitude: f32}

-- | As in Rodinia the distance is that of the plane.
def distance (a: place) (b: place) : f32 =
  let (x, y) = (a.longitude - b.longitude, a.latitude - b.latitude)
  in f32.sqrt (x * x + y * y)

-- A float that is not negative is ordered like the integer that has the same bits. The first bit is the sign, and never
-- set. The twelve after it are the exponent and four digits of the mantissa: distances that agree in these differ by six
-- percent at most.

def classes : i64 = 1 << 12

def class (distance: f32) : i64 = i64.u32 (f32.to_bits distance >> 19)

-- | The class of the `k`-th least distance.
def class_of_rank [n] (k: i64) (distances: [n]f32) : i64 =
  let counts = hist (+) 0 classes (map class distances) (replicate n 1i32)
  let less = map (\c -> i64.bool (i64.i32 c < k)) (scan (+) 0 counts)
  in i64.sum less

-- | The indices of the `k` least distances in ascending order, and the distances. Of equal ones the first counts.
def least [n] (k: i64) (distances: [n]f32) : ([k]i64, [k]f32) =
  let limit = class_of_rank k distances
  let candidates =
    filter (\(_, d) -> class d <= limit) (zip (iota n) distances)
  in unzip (take k (sort_by_key (.1) candidates))

-- | The indices of the `k` places nearest to a place, and how far away they are.
-- ==
-- entry: nearest
-- nobench input { 2i64 0.0f32 0.0f32 [3.0f32, 1.0f32, 0.0f32, 8.0f32] [4.0f32, 1.0f32, 2.0f32, 6.0f32] }
-- output { [1i64, 2i64] [1.414214f32, 2.0f32] }
-- nobench input { 4i64 0.0f32 0.0f32 [3.0f32, 1.0f32, 3.0f32, 8.0f32] [4.0f32, 1.0f32, 4.0f32, 6.0f32] }
-- output { [1i64, 0i64, 2i64, 3i64] [1.414214f32, 5.0f32, 5.0f32, 10.0f32] }
-- nobench input { 1i64 50.0f32 7.0f32 [50.0f32] [7.0f32] } output { [0i64] [0.0f32] }
-- nobench input { 0i64 50.0f32 7.0f32 empty([0]f32) empty([0]f32) } output { empty([0]i64) empty([0]f32) }
-- "8,560" notest script input { input 428i64 20i64 }
-- "85,540" notest script input { input 4277i64 20i64 }
-- "855,280" notest script input { input 42764i64 20i64 }
entry nearest [n]
              (k: i64)
              (latitude: f32)
              (longitude: f32)
              (latitudes: [n]f32)
              (longitudes: [n]f32) : ([k]i64, [k]f32) =
  let far latitude' longitude' =
    distance {latitude, longitude}
             {latitude = latitude', longitude = longitude'}
  in least k (map2 far latitudes longitudes)

-- The same by sorting all distances. Two devices may round a distance in different ways.
-- ==
-- entry: agrees_with_sorting
-- nobench script input { input 60i64 3i64 } output { true }
entry agrees_with_sorting
    [n]
    (k: i64)
    (latitude: f32)
    (longitude: f32)
    (latitudes: [n]f32)
    (longitudes: [n]f32) : bool =
  let (is, distances) = nearest k latitude longitude latitudes longitudes
  let far i =
    distance {latitude, longitude}
             {latitude = latitudes[i], longitude = longitudes[i]}
  let sorted = take k (sort_by_key (.1) (zip (iota n) (tabulate n far)))
  let is_near a b = f32.abs (a - b) <= 1e-5 * b
  in and (map3 (\(j, e) i d -> i == j && is_near d e) sorted is distances)

-- Rodinia's records are positions of hurricanes, 42,764 of them, and the paper uses them twenty times over. These are
-- made up: as many, in the same part of the world. The place is the one that Rodinia's documentation looks for.

-- | The `i`-th of a sequence of numbers from 0 to 1 that look random.
def random (seed: u32) (i: i64) : f32 =
  let x = u32.i64 i * 0x9e3779b1 + seed * 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  in f32.u32 ((x ^ (x >> 15)) >> 8) / 16777216

entry input (records: i64) (copies: i64) : (i64, f32, f32, []f32, []f32) =
  let latitude i = 7 + 56 * random 1 (i % records)
  let longitude i = 358 * random 2 (i % records)
  in ( 100
     , 30
     , 90
     , tabulate (records * copies) latitude
     , tabulate (records * copies) longitude
     )

-- > nearest 3i64 30f32 90f32 [30f32, 31f32, 60f32, 28f32] [80f32, 91f32, 90f32, 93f32]

-- The hundred places of 20,000 that are nearest to the one asked for.

entry picture [n]
              (k: i64)
              (latitude: f32)
              (longitude: f32)
              (latitudes: [n]f32)
              (longitudes: [n]f32) : [][]u32 =
  let (height, width) = (120, 720)
  let row latitude = height - 1 - i64.f32 (2 * (latitude - 5))
  let pixel i = row latitudes[i] * width + i64.f32 (2 * longitudes[i])
  let (found, _) = nearest k latitude longitude latitudes longitudes
  let black = replicate (height * width) 0xff000000u32
  let all = scatter black (tabulate n pixel) (replicate n 0xff808080)
  in unflatten (scatter all (map pixel found) (replicate k 0xffff8000))

-- > :brief :img picture (input 20000i64 1i64);
-- alt: Dots on a map, the nearest to one place in orange
