-- Histograms with exact operators whose columns fit into one word: bytes, booleans, operators of one's own, small records. The bins are few,
-- or have room in shared memory at once or in passes, or are many.

-- Elements beyond both ends of the bins are ignored.
def place (bins: i64) (i: i64) : i64 = (i * 7919) % (bins + 2) - 1

-- What `hist` should yield, one element after the other.
def in_order 'a
             (op: a -> a -> a)
             (ne: a)
             (n: i64)
             (bins: i64)
             (value: i64 -> a) : [bins]a =
  loop expected = replicate bins ne
  for i < n do
    let at = place bins i
    in if at >= 0 && at < bins
       then expected with [at] = op (copy expected[at]) (value i)
       else expected

-- ==
-- entry: bytes
-- input { 5000i64 7i64 } output { true }
-- input { 0i64 7i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 300i64 0i64 } output { true }
-- input { 5000i64 20000i64 } output { true }
-- input { 3000i64 50001i64 } output { true }
-- input { 3000i64 200001i64 } output { true }
entry bytes (n: i64) (bins: i64) : bool =
  let value i = i8.i64 (i * 37)
  let sums = hist (+) 0 bins (tabulate n (place bins)) (tabulate n value)
  in and (map2 (==) sums (in_order (+) 0 n bins value))

-- ==
-- entry: shorts
-- input { 5000i64 3i64 } output { true }
-- input { 5000i64 100003i64 } output { true }
entry shorts (n: i64) (bins: i64) : bool =
  let value i = u16.i64 (i * 377)
  let largest = hist u16.max 0 bins (tabulate n (place bins)) (tabulate n value)
  let smallest =
    hist i16.min
         i16.highest
         bins
         (tabulate n (place bins))
         (tabulate n (i16.u16 <-< value))
  in and (map2 (==) largest (in_order u16.max 0 n bins value))
     && and (map2 (==)
                  smallest
                  (in_order i16.min i16.highest n bins (i16.u16 <-< value)))

-- ==
-- entry: booleans
-- input { 5000i64 13i64 } output { true }
-- input { 5000i64 100003i64 } output { true }
entry booleans (n: i64) (bins: i64) : bool =
  let value i = i % 11 == 3
  let some = hist (||) false bins (tabulate n (place bins)) (tabulate n value)
  let odd = hist (!=) false bins (tabulate n (place bins)) (tabulate n value)
  in and (map2 (==) some (in_order (||) false n bins value))
     && and (map2 (==) odd (in_order (!=) false n bins value))

-- ==
-- entry: saturating
-- input { 5000i64 1i64 } output { true }
-- input { 5000i64 1024i64 } output { true }
-- input { 5000i64 30000i64 } output { true }
-- input { 5000i64 60000i64 } output { true }
entry saturating (n: i64) (bins: i64) : bool =
  let add a b = if a > 200 - b then 200 else a + b
  let value i = i32.i64 (i % 50)
  let sums = hist add 0 bins (tabulate n (place bins)) (tabulate n value)
  in and (map2 (==) sums (in_order add 0 n bins value))

-- The same, written in another way.
-- ==
-- entry: saturating_by_min
-- input { 5000i64 1024i64 } output { true }
-- input { 5000i64 60000i64 } output { true }
entry saturating_by_min (n: i64) (bins: i64) : bool =
  let add a b = i32.min 200 (a + b)
  let value i = i32.i64 (i % 50)
  let sums =
    reduce_by_index (replicate bins 3)
                    add
                    0
                    (map (place bins) (iota n))
                    (map value (iota n))
  in and (map2 (==) sums (map (add 3) (in_order add 0 n bins value)))

-- ==
-- entry: products
-- input { 5000i64 5i64 } output { true }
-- input { 5000i64 30000i64 } output { true }
entry products (n: i64) (bins: i64) : bool =
  let value i = u64.i64 (2 * i + 1)
  let mul a b = (a * b) % 1000003u64
  let made = hist mul 1 bins (tabulate n (place bins)) (tabulate n value)
  in and (map2 (==) made (in_order mul 1 n bins value))

-- Two columns in a word of 64 bits.
-- ==
-- entry: least_and_where
-- input { 5000i64 3i64 } output { true }
-- input { 5000i64 12345i64 } output { true }
-- input { 5000i64 54321i64 } output { true }
entry least_and_where (n: i64) (bins: i64) : bool =
  let least (a: f32, i: i32) (b: f32, j: i32) =
    if a < b || a == b && i < j then (a, i) else (b, j)
  let value i = (f32.i64 ((i * 7907) % 501), i32.i64 i)
  let found =
    hist least
         (f32.inf, i32.highest)
         bins
         (tabulate n (place bins))
         (tabulate n value)
  in and (map2 (==) found (in_order least (f32.inf, i32.highest) n bins value))

-- Three columns in a word of 32 bits, which depend on each other.
-- ==
-- entry: small_records
-- input { 5000i64 3i64 } output { true }
-- input { 5000i64 12345i64 } output { true }
-- input { 5000i64 54321i64 } output { true }
entry small_records (n: i64) (bins: i64) : bool =
  let join (a: u8, p: bool, x: i16) (b: u8, q: bool, y: i16) : (u8, bool, i16) =
    (u8.max a b, p || q, if a == b then i16.min x y else if a > b then x else y)
  let value i = (u8.i64 ((i * 7907) % 5), i % 3 == 1, i16.i64 (i * 91))
  let found =
    hist join
         (0, false, i16.highest)
         bins
         (tabulate n (place bins))
         (tabulate n value)
  in and (map2 (==) found (in_order join (0, false, i16.highest) n bins value))

-- Bins that were there before, in two dimensions and in three.
-- ==
-- entry: dimensions
-- input { 3000i64 5i64 7i64 } output { true }
-- input { 3000i64 300i64 200i64 } output { true }
-- input { 3000i64 0i64 200i64 } output { true }
entry dimensions (n: i64) (m: i64) (k: i64) : bool =
  let add a b = if a > 100 - b then 100u8 else a + b
  let is = tabulate n (place m)
  let js = tabulate n (\i -> (i * 31) % (k + 1))
  let value i = u8.i64 (i % 7)
  let flat =
    map2 (\i j ->
            if i >= 0 && i < m && j >= 0 && j < k then i * k + j else -1)
         is
         js
  let expected = unflatten (hist add 0 (m * k) flat (tabulate n value))
  let two =
    reduce_by_index_2d
      (replicate m (replicate k 0))
      add
      0
      (zip is js)
      (tabulate n value)
  let turned =
    reduce_by_index_2d
      (transpose (replicate k (replicate m 0)))
      add
      0
      (zip is js)
      (tabulate n value)
  let three =
    reduce_by_index_3d
      (replicate 1 (replicate m (replicate k 0)))
      add
      0
      (zip3 (replicate n 0) is js)
      (tabulate n value)
  in and (flatten (map2 (map2 (==)) expected two))
     && and (flatten (map2 (map2 (==)) expected turned))
     && and (flatten (map2 (map2 (==)) expected three[0]))
