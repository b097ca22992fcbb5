-- | Solves ordinary differential equations by the method of Runge, Kutta and Fehlberg of order 7: 13 stages, of which four
-- tell the error. A step is taken again, shorter, if the error is too large.

def nodes : [13]f32 =
  [0, 2 / 27, 1 / 9, 1 / 6, 5 / 12, 1 / 2, 5 / 6, 1 / 6, 2 / 3, 1 / 3, 1, 0, 1]

def weights : [13][12]f32 =
  [ [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  , [2 / 27, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  , [1 / 36, 1 / 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  , [1 / 24, 0, 1 / 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  , [5 / 12, 0, -25 / 16, 25 / 16, 0, 0, 0, 0, 0, 0, 0, 0]
  , [1 / 20, 0, 0, 1 / 4, 1 / 5, 0, 0, 0, 0, 0, 0, 0]
  , [-25 / 108, 0, 0, 125 / 108, -65 / 27, 125 / 54, 0, 0, 0, 0, 0, 0]
  , [31 / 300, 0, 0, 0, 61 / 225, -2 / 9, 13 / 900, 0, 0, 0, 0, 0]
  , [2, 0, 0, -53 / 6, 704 / 45, -107 / 9, 67 / 90, 3, 0, 0, 0, 0]
  , [ -91 / 108
    , 0
    , 0
    , 23 / 108
    , -976 / 135
    , 311 / 54
    , -19 / 60
    , 17 / 6
    , -1 / 12
    , 0
    , 0
    , 0
    ]
  , [ 2383 / 4100
    , 0
    , 0
    , -341 / 164
    , 4496 / 1025
    , -301 / 82
    , 2133 / 4100
    , 45 / 82
    , 45 / 164
    , 18 / 41
    , 0
    , 0
    ]
  , [3 / 205, 0, 0, 0, 0, -6 / 41, -3 / 205, -3 / 41, 3 / 41, 6 / 41, 0, 0]
  , [ -1777 / 4100
    , 0
    , 0
    , -341 / 164
    , 4496 / 1025
    , -289 / 82
    , 2193 / 4100
    , 51 / 82
    , 33 / 164
    , 12 / 41
    , 0
    , 1
    ]
  ]

def result_weights : [13]f32 =
  [ 41 / 840
  , 0
  , 0
  , 0
  , 0
  , 34 / 105
  , 9 / 35
  , 9 / 35
  , 9 / 280
  , 9 / 280
  , 41 / 840
  , 0
  , 0
  ]

-- | How large the error of a step may be, in relation to a quantity, or to the least that counts.
def tolerance : f32 = 1e-3

def least : f32 = 1e-7

-- | The state after a step, and the error in units of what is allowed.
def attempt [n]
            (rates: f32 -> [n]f32 -> [n]f32)
            (time: f32)
            (step: f32)
            (y: [n]f32) : ([n]f32, f32) =
  let slopes =
    loop slopes = replicate 13 (replicate n 0) for s < 13 do
      let along i =
        y[i]
        + step * (loop sum = 0 for k < s do sum + weights[s, k] * slopes[k, i])
      in slopes with [s] = rates (time + nodes[s] * step) (tabulate n along)
  let after i =
    y[i]
    + step * (loop sum = 0 for k < 13 do sum + result_weights[k] * slopes[k, i])
  let error i =
    41
    / 840
    * step
    * (slopes[0, i] + slopes[10, i] - slopes[11, i] - slopes[12, i])
    / (tolerance * (f32.abs y[i] + least))
  in ( tabulate n after
     , f32.sqrt (f32.sum (tabulate n (\i -> error i * error i)) / f32.i64 n)
     )

-- | From one time to another. What is not a number counts as too large an error. Fails if no step is short enough.
def integrate [n]
              (rates: f32 -> [n]f32 -> [n]f32)
              (start: f32)
              (end: f32)
              (y: [n]f32) : [n]f32 =
  let (_, _, y) =
    loop (time, step, y) = (start, 0.01, y) while time < end do
      let step = assert (time + step > time) (f32.min step (end - time))
      let (after, error) = attempt rates time step y
      let factor =
        if error < 1e6
        then f32.max 0.125 (f32.min 4 (0.9 * (error + 1e-9) ** (-1 / 8)))
        else 0.125
      in if error <= 1
         then ( if step == end - time then end else time + step
              , step * factor
              , after
              )
         else (time, step * factor, y)
  in y
