-- The rules F1 to F7 of "Futhark: purely functional GPU-programming with nested parallelism and in-place array updates" (2017), Figure 9: an operator and the stream that it is, or two streams and
-- the one that they become. Both sides of a rule yield the same, on a device, too.
-- ==
-- entry: f1 f2 f3 f4 f5 f6 f6_beside f7 f7_beside
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 100i64 } output { true }
-- compiled input { 50000i64 } output { true }

def numbers (n: i64) : [n]i64 = tabulate n (\i -> i * 7919 % 1009 - 300)

def f (x: i64) : i64 = 3 * x - 1

def g (x: i64) : i64 = x * x

def same [n] (xs: [n]i64) (ys: [n]i64) : bool = and (map2 (==) xs ys)

-- | The last of some numbers, or another one if there are none.
def last_or [n] (other: i64) (xs: [n]i64) : i64 =
  if n > 0 then xs[n - 1] else other

-- | A map is a parallel stream.
entry f1 (n: i64) : bool =
  let b = numbers n
  in same (map f b) (map_stream (\k (c: [k]i64) -> map f c) b)

-- | A map is a sequential stream.
entry f2 (n: i64) : bool =
  let b = numbers n
  let (_, mapped) = fold_stream (\k () (c: [k]i64) -> ((), map f c)) () b
  in same (map f b) mapped

-- | A reduction is a parallel stream.
entry f3 (n: i64) : bool =
  let b = numbers n
  in reduce i64.max i64.lowest b
     == reduce_stream i64.max (\k (c: [k]i64) -> reduce i64.max i64.lowest c) b

-- | A reduction is a sequential stream.
entry f4 (n: i64) : bool =
  let b = numbers n
  let (sum, _) =
    fold_stream (\k a (c: [k]i64) -> (a + reduce (+) 0 c, replicate k ())) 0 b
  in reduce (+) 0 b == sum

-- | A scan is a sequential stream.
entry f5 (n: i64) : bool =
  let b = numbers n
  let (last, sums) =
    fold_stream (\k a (c: [k]i64) ->
      let ys = map (a +) (scan (+) 0 c)
      in (last_or a ys, ys)) 0 b
  in same (scan (+) 0 b) sums && last == i64.sum b

-- | Two parallel streams, of which the second needs what the first makes, are one.
entry f6 (n: i64) : bool =
  let b = numbers n
  let (sum, xs) =
    map_reduce_stream (+) (\k (c: [k]i64) -> (i64.sum c, map f c)) b
  let (most, ys) =
    map_reduce_stream i64.max (\k (c: [k]i64) -> (i64.maximum c, map g c)) xs
  let ((sum', most'), ys') =
    map_reduce_stream
      (\(a, m) (b, l) -> (a + b, i64.max m l))
      (\k (c: [k]i64) ->
         let (s, xs) = (i64.sum c, map f c)
         let (m, ys) = (i64.maximum xs, map g xs)
         in ((s, m), ys))
      b
  in sum == sum' && most == most' && same ys ys'

-- | And two that need the same.
entry f6_beside (n: i64) : bool =
  let b = numbers n
  let sum =
    reduce_stream (+) (\k (c: [k]i64) -> loop s = 0 for i < k do s + g c[i]) b
  let least = reduce_stream i64.min (\k (c: [k]i64) ->
    loop m = i64.highest for i < k do i64.min m c[i]) b
  let (sum', least') =
    reduce_stream (\(a, m) (b, l) -> (a + b, i64.min m l))
                  (\k (c: [k]i64) ->
                     loop (s, m) = (0, i64.highest)
                     for i < k do
                       (s + g c[i], i64.min m c[i]))
                  b
  in sum == sum' && least == least'

-- | Two sequential streams, of which the second needs what the first makes, are one.
entry f7 (n: i64) : bool =
  let b = numbers n
  let sums [k] (a: i64) (c: [k]i64) : (i64, [k]i64) =
    let ys = map (a +) (scan (+) 0 c)
    in (last_or a ys, ys)
  let (last, xs) = fold_stream (\k a (c: [k]i64) -> sums a c) 0 b
  let (most, _) =
    fold_stream (\k m (c: [k]i64) ->
                   (i64.max m (i64.maximum c), replicate k ()))
                i64.lowest
                xs
  let ((last', most'), xs') =
    fold_stream (\k (a, m) (c: [k]i64) ->
      let (a, xs) = sums a c
      in ((a, i64.max m (i64.maximum xs)), xs)) (0, i64.lowest) b
  in last == last' && most == most' && same xs xs'

-- | And two that need the same.
entry f7_beside (n: i64) : bool =
  let b = numbers n
  let (sum, _) =
    fold_stream (\k a (c: [k]i64) -> (a + i64.sum c, replicate k ())) 0 b
  let (_, xs) = fold_stream (\k () (c: [k]i64) -> ((), map g c)) () b
  let (sum', xs') =
    fold_stream (\k a (c: [k]i64) -> (a + i64.sum c, map g c)) 0 b
  in sum == sum' && same xs xs'
