-- Maps with loops around small operators: a thread for each element, where there are many.
-- ==
-- entry: scrambled
-- script input { keys 3i64 } auto output
-- script input { keys 0i64 } auto output
-- script input { keys 70000i64 } auto output
entry keys (n: i64) : [n]u32 = tabulate n (\i -> u32.i64 (i * 7919))

def table : [16]u8 =
  [12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2]

-- A small cipher: sixteen bytes, three rounds.
entry scrambled [n] (keys: [n]u32) : [n]u8 =
  map (\k ->
    let start = tabulate 16 (\i -> u8.u32 (k >> u32.i64 (2 * i)))
    let last =
      loop s = start for r < 3 do
        let t = map (\x -> table[i64.u8 (x & 15)] ^ x >> 4) s
        in tabulate 16 (\i -> t[(5 * i + r) % 16] + t[(i + 1) % 16])
    in u8.sum last) keys
