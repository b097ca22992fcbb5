-- | Calmodulin, the kinase CaMKII and the phosphatase calcineurin in one place of a cell, after Saucerman and Bers (2008).
--
-- Concentrations are in μmol/l here, and rates per second where nothing else is said.

import "cell"

-- | How much there is of each in a place.
type totals = {buffer: f32, kinase: f32, calcineurin: f32, phosphatase: f32}

def in_cleft : totals =
  { buffer = 1.54 / 8.293e-4
  , kinase = 120
  , calcineurin = 3e-3 / 8.293e-4
  , phosphatase = 96.5
  }

def elsewhere : totals =
  { buffer = 24.2
  , kinase = 120 * 8.293e-4
  , calcineurin = 3e-3
  , phosphatase = 0.57
  }

-- Calmodulin binds calcium in two pairs. How easily depends on potassium and magnesium.

def off_first : f32 = 10

def off_second : f32 = 500

def on_first : f32 =
  off_first
  / (0.0025
     * (1 + k_in / 0.94 - magnesium / 0.012)
     * (1 + k_in / 8.1 + magnesium / 0.022))

def on_second : f32 =
  off_second
  / (0.128
     * (1 + k_in / 0.64 + magnesium / 0.0014)
     * (1 + k_in / 13 - magnesium / 0.153))

-- | Calmodulin is held by a buffer, and hardly let go once it has calcium.
def on_buffer : f32 = 0.007

def off_buffer : f32 = 0.0014

def off_buffer_with_ca : f32 = 0.000014

-- The state of a place:
--
-- - calmodulin with 0, 2 and 4 calcium ions, free (`c`) and held by the buffer (`b`);
-- - the parts of the kinase that are bound to calmodulin with 2 and 4 ions (`pb2`, `pb`), that have phosphorylated
--   themselves and keep their calmodulin (`pt2`, `pt`), and that are active without it (`pa`);
-- - calcineurin with calcium, alone (`n`) and bound to the three kinds of calmodulin.

-- | The rates of change of a place, and that of its free calcium in μmol/l, per millisecond.
def calmodulin (total: totals) (ca: f32) (y: [15]f32) : (*[15]f32, f32) =
  let (c0, c2, c4) = (y[0], y[1], y[2])
  let (b0, b2, b4) = (y[3], y[4], y[5])
  let (pb2, pb, pt, pt2, pa) = (y[6], y[7], y[8], y[9], y[10])
  let (n, n0, n2, n4) = (y[11], y[12], y[13], y[14])
  let pair = ca * ca
  -- Free calmodulin, and that in the buffer.
  let c02 = bind pair c0 c2 on_first off_first
  let c24 = bind pair c2 c4 on_second off_second
  let b02 = bind pair b0 b2 on_first (off_first / 100)
  let b24 = bind pair b2 b4 on_second off_second
  let free = total.buffer - b0 - b2 - b4
  let cb0 = bind c0 free b0 on_buffer off_buffer
  let cb2 = bind c2 free b2 on_buffer off_buffer_with_ca
  let cb4 = bind c4 free b4 on_buffer off_buffer_with_ca
  -- Calcineurin binds calcium, and then calmodulin.
  let idle = total.calcineurin - n - n0 - n2 - n4
  let n_ca = bind pair idle n 2 1
  let n02 = bind pair n0 n2 on_first (off_first / 165)
  let n24 = bind pair n2 n4 on_second (off_first / 2508)
  let cn0 = bind c0 n n0 46 (0.0013 * 2508 * 165)
  let cn2 = bind c2 n n2 46 (0.0013 * 2508)
  let cn4 = bind c4 n n4 46 0.0013
  -- The kinase.
  let inactive = 1 - pb2 - pb - pt - pt2 - pa
  let (on, off) = (2.2 / 0.0335, 2.2)
  let ib2 = bind c2 inactive pb2 on (5 * on)
  let ib = bind c4 inactive pb on off
  let b2b = bind pair pb2 pb on_second (off_second * 0.0335 / 5)
  let active = pb + pt + pt2 + pa
  let trap = active * (0.055 + active * (0.0074 + active * 0.015))
  let reset p =
    1.72 * total.phosphatase * p / (11.5 + total.kinase * p)
  let bt = trap * pb - reset pt
  let tt2 = -bind pair pt2 pt on_second (off_second * 0.0335e-3 / 5)
  let ta = -bind c4 pa pt on (off / 1000)
  let t2a = -bind c2 pa pt2 on (5 * on)
  let changes =
    [ -c02 - cb0 - cn0
    , c02 - c24 - cb2 - cn2 + total.kinase * (t2a - ib2)
    , c24 - cb4 - cn4 + total.kinase * (ta - ib)
    , cb0 - b02
    , b02 + cb2 - b24
    , b24 + cb4
    , ib2 - b2b + reset pt2
    , ib + b2b - bt
    , bt - ta - tt2
    , tt2 - t2a - reset pt2
    , ta + t2a - reset pa
    , n_ca - cn0 - cn2 - cn4
    , cn0 - n02
    , cn2 + n02 - n24
    , cn4 + n24
    ]
  let bound =
    c02 + c24 + b02 + b24 + n_ca + n02 + n24 + total.kinase * (b2b - tt2)
  in (map (/ 1000) changes, -2 * bound / 1000)

-- Sums that are conserved: all calmodulin, and all calcium that is bound.

def calmodulin_of (total: totals) (y: [15]f32) : f32 =
  f32.sum y[0:6] + total.kinase * f32.sum y[6:10] + f32.sum y[12:15]

def bound_calcium (total: totals) (y: [15]f32) : f32 =
  2 * (y[1] + y[4] + y[11] + y[12])
  + 4 * (y[2] + y[5] + y[13])
  + 6 * y[14]
  + total.kinase * (2 * (y[6] + y[9]) + 4 * (y[7] + y[8]))
