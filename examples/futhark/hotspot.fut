-- # HotSpot
--
-- How heat spreads over a chip whose parts give off power. This is the program HotSpot of Rodinia, one of the sixteen
-- benchmarks of the Futhark paper (PLDI 2017). It simulates a network of thermal resistances and capacities (Huang et al.,
-- HotSpot: a compact thermal modeling methodology, 2006): many small steps of time, in each of which a cell of the chip
-- reads its four neighbours.

-- The chip, in metres: a square of 16 millimetres, half a millimetre thick.

def side : f32 = 0.016

def thickness : f32 = 0.0005

-- | Conductivity of silicon in W/(m K), and how much heat it holds, in J/(m³ K).
def conductivity : f32 = 100

def specific_heat : f32 = 1.75e6

-- | What corrects the capacity, because one thickness stands for all layers.
def capacity_factor : f32 = 0.5

-- | How warm it is around the chip, in degrees Celsius.
def surroundings : f32 = 80

-- | The greatest power density, in W/m², which may warm a cell by no more than the precision in a step, in degrees.
def max_power_density : f32 = 3e6

def precision : f32 = 0.001

-- A step adds to the temperature of a cell a share of each difference to another temperature, and of its power. The
-- shares are the length of the step over the capacity of the cell, and over the resistances.

type shares = {vertical: f32, horizontal: f32, surroundings: f32, power: f32}

def shares (rows: i64) (columns: i64) : shares =
  let height = side / f32.i64 rows
  let width = side / f32.i64 columns
  let capacity =
    capacity_factor * specific_heat * thickness * width * height
  let greatest_slope =
    max_power_density / (capacity_factor * thickness * specific_heat)
  let power = precision / greatest_slope / capacity
  in { power
     , vertical = power * (2 * conductivity * thickness * width) / height
     , horizontal = power * (2 * conductivity * thickness * height) / width
     , surroundings = power * conductivity * height * width / thickness
     }

-- | One step of time. No heat flows over the edge: beyond it, it is as warm as at the edge.
def step [n] [m]
         (share: shares)
         (power: [n][m]f32)
         (temperature: [n][m]f32) : [n][m]f32 =
  let next i j =
    let here = temperature[i, j]
    let north = temperature[i64.max 0 (i - 1), j]
    let south = temperature[i64.min (n - 1) (i + 1), j]
    let west = temperature[i, i64.max 0 (j - 1)]
    let east = temperature[i, i64.min (m - 1) (j + 1)]
    in here
       + share.power * power[i, j]
       + share.vertical * (north + south - 2 * here)
       + share.horizontal * (west + east - 2 * here)
       + share.surroundings * (surroundings - here)
  in tabulate_2d n m next

-- | The temperatures after some steps, in degrees Celsius; the power of a cell is in watts.
-- ==
-- entry: simulate
-- nobench input { 2000i32 [[300.0f32, 10.0f32, 20.0f32, 80.0f32, 80.0f32, 80.0f32]]
--                 [[0.0f32, 0.0f32, 200.0f32, 0.0f32, 0.0f32, 1000.0f32]] }
-- output { [[270.18030f32, 21.18095f32, 30.80452f32, 79.52763f32, 80.06417f32, 94.56197f32]] }
-- nobench input { 2000i32 [[80.0f32, 380.0f32], [80.0f32, 80.0f32], [80.0f32, 80.0f32], [80.0f32, 90.0f32]]
--                 [[0.0f32, 0.0f32], [1000.0f32, 0.0f32], [0.0f32, 0.0f32], [0.0f32, 0.0f32]] }
-- output { [[80.31162f32, 341.18927f32], [99.41694f32, 81.09604f32], [80.03951f32, 80.03849f32],
--          [80.00912f32, 88.70631f32]] }
-- nobench input { 0i32 [[25.0f32]] [[1.0f32]] } output { [[25.0f32]] }
-- nobench input { 3i32 empty([0][0]f32) empty([0][0]f32) } output { empty([0][0]f32) }
-- "64 x 64" notest script input { input 360i32 64i64 }
-- "256 x 256" notest script input { input 360i32 256i64 }
-- "1024 x 1024" notest script input { input 360i32 1024i64 }
entry simulate [n] [m]
               (steps: i32)
               (temperature: [n][m]f32)
               (power: [n][m]f32) : [n][m]f32 =
  let share = shares n m
  in loop temperature for _i < steps do step share power temperature

-- The input: a chip as warm as its surroundings, on which some blocks give off more power than others.

-- | Power densities of a floor plan of 8 by 8 blocks, as a part of the greatest one.
def density (row: f32) (column: f32) : f32 =
  let (i, j) = (i64.f32 (row * 8), i64.f32 (column * 8))
  let x = u32.i64 (i * 8 + j + 1) * 0x9e3779b1
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = x ^ (x >> 12)
  in (f32.u32 (x % 64) / 63) ** 2

entry input (steps: i32) (n: i64) : (i32, [n][n]f32, [n][n]f32) =
  let cell = max_power_density * (side / f32.i64 n) ** 2
  let part i = f32.i64 i / f32.i64 n
  in ( steps
     , replicate n (replicate n surroundings)
     , tabulate_2d n n (\i j -> cell * density (part i) (part j))
     )

-- Where the power is the same everywhere, so is the temperature. It approaches the one at which the surroundings take
-- up all of the power: of the difference, each step leaves a fixed part.

-- | The greatest distance from that law after some steps, in relation to the law.
-- ==
-- entry: error_of_uniform_power
-- nobench input { 6i64 200i32 100000.0f32 } output { 0.0f32 }
-- nobench input { 1i64 200i32 100000.0f32 } output { 0.0f32 }
entry error_of_uniform_power (n: i64) (steps: i32) (power: f32) : f32 =
  let result =
    simulate steps
             (replicate n (replicate n surroundings))
             (replicate n (replicate n (power / f32.i64 (n * n))))
  let balance = power * thickness / (conductivity * side * side)
  let left = (1 - (shares n n).surroundings) ** f32.i32 steps
  let law = balance * (1 - left)
  let error t = f32.abs ((t - surroundings) / law - 1)
  in f32.maximum (map error (flatten result))

-- The temperatures after the 360 steps of the paper, in a colour that goes from the coldest (black) to the hottest
-- (white). They lie within half a degree.

entry picture [n] [m] (temperature: [n][m]f32) : [][]u32 =
  let all = flatten temperature
  let (least, greatest) = (f32.minimum all, f32.maximum all)
  let channel (from: f32) (x: f32) : u32 =
    u32.f32 (255 * f32.max 0 (f32.min 1 (3 * (x - from))))
  let colour t =
    let x = (t - least) / f32.max 1e-6 (greatest - least)
    in 0xff000000
       | channel 0 x << 16
       | channel (1 / 3) x << 8
       | channel (2 / 3) x
  in map (map colour) temperature[::2, ::2]

-- > :brief :img picture (simulate (input 360i32 1024i64));
-- alt: Squares of a chip from black, which is cold, over red and yellow to white, which is hot
