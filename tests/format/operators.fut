def a = x+y*z-w
def negations = (-x, - x, -(-x), - -x, !b, ! !b, f (-1), x - -1, -x ** 2, -f x)
def sections = map (+1) xs |> map (2*) |> map (+) |> map (`f`x) |> map (x`f`) |> map (-1+) |> map (subtract 1)
def more_sections = (map (.field), map (.a.b.0), map (.[i]), map (.[1:n, 2].x), (&&), (i32.+), (.[0][1]))
def pipeline xs = xs |> map (\x -> x + 1) |> filter (> 10) |> map (\x -> x * x) |> reduce (+) 0
def pipeline_by_hand xs = xs
  |> map f
  |> map (\x ->
    x + 1) |> filter g
def right x = f <| g <| h <| k x
def right_long x = function_number_one <| function_number_two <| function_number_three <| x
def mixed = first_operand * second_operand + third_operand * fourth_operand - fifth_operand / sixth_operand
def logic = alpha == beta && gamma != delta || epsilon <= zeta && eta >= theta || iota > kappa
def backticks = a `plus` b `m.times` c
def qualified = x v.+ y v.* z
def ascribed = x : i32
def coerced = (f x :> [n]i32) : [n]i32
def coerced_long = some_function some_argument another_argument a_third_argument :> [n][m]i32
def ranges = (0..<n, 0...n-1, 10..8..>0, 0..2...10, a..b..<c+1, (f x)..<(g y))
def local_open = i32.(x + y) + m.n.(f (x))
def with_operand_below = x +
  y -
  z
