-- What the compiler notes of functions and statements in attributes of its own, a program cannot claim: attributes of these names
-- mean nothing.
-- ==
-- entry: sums steps
-- input { [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } output { [2, 6, 13, 24, 40, 62, 91, 128, 174, 230] }

#[noinline]
#[lifted]
def sums_of (n: i64) (xs: [n]i32) : [n]i32 = scan (+) 0 xs

entry sums [n] (xs: [n]i32) : [n]i32 =
  let once = sums_of n xs
  in sums_of n (map (+ 1) once)

#[host]
#[noinline]
def added [n] (xs: [n]i32) : [n]i32 = #[room] map (+ 1) xs

entry steps [n] (xs: [n]i32) : [n]i32 =
  let once = #[part] scan (+) 0 xs
  in scan (+) 0 (#[bring] added once)
