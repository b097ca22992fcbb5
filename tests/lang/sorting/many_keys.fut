-- Many keys, in numbers that are no multiple of anything: what comes out is ascending, and has every key as often as before.
-- ==
-- entry: of_u32 of_i64 of_f32
-- compiled input { 40009i64 0i64 } output { true }
-- seldom input { 100003i64 0i64 } output { true }
-- seldom input { 100003i64 16i64 } output { true }
-- input { 49i64 0i64 } output { true }
-- input { 16385i64 25i64 } output { true }
-- compiled input { 16385i64 32i64 } output { true }

import "keys"

entry of_u32 (n: i64) (fewer: i64) : bool =
  let xs = tabulate n (number fewer)
  in holds (<=) u64.u32 xs (sort xs)

entry of_i64 (n: i64) (fewer: i64) : bool =
  let xs =
    tabulate n (\i ->
      i64.u32 (number fewer i) * 65537
      - i64.u32 (number fewer (i + n)))
  in holds (<=) u64.i64 xs (sort xs)

entry of_f32 (n: i64) (fewer: i64) : bool =
  let xs =
    tabulate n (\i -> f32.i64 (i64.u32 (number fewer i) - 0x40000000) / 65536)
  in holds (<=) (\x -> u64.u32 (f32.to_bits x)) xs (sort xs)
