-- Differentiation, forwards and in reverse.

def f (x: f64, y: f64) : f64 = x * x * y

def g (x: f64) : (f64, f64) = (x * x, 3 * x)

-- ==
-- entry: forwards
-- input { 2.0f64 5.0f64 } output { 20.0f64 4.0f64 20.0f64 24.0f64 }
entry forwards (x: f64) (y: f64) : (f64, f64, f64, f64) =
  let (value, change): (f64, f64) = jvp2 f (x, y) (1, 1)
  in (jvp f (x, y) (1, 0), jvp f (x, y) (0, 1), value, change)

-- ==
-- entry: reverse_mode
-- input { 2.0f64 5.0f64 } output { 20.0f64 4.0f64 20.0f64 40.0f64 8.0f64 }
entry reverse_mode (x: f64) (y: f64) : (f64, f64, f64, f64, f64) =
  let (dx, dy): (f64, f64) = vjp f (x, y) 1
  let (value, (dx2, dy2)): (f64, (f64, f64)) = vjp2 f (x, y) 2
  in (dx, dy, value, dx2, dy2)

-- ==
-- entry: many_at_once
-- input { 2.0f64 5.0f64 } output { [20.0f64, 4.0f64] 20.0f64 [24.0f64] [4.0f64, 3.0f64] 4.0f64 6.0f64 [7.0f64] }
entry many_at_once (x: f64)
                   (y: f64) : ([2]f64, f64, [1]f64, [2]f64, f64, f64, [1]f64) =
  let columns: [2]f64 = jmp f (x, y) [(1, 0), (0, 1)]
  let (value, sums): (f64, [1]f64) = jmp2 f (x, y) [(1, 1)]
  let rows: [2]f64 = mjp g x [(1, 0), (0, 1)]
  let (pair, weighted): ((f64, f64), [1]f64) = mjp2 g x [(1, 1)]
  in (columns, value, sums, rows, pair.0, pair.1, weighted)

-- The derivative that is given replaces the one that would be found.
-- ==
-- entry: own_derivative
-- input { 3.0f64 } output { 9.0f64 100.0f64 }
entry own_derivative (x: f64) : (f64, f64) =
  let square =
    with_vjp (\(z: f64) -> z * z)
             (\(_: f64) (weight: f64) : f64 -> 100 * weight)
  in (square x, vjp square x 1)

-- ==
-- entry: own_derivative_with_tape
-- input { 3.0f64 } output { 9.0f64 6.0f64 }
entry own_derivative_with_tape (x: f64) : (f64, f64) =
  let square =
    with_vjp_tape (\(z: f64) : (f64, f64) -> (2 * z, z * z))
                  (\(tape: f64, weight: f64) : f64 -> tape * weight)
  in (square x, vjp square x 1)
