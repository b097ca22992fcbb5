-- As many_keys.fut, with other types of keys.
-- ==
-- entry: of_f64 of_u8 of_i16 of_bool
-- compiled input { 40009i64 0i64 } output { true }
-- input { 5003i64 0i64 } output { true }
-- seldom input { 100003i64 0i64 } output { true }

import "keys"

entry of_f64 (n: i64) (fewer: i64) : bool =
  let xs =
    tabulate n (\i -> f64.i64 (i64.u32 (number fewer i) - 0x40000000) / 65537)
  in holds (<=) f64.to_bits xs (sort xs)

entry of_u8 (n: i64) (fewer: i64) : bool =
  let xs = tabulate n (\i -> u8.u32 (number fewer i))
  in holds (<=) u64.u8 xs (sort xs)

entry of_i16 (n: i64) (fewer: i64) : bool =
  let xs = tabulate n (\i -> i16.u32 (number fewer i))
  in holds (<=) u64.i16 xs (sort xs)

entry of_bool (n: i64) (fewer: i64) : bool =
  let xs = tabulate n (\i -> number fewer i % 3 == 0)
  in holds (<=) u64.bool xs (sort xs)
