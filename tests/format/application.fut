def plain = f x y   z
def aligned = map (\x -> x + 1)
  xs
def hugging = tabulate n (\i ->
  let j = i
  in j)
def bare = tabulate_2d 2 3 \i j ->
  i + j
def bare_on_one_line = tabulate_2d 2 3 \i j -> i + j
def others_after_a_function = map2 (\x y ->
   x + y) xs ys
def below_long_name = some_module.some_function (argument one) (argument two) (argument three and four)
def beside_short_name = reduce_by_index (replicate n 0) i32.max i32.lowest (map i64.i32 is) (map f image)
def newline_after_name = f
   x y
def constructors = #pair (first component of the pair) (second component of the pair, which is long)
def function_too_long = reduce (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0) (zip3 as bs cs)
def only_argument = i64.sum (map (\x -> i64.sum (map (\y -> g (x + y) + sumrec2 g (n - 1)) (iota 2))) (iota n))
def applied_lambda = (\x -> x) 1
