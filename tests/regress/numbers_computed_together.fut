-- A branch yields two numbers of the device, of which the host needs one, and a kernel the other.
-- ==
-- entry: main
-- input { [0i8, 1i8] [3i64, 4i64] 7i64 1i64 } output { [5f32, 5f32] }
-- input { [0i8, 1i8] [3i64, 4i64] 7i64 0i64 } output { [1f32] }
-- input { empty([0]i8) empty([0]i64) 7i64 0i64 } output { [8f32, 8f32] }
entry main [n] (tags: [n]i8) (values: [n]i64) (other: i64) (i: i64) : []f32 =
  let (tag, value) =
    if n > 0 then (tags[i % n], values[i % n]) else (2i8, other)
  let pair = replicate 2 (f32.i64 value)
  let chosen = if tag == 0 then replicate 1 0f32 else pair
  in map (+ 1) chosen
