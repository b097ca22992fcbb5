def beside_the_sign (xs: []f64) =
  let scaled = map (\x -> let centred = x - 0.5 let squared = centred * centred in squared + 1) xs
  let short = map (\x -> x + 1) xs
  let below =
    map (\x -> let y = x in
      y) xs
  in reduce (+) 0 scaled
def between_arguments = scan (\(a, m) (b, n) -> if n then (b, true) else (a + b, m || n)) (0, false) flagged_values
def nested (xss: [][]f64) = map (\xs -> let total = f64.sum xs in map (\x -> if total == 0 then 0 else x / total) xs) xss
def in_a_pipe xs = xs |> map (\x -> let y = x * x in y + 1) |> filter (\y -> y > some_threshold_of_this_program) |> map (+ 1)
def several = map2 (\x y -> x + y) (map (\z -> z * 2) some_long_name_of_an_array) (map (\z -> z * 3) another_long_name)
def long_arguments = reduce_by_index (replicate number_of_buckets 0) (\a b -> a + b) 0 (map bucket_of values) values
def by_the_user =
  map (\x ->
    x)
    xs
def in_brackets = (map (\x -> let y = x * some_factor + some_offset in y / some_divisor + x) xs, iota 3)
def with_a_comment =
  map -- here
    (\x -> x) xs
