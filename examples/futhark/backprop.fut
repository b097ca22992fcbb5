-- # Back propagation
--
-- One step of training a neural network that has one hidden layer. This is the program Backprop of Rodinia, one of the
-- sixteen benchmarks of the Futhark paper (PLDI 2017): a million inputs, a hidden layer of 16 units, and one output.
--
-- A step goes forwards to compute the outputs, then backwards to compute how much each unit contributes to the error, and
-- then changes all weights. Each weight also repeats a part of its last change, its momentum.

-- | The weights of a layer with `n` inputs and `m` units. Weight 0 belongs to an input that is always one.
type weights [n] [m] = [m][1 + n]f32

def rate : f32 = 0.3

def momentum : f32 = 0.3

def sigmoid (x: f32) : f32 = 1 / (1 + f32.exp (-x))

def with_one [n] (inputs: [n]f32) : [1 + n]f32 = [1] ++ inputs

def outputs [n] [m] (weights: weights [n] [m]) (inputs: [n]f32) : [m]f32 =
  let xs = with_one inputs
  in map (\ws -> sigmoid (f32.sum (map2 (*) ws xs))) weights

-- How strongly the error depends on what goes into each unit; the slope of the sigmoid at its value y is y (1 - y).

def output_errors [m] (targets: [m]f32) (outputs: [m]f32) : [m]f32 =
  map2 (\t y -> y * (1 - y) * (t - y)) targets outputs

def hidden_errors [n] [m]
                  (weights: weights [n] [m])
                  (errors: [m]f32)
                  (hidden: [n]f32) : [n]f32 =
  let blame = transpose (weights[:, 1:] :> [m][n]f32)
  in map2 (\y ws -> y * (1 - y) * f32.sum (map2 (*) ws errors)) hidden blame

-- | The new moves of the weights of a layer.
def moves [n] [m]
          (errors: [m]f32)
          (inputs: [n]f32)
          (last: weights [n] [m]) : weights [n] [m] =
  let xs = with_one inputs
  in map2 (\error -> map2 (\x move -> rate * error * x + momentum * move) xs)
          errors
          last

def plus [n] [m] (a: [n][m]f32) (b: [n][m]f32) : [n][m]f32 = map2 (map2 (+)) a b

-- | The moves of a layer that was not trained yet.
def at_rest (n: i64) (m: i64) : weights [n] [m] =
  replicate m (replicate (1 + n) 0)

-- | Gives the outputs before the step, and the weights and moves of the two layers after it.
-- ==
-- entry: train
-- nobench input { [1.0f32, -2.0f32] [0.1f32] [[0.1f32, 0.2f32, 0.3f32], [-0.4f32, 0.5f32, 0.0f32]]
--                 [[0.2f32, -0.1f32, 0.6f32]]
--                 [[0.0f32, 0.1f32, 0.0f32], [0.0f32, 0.0f32, -0.1f32]] [[0.0f32, 0.05f32, 0.0f32]] }
-- output { [0.6159592f32]
--          [[0.1008951f32, 0.2308951f32, 0.2982098f32], [-0.4054786f32, 0.4945214f32, -0.0190427f32]]
--          [[0.1633844f32, -0.1005820f32, 0.5807776f32]]
--          [[0.0008951f32, 0.0308951f32, -0.0017902f32], [-0.0054786f32, -0.0054786f32, -0.0190427f32]]
--          [[-0.0366156f32, -0.0005820f32, -0.0192224f32]] }
-- nobench input { empty([0]f32) empty([0]f32) [[0.5f32]] empty([0][2]f32) [[0.0f32]] empty([0][2]f32) }
-- output { empty([0]f32) [[0.5f32]] empty([0][2]f32) [[0.0f32]] empty([0][2]f32) }
-- "10,486" notest script input { input 10486i64 }
-- "104,858" notest script input { input 104858i64 }
-- "1,048,576" notest script input { input 1048576i64 }
entry train [n] [h] [m]
            (inputs: [n]f32)
            (targets: [m]f32)
            (hidden_weights: weights [n] [h])
            (output_weights: weights [h] [m])
            (hidden_moves: weights [n] [h])
            (output_moves: weights [h] [m])
    : ( [m]f32
      , weights [n] [h]
      , weights [h] [m]
      , weights [n] [h]
      , weights [h] [m]
      ) =
  let hidden = outputs hidden_weights inputs
  let results = outputs output_weights hidden
  let errors = output_errors targets results
  let hidden_moves =
    moves (hidden_errors output_weights errors hidden) inputs hidden_moves
  let output_moves = moves errors hidden output_moves
  in ( results
     , plus hidden_weights hidden_moves
     , plus output_weights output_moves
     , hidden_moves
     , output_moves
     )

-- The errors of the units are the gradient of half the squared error of the outputs. The gradient can also be measured, by
-- making a weight a little larger and a little smaller.

-- | The greatest difference between a first move and the one that follows from the measured slope, over all weights of the
-- hidden layer, in relation to the greatest move.
-- ==
-- entry: difference_from_slope
-- nobench input { [1.0f32, -2.0f32] [0.1f32] [[0.1f32, 0.2f32, 0.3f32], [-0.4f32, 0.5f32, 0.0f32]]
--                 [[2.0f32, -1.0f32, 6.0f32]] }
-- output { 0.0f32 }
entry difference_from_slope
    [n] [h] [m]
    (inputs: [n]f32)
    (targets: [m]f32)
    (hidden_weights: weights [n] [h])
    (output_weights: weights [h] [m]) : f32 =
  let cost i j change =
    let weights =
      copy hidden_weights with [i, j] = hidden_weights[i, j] + change
    let results = outputs output_weights (outputs weights inputs)
    in f32.sum (map2 (\t y -> (t - y) ** 2 / 2) targets results)
  let slope i j = (cost i j 0.01 - cost i j (-0.01)) / 0.02
  let (_, _, _, moves, _) =
    train inputs
          targets
          hidden_weights
          output_weights
          (at_rest n h)
          (at_rest h m)
  let difference i j = f32.abs (moves[i, j] + rate * slope i j)
  let greatest move = f32.maximum (flatten (tabulate_2d h (1 + n) move))
  in greatest difference / greatest (\i j -> f32.abs moves[i, j])

-- The input: as in Rodinia random numbers, a target of 0.1 and no momentum yet.

-- | The `i`-th of a sequence of numbers from 0 to 1 that look random.
def random (seed: u32) (i: i64) : f32 =
  let x = u32.i64 i * 0x9e3779b1 + seed * 0x85ebca77
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  let x = (x ^ (x >> 12)) * 0x297a2d39
  in f32.u32 ((x ^ (x >> 15)) >> 8) / 16777216

def hidden_units : i64 = 16

-- | Weights that are smaller the more inputs there are, so that no unit begins at its limits.
def start (seed: u32) (n: i64) (m: i64) : weights [n] [m] =
  let size = 2 / f32.sqrt (f32.i64 (1 + n))
  in tabulate_2d m (1 + n) (\i j ->
    size * (random seed (i * (1 + n) + j) - 0.5))

entry input (n: i64)
    : ( [n]f32
      , [1]f32
      , weights [n] [hidden_units]
      , weights [hidden_units] [1]
      , weights [n] [hidden_units]
      , weights [hidden_units] [1]
      ) =
  ( tabulate n (random 1)
  , [0.1]
  , start 2 n hidden_units
  , start 3 hidden_units 1
  , at_rest n hidden_units
  , at_rest hidden_units 1
  )

-- The network learns to tell whether two bits differ. Each epoch trains it with the four pairs of bits; the plot shows the
-- mean of the squared errors in each.

entry learning_curve (epochs: i64) : ([epochs]f32, [epochs]f32) =
  let pairs = [[0, 0], [0, 1], [1, 0], [1, 1]]
  let wanted = [0, 1, 1, 0]
  let epoch network =
    loop (sum, (a, b, c, d)) = (0, network) for i < 4 do
      let (results, a, b, c, d) = train pairs[i] [wanted[i]] a b c d
      in (sum + (results[0] - wanted[i]) ** 2 / 4, (a, b, c, d))
  let network =
    ( start 2 2 hidden_units
    , start 3 hidden_units 1
    , at_rest 2 hidden_units
    , at_rest hidden_units 1
    )
  let (curve, _) =
    loop (curve, network) = (replicate epochs 0, network) for i < epochs do
      let (error, network) = epoch network
      in (curve with [i] = error, network)
  in (map f32.i64 (iota epochs), curve)

-- > :brief :plot2d learning_curve 2000i64;
-- xlabel: epoch
-- ylabel: mean square error
-- alt: The error falls from a quarter to nearly nothing within 2000 epochs
