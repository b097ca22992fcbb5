-- Histograms in the rows of maps: with few bins and many, indices outside and twice. Each form agrees with the same row made outside of
-- all maps.
-- ==
-- entry: counts largest wide_bins short_bins of_row in_loop in_branch
-- input { 0i64 0i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 3i64 37i64 } output { true }
-- input { 2i64 9001i64 } output { true }
-- compiled input { 70i64 600i64 } output { true }

def agrees [k] (n: i64) (f: i64 -> [k]i64) : bool =
  let all = map f (iota n)
  in loop ok = true for i < n do ok && and (map2 (==) all[i] (f i))

def bin (k: i64) (i: i64) (j: i64) : i64 = (j * 7919 + i * 31) % (k + 5) - 2

def row (m: i64) (i: i64) : [m]i64 = tabulate m (\j -> (j * 31 + i) % 1009)

entry counts (n: i64) (m: i64) : bool =
  agrees n (\i -> hist (+) 0 16 (tabulate m (bin 16 i)) (replicate m 1))

entry largest (n: i64) (m: i64) : bool =
  agrees n (\i ->
    map i64.i32
        (hist i32.max
              i32.lowest
              50
              (tabulate m (bin 50 i))
              (map i32.i64 (row m i))))

entry wide_bins (n: i64) (m: i64) : bool =
  agrees n (\i -> hist (+) 0 20000 (tabulate m (bin 20000 i)) (row m i))

entry short_bins (n: i64) (m: i64) : bool =
  agrees n (\i ->
    map i64.u8 (hist (+) 0u8 m (tabulate m (bin m i)) (map u8.i64 (row m i))))

entry of_row (n: i64) (m: i64) : bool =
  let rows = tabulate n (row m)
  in agrees n (\i ->
    reduce_by_index (copy rows[i]) (+) 0 (tabulate m (bin m i)) (row m i))

entry in_loop (n: i64) (m: i64) : bool =
  agrees n (\i ->
    loop h = replicate 40 i for k < 4 do
      let s = h[k]
      let h =
        reduce_by_index h
                        (+)
                        0
                        (tabulate m (bin 40 (i + k)))
                        (map (+ s) (row m k))
      in map (% 1000003) h)

entry in_branch (n: i64) (m: i64) : bool =
  agrees n (\i ->
    if i % 2 == 0
    then hist (+) 0 40 (tabulate m (bin 40 i)) (row m i)
    else replicate 40 i)
