-- # A heart muscle cell
--
-- What happens in a cell of the heart when it is stimulated: ions pass its membrane, calcium is released from a store, the
-- sarcoplasmic reticulum, and what binds calcium changes its state. This is the program Myocyte of Rodinia, one of the
-- sixteen benchmarks of the Futhark paper (PLDI 2017): many cells, each a system of ordinary differential equations that is
-- solved by itself, with steps of time as long as that cell allows.
--
-- The model of the membrane, the store and the buffers is that of Shannon, Wang, Puglisi, Weber and Bers (2004) for the
-- rabbit: 38 equations. Calmodulin, the kinase CaMKII and the phosphatase calcineurin follow Saucerman and Bers (2008): 15
-- equations for each of three places in the cell, the cleft at the junctions of membrane and store, the space under the
-- membrane, and the rest. Four more add up how much calcium passes the membrane, and by which way.
--
-- Rodinia counts 91 equations. Of these, two are placeholders, potassium inside the cell does not change, and one is a
-- simple buffer that stands for calmodulin; here potassium is a constant, and calmodulin is what the 45 equations say.
--
-- The parts are in files of their own: the membrane (`myocyte/membrane.fut`), calmodulin (`myocyte/calmodulin.fut`), and the
-- method that finds the steps (`myocyte/fehlberg.fut`).

import "myocyte/cell"
import "myocyte/membrane"
import "myocyte/calmodulin"
import "myocyte/fehlberg"

-- | How many numbers the state of a cell has: 42 for the membrane, then 15 each for the three places.
def size : i64 = 87

-- | Calmodulin also moves from place to place. The cleft gives it up as its buffer does.
def rates (time: f32) (y: [size]f32) : [size]f32 =
  let place i = y[42 + 15 * i:57 + 15 * i] :> [15]f32
  let (a, b, c) = (place 0, place 1, place 2)
  let (a', ca_cleft') = calmodulin in_cleft (1000 * y[34]) a
  let (b', ca_rest') = calmodulin elsewhere (1000 * y[35]) b
  let (c', ca_in') = calmodulin elsewhere (1000 * y[36]) c
  let free = in_cleft.buffer - calmodulin_of in_cleft a
  let from_cleft i =
    let off = if i == 0 then off_buffer else off_buffer_with_ca
    in (off * a[i] - on_buffer * free * b[i]) / 1000
  let to_cytosol i = 8.587e-15 * (b[i] - c[i])
  let y' = membrane time (y[0:42] :> [42]f32)
  let y' =
    y'
      with [34] = y'[34] + ca_cleft' / 1000
      with [35] = y'[35] + ca_rest' / 1000
      with [36] = y'[36] + ca_in' / 1000
  let move [n] (place: *[n]f32) f : [n]f32 =
    loop place for i < 3 do place with [i] = place[i] + f i
  in y'
     ++ move a' (\i -> -from_cleft i)
     ++ move b' (\i -> (from_cleft i * cleft - to_cytosol i) / under_membrane)
     ++ move c' (\i -> to_cytosol i / cytosol)
     :> [size]f32

-- | Cells after so many milliseconds.
-- ==
-- entry: simulate
-- nobench input { 3f32 empty([0][87]f32) } output { empty([0][87]f32) }
-- "655" notest script input { input 3f32 655i64 }
-- "6,554" notest script input { input 3f32 6554i64 }
-- "65,536" notest script input { input 3f32 65536i64 }
entry simulate [n] (span: f32) (cells: [n][size]f32) : [n][size]f32 =
  map (integrate rates 0 span) cells

-- The state of a cell that has rested for a second.

def rest : [size]f32 =
  sized size
        [0.00137336, 0.987107, 0.991804, 7.01113e-06, 1.00068, 0.0243263,
         0.0146789, 0.00401431, 0.994569, 0.994604, 0.00401431, 0.994626,
         0.00848386, 0.0053679, 0.903293, 7.50994e-07, 8.04014e-08, 3.53744,
         0.771921, 0.00885723, 0.107892, 0.0152195, 0.00268887, 0.136776,
         0.00216099, 0.00737091, 0.00963606, 0.0731311, 0.111693, 1.20659,
         0.562848, 8.77947, 8.78063, 8.78103, 0.000174292, 0.000103937,
         8.67775e-05, -85.708, 0, 0, 0, 0, 0.0984108, 0.000196629, 1.03875e-08,
         318.199, 100.237, 0.0052973, 3.93011e-05, 3.00649e-07, 3.36361e-16,
         3.28827e-21, 1.23076e-19, 0.213082, 0.00179311, 0.000557941,
         0.00200603, 0.0543168, 5.06133e-05, 9.42466e-10, 5.0261, 0.569689,
         1.07071e-05, 1.01243e-05, 3.03338e-08, 7.19832e-16, 7.77927e-21,
         4.31773e-17, 7.02317e-05, 3.26253e-07, 5.40775e-08, 9.29601e-08,
         0.0554312, 4.36095e-05, 5.71833e-10, 5.19528, 0.398777, 5.22415e-06,
         8.72288e-06, 1.73148e-08, 1.65144e-16, 1.77674e-21, 1.05975e-17,
         4.46928e-05, 2.11838e-07, 2.7747e-08, 3.22201e-08]

-- | Cells whose stores are filled more or less, by up to a tenth.
entry input (span: f32) (n: i64) : (f32, [n][size]f32) =
  let filled i =
    let x = u32.i64 i * 0x9e3779b1
    let x = (x ^ (x >> 15)) * 0x2c1b3c6d
    in 0.9 + 0.2 * f32.u32 ((x ^ (x >> 12)) >> 8) / 16777216
  let cell i = copy rest with [30] = rest[30] * filled i
  in (span, map cell (iota n))

-- | One cell at rest.
entry resting (span: f32) : (f32, [1][size]f32) = (span, [copy rest])

-- A rest, and then a stimulus: the voltage of the membrane in the 400 milliseconds that follow, and calcium in the cytosol
-- in mmol/l.

-- | A quantity of the state after each millisecond: 37 is the voltage, and 36 the calcium in the cytosol.
entry course (quantity: i64) (times: i64) : ([times]f32, [times]f32) =
  let (values, _) =
    loop (values, y) = (replicate times 0, copy rest) for i < times do
      let y = integrate rates (f32.i64 i) (f32.i64 (i + 1)) y
      in (values with [i] = y[quantity], y)
  in (map (\i -> f32.i64 (i + 1)) (iota times), values)

-- > :brief :plot2d course 37i64 400i64;
-- xlabel: milliseconds after the stimulus
-- ylabel: voltage of the membrane, mV
-- alt: The voltage jumps up within milliseconds of the stimulus, stays there, and falls back

-- > :brief :plot2d course 36i64 400i64;
-- xlabel: milliseconds after the stimulus
-- ylabel: calcium in the cytosol, mmol/l
-- alt: Calcium in the cytosol rises after the stimulus and falls again, more slowly

-- ## Tests

-- | Of a cell: the voltage, the sodium gate m, calcium in the cleft, the space under the membrane, the cytosol
-- (μmol/l) and the store (mmol/l), and what passed the calcium channels (μmol/l).
-- ==
-- entry: observe
-- nobench script input { simulate (resting 0f32) }
-- output { [-85.708f32, 0.00137336f32, 0.174292f32, 0.103937f32, 0.0867775f32, 0.562848f32, 0f32] }
-- nobench script input { simulate (resting 3f32) }
-- output { [-66.38606f32, 0.02977778f32, 0.1831266f32, 0.1041998f32, 0.0867842f32, 0.5628527f32, 0.0005933046f32] }
-- nobench compiled script input { simulate (resting 6f32) }
-- output { [44.9309f32, 0.9999549f32, 1.161367f32, 0.1191014f32, 0.08721093f32, 0.5628551f32, 0.03793306f32] }
entry observe (cells: [1][size]f32) : []f32 =
  let y = cells[0]
  in [y[37], y[0], 1000 * y[34], 1000 * y[35], 1000 * y[36], y[30], y[38]]

-- No calmodulin is lost, and no calcium but through the membrane. The contents of a cell are sums over its state, so the
-- same sums over the rates tell how they change.

def content (of_place: totals -> [15]f32 -> f32) (y: [size]f32) : f32 =
  cleft * of_place in_cleft (y[42:57] :> [15]f32)
  + under_membrane * of_place elsewhere (y[57:72] :> [15]f32)
  + cytosol * of_place elsewhere (y[72:87] :> [15]f32)

def calcium_inside (y: [size]f32) : f32 =
  cleft * (y[34] + y[25] + y[27])
  + under_membrane * (y[35] + y[26] + y[28])
  + cytosol * (y[36] + y[19] + y[20] + y[22] + y[24])
  + store * (y[30] + y[29])
  + content bound_calcium y / 1000

-- | How far calmodulin and calcium are from being conserved, at some voltage and with more calcium than at rest, in
-- relation to the sum of the changes.
-- ==
-- entry: losses
-- nobench input { -85f32 } output { 0f32 0f32 }
-- nobench input { -14.5f32 } output { 0f32 0f32 }
-- nobench input { 30f32 } output { 0f32 0f32 }
entry losses (v: f32) : (f32, f32) =
  let y =
    copy rest
      with [3] = 0.5
      with [15] = 0.01
      with [34] = 20 * rest[34]
      with [35] = 10 * rest[35]
      with [36] = 5 * rest[36]
      with [37] = v
  let y' = rates 0 y
  let sizes = map f32.abs y'
  let passed = cytosol * f32.sum y'[38:42] / 1000
  in ( content calmodulin_of y' / content calmodulin_of sizes
     , (calcium_inside y' - passed) / calcium_inside sizes
     )

-- | The method at work on something simple: a point that turns around the origin, once in 2 π.
-- ==
-- entry: turn
-- nobench input { 10f32 } output { [-0.8390715f32, 0.5440211f32] }
-- nobench input { 0f32 } output { [1f32, 0f32] }
entry turn (span: f32) : [2]f32 =
  integrate (\_ y -> [y[1], -y[0]]) 0 span [1, 0]
