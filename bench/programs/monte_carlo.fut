-- The mean of a function over the unit square, at the points of Sobol's sequence. There are two formulas for these points: one gives any of them, and costs a step for each bit of its number; the
-- other gives the next one, and costs a single step. `direct` maps the first over all numbers; `streamed` begins each chunk with the first and continues with the second.
-- ==
-- entry: direct streamed
-- nobench input { 1i64 } output { 1f64 }
-- nobench input { 1000i64 } output { 0.5579684f64 }
-- nobench compiled input { 100000i64 } output { 0.5577483f64 }
-- structure run { launches 1 waits 1 received 8 }
-- "1000000" notest input { 1000000i64 } output { 0.5577474f64 }
-- "10000000" notest input { 10000000i64 } output { 0.5577463f64 }

-- | What each bit of a number contributes to a coordinate, as 32 digits behind the point. The first coordinate reverses the bits, and the second follows the polynomial `x + 1`.
def first : [32]u32 = tabulate 32 (\i -> 1 << (31 - u32.i64 i))

def second : [32]u32 =
  loop v = replicate 32 (1 << 31) for i in 1..<32 do
    let before = v[i - 1]
    in v with [i] = before ^ (before >> 1)

-- | A coordinate of the n-th point: the bits of the Gray code of `n` choose what is combined.
def coordinate (v: [32]u32) (n: u32) : u32 =
  let code = n ^ (n >> 1)
  in loop x = 0
     for k < 32 do
       x ^ (((code >> u32.i32 k) & 1) * v[i64.i32 k])

-- | Of the point behind the n-th: from one Gray code to the next, a single bit changes.
def next (v: [32]u32) (n: u32) (x: u32) : u32 = x ^ v[i64.i32 (u32.ctz (!n))]

-- | In f64, in which the sums of all ways to add agree to many digits.
def f (x: u32) (y: u32) : f64 =
  let unit (x: u32) = f32.u32 (x >> 9) * (1 / 8388608)
  let (x, y) = (unit x, unit y)
  in f64.f32 (f32.exp (-(x * x + y * y)))

entry direct (n: i64) : f64 =
  let at i = let n = u32.i64 i in f (coordinate first n) (coordinate second n)
  in f64.sum (tabulate n at) / f64.i64 n

entry streamed (n: i64) : f64 =
  let chunk k (numbers: [k]i64) : f64 =
    if k == 0
    then 0
    else let n = u32.i64 numbers[0]
         let (_, _, sum) =
           loop (x, y, sum) = (coordinate first n, coordinate second n, 0)
           for i < k do
             let number = n + u32.i64 i
             in (next first number x, next second number y, sum + f x y)
         in sum
  in reduce_stream (+) chunk (iota n) / f64.i64 n
