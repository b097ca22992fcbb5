-- Sorting by digits, from the least significant on. In a pass, blocks are counted at the same time; from
-- the counts follows where each block's first element of each digit goes; then each block says where its
-- elements go, one after the other.
-- ==
-- nobench input { [3u32, 4000000000u32, 0u32, 256u32, 255u32, 3u32] }
-- output { [0u32, 3u32, 3u32, 255u32, 256u32, 4000000000u32] }
-- nobench input { empty([0]u32) } output { empty([0]u32) }
-- notest script input { input 10000000i64 }

import "data"

entry input (n: i64) : [n]u32 = tabulate n (number 1)

-- A digit has eight bits.
def digits : i64 = 256

def block_length : i64 = 65536

def digit (shift: u32) (x: u32) : i64 = i64.u32 ((x >> shift) & 255)

-- | Where the elements of a block go, given where the first one of each digit does.
def places [n] (shift: u32) (block: [n]u32) (first: [digits]i64) : [n]i64 =
  let (_, places) =
    loop (next, places) = (copy first, replicate n 0)
    for i < n do
      let d = digit shift block[i]
      let place = next[d]
      in (next with [d] = place + 1, places with [i] = place)
  in places

-- | Sorts by one digit, and keeps the order of what has the same.
def pass [n] (shift: u32) (xs: [n]u32) : *[n]u32 =
  let block_count = (n + block_length - 1) / block_length
  let block_lengths =
    tabulate block_count (\b -> i64.min block_length (n - b * block_length))
  let blocks = segment block_lengths xs
  let counts: [block_count][digits]i64 =
    map (\block ->
           hist (+) 0 digits (map (digit shift) block) (map (\_ -> 1) block))
        blocks
  -- What is smaller comes first, and of the same digit what is in an earlier block.
  let firsts = transpose (unflatten (exscan (+) 0 (flatten (transpose counts))))
  in spread n
            0
            (irregular.flatten (map2 (places shift) blocks firsts) :> [n]i64)
            xs

entry main [n] (xs: [n]u32) : [n]u32 =
  loop xs for i < 4 do pass (8 * u32.i32 i) xs
