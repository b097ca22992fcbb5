-- Ranges mean what they say in whole numbers, also where a step or a distance is no number of their type. What has more elements than an array can
-- have is invalid.

-- ==
-- entry: up_i8
-- input { -128i8 -128i8 } output { empty([0]i8) }
-- input { 127i8 127i8 } output { empty([0]i8) }
-- input { -128i8 -126i8 } output { [-128i8, -127i8] }
-- input { 125i8 127i8 } output { [125i8, 126i8] }
-- input { 127i8 -128i8 } error: is invalid: its step leads away from its end
entry up_i8 (a: i8) (z: i8) : []i8 = a..<z

-- ==
-- entry: down_i8
-- input { -128i8 -128i8 } output { empty([0]i8) }
-- input { 127i8 127i8 } output { empty([0]i8) }
-- input { -126i8 -128i8 } output { [-126i8, -127i8] }
-- input { 127i8 125i8 } output { [127i8, 126i8] }
-- input { -128i8 127i8 } error: is invalid: its step leads away from its end
entry down_i8 (a: i8) (z: i8) : []i8 = a..>z

-- ==
-- entry: to_i8
-- input { -128i8 -128i8 } output { [-128i8] }
-- input { 127i8 127i8 } output { [127i8] }
-- input { -128i8 -126i8 } output { [-128i8, -127i8, -126i8] }
-- input { 125i8 127i8 } output { [125i8, 126i8, 127i8] }
-- input { 127i8 -128i8 } error: is invalid: its step leads away from its end
entry to_i8 (a: i8) (z: i8) : []i8 = a...z

-- ==
-- entry: steps_up_i8
-- input { -128i8 127i8 127i8 } output { [-128i8] }
-- input { -128i8 126i8 127i8 } output { [-128i8, 126i8] }
-- input { -128i8 0i8 127i8 } output { [-128i8, 0i8] }
-- input { -128i8 -128i8 127i8 } error: is invalid: its step is 0
-- input { 127i8 -128i8 127i8 } error: is invalid: its step leads away from its end
-- input { 127i8 -128i8 -128i8 } error: is invalid: its step leads away from its end
-- input { 126i8 127i8 127i8 } output { [126i8] }
-- input { -128i8 -127i8 -128i8 } output { empty([0]i8) }
-- input { 0i8 127i8 127i8 } output { [0i8] }
entry steps_up_i8 (a: i8) (s: i8) (z: i8) : []i8 = a..s..<z

-- ==
-- entry: steps_down_i8
-- input { 127i8 -128i8 -128i8 } output { [127i8] }
-- input { 127i8 -127i8 -128i8 } output { [127i8, -127i8] }
-- input { 127i8 0i8 -128i8 } output { [127i8, 0i8, -127i8] }
-- input { 127i8 127i8 -128i8 } error: is invalid: its step is 0
-- input { -128i8 127i8 -128i8 } error: is invalid: its step leads away from its end
-- input { -128i8 127i8 127i8 } error: is invalid: its step leads away from its end
-- input { -127i8 -128i8 -128i8 } output { [-127i8] }
-- input { 127i8 126i8 127i8 } output { empty([0]i8) }
-- input { 0i8 -128i8 -128i8 } output { [0i8] }
entry steps_down_i8 (a: i8) (s: i8) (z: i8) : []i8 = a..s..>z

-- ==
-- entry: steps_to_i8
-- input { -128i8 127i8 127i8 } output { [-128i8, 127i8] }
-- input { 127i8 -128i8 -128i8 } output { [127i8, -128i8] }
-- input { -128i8 126i8 127i8 } output { [-128i8, 126i8] }
-- input { 127i8 -127i8 -128i8 } output { [127i8, -127i8] }
-- input { -128i8 0i8 127i8 } output { [-128i8, 0i8] }
-- input { 127i8 0i8 -128i8 } output { [127i8, 0i8, -127i8] }
-- input { -128i8 -128i8 -128i8 } error: is invalid: its step is 0
-- input { 127i8 -128i8 127i8 } output { [127i8] }
-- input { -128i8 127i8 -128i8 } output { [-128i8] }
-- input { 127i8 -128i8 126i8 } output { [127i8] }
entry steps_to_i8 (a: i8) (s: i8) (z: i8) : []i8 = a..s...z

-- ==
-- entry: up_u8
-- input { 0u8 0u8 } output { empty([0]u8) }
-- input { 255u8 255u8 } output { empty([0]u8) }
-- input { 0u8 2u8 } output { [0u8, 1u8] }
-- input { 253u8 255u8 } output { [253u8, 254u8] }
-- input { 255u8 0u8 } error: is invalid: its step leads away from its end
entry up_u8 (a: u8) (z: u8) : []u8 = a..<z

-- ==
-- entry: down_u8
-- input { 0u8 0u8 } output { empty([0]u8) }
-- input { 255u8 255u8 } output { empty([0]u8) }
-- input { 2u8 0u8 } output { [2u8, 1u8] }
-- input { 255u8 253u8 } output { [255u8, 254u8] }
-- input { 0u8 255u8 } error: is invalid: its step leads away from its end
entry down_u8 (a: u8) (z: u8) : []u8 = a..>z

-- ==
-- entry: to_u8
-- input { 0u8 0u8 } output { [0u8] }
-- input { 255u8 255u8 } output { [255u8] }
-- input { 0u8 2u8 } output { [0u8, 1u8, 2u8] }
-- input { 253u8 255u8 } output { [253u8, 254u8, 255u8] }
-- input { 255u8 0u8 } error: is invalid: its step leads away from its end
entry to_u8 (a: u8) (z: u8) : []u8 = a...z

-- ==
-- entry: steps_up_u8
-- input { 0u8 255u8 255u8 } output { [0u8] }
-- input { 0u8 254u8 255u8 } output { [0u8, 254u8] }
-- input { 0u8 128u8 255u8 } output { [0u8, 128u8] }
-- input { 0u8 0u8 255u8 } error: is invalid: its step is 0
-- input { 255u8 0u8 255u8 } error: is invalid: its step leads away from its end
-- input { 255u8 0u8 0u8 } error: is invalid: its step leads away from its end
-- input { 254u8 255u8 255u8 } output { [254u8] }
-- input { 0u8 1u8 0u8 } output { empty([0]u8) }
-- input { 128u8 255u8 255u8 } output { [128u8] }
entry steps_up_u8 (a: u8) (s: u8) (z: u8) : []u8 = a..s..<z

-- ==
-- entry: steps_down_u8
-- input { 255u8 0u8 0u8 } output { [255u8] }
-- input { 255u8 1u8 0u8 } output { [255u8, 1u8] }
-- input { 255u8 128u8 0u8 } output { [255u8, 128u8, 1u8] }
-- input { 255u8 255u8 0u8 } error: is invalid: its step is 0
-- input { 0u8 255u8 0u8 } error: is invalid: its step leads away from its end
-- input { 0u8 255u8 255u8 } error: is invalid: its step leads away from its end
-- input { 1u8 0u8 0u8 } output { [1u8] }
-- input { 255u8 254u8 255u8 } output { empty([0]u8) }
-- input { 128u8 0u8 0u8 } output { [128u8] }
entry steps_down_u8 (a: u8) (s: u8) (z: u8) : []u8 = a..s..>z

-- ==
-- entry: steps_to_u8
-- input { 0u8 255u8 255u8 } output { [0u8, 255u8] }
-- input { 255u8 0u8 0u8 } output { [255u8, 0u8] }
-- input { 0u8 254u8 255u8 } output { [0u8, 254u8] }
-- input { 255u8 1u8 0u8 } output { [255u8, 1u8] }
-- input { 0u8 128u8 255u8 } output { [0u8, 128u8] }
-- input { 255u8 128u8 0u8 } output { [255u8, 128u8, 1u8] }
-- input { 0u8 0u8 0u8 } error: is invalid: its step is 0
-- input { 255u8 0u8 255u8 } output { [255u8] }
-- input { 0u8 255u8 0u8 } output { [0u8] }
-- input { 255u8 0u8 254u8 } output { [255u8] }
entry steps_to_u8 (a: u8) (s: u8) (z: u8) : []u8 = a..s...z

-- ==
-- entry: up_i64
-- input { -9223372036854775808i64 -9223372036854775808i64 } output { empty([0]i64) }
-- input { 9223372036854775807i64 9223372036854775807i64 } output { empty([0]i64) }
-- input { -9223372036854775808i64 -9223372036854775806i64 } output { [-9223372036854775808i64, -9223372036854775807i64] }
-- input { 9223372036854775805i64 9223372036854775807i64 } output { [9223372036854775805i64, 9223372036854775806i64] }
-- input { -9223372036854775808i64 9223372036854775807i64 } error: is invalid: it has more elements than an array can have
-- input { 9223372036854775807i64 -9223372036854775808i64 } error: is invalid: its step leads away from its end
-- input { -9223372036854775808i64 0i64 } error: is invalid: it has more elements than an array can have
entry up_i64 (a: i64) (z: i64) : []i64 = a..<z

-- ==
-- entry: down_i64
-- input { -9223372036854775808i64 -9223372036854775808i64 } output { empty([0]i64) }
-- input { 9223372036854775807i64 9223372036854775807i64 } output { empty([0]i64) }
-- input { -9223372036854775806i64 -9223372036854775808i64 } output { [-9223372036854775806i64, -9223372036854775807i64] }
-- input { 9223372036854775807i64 9223372036854775805i64 } output { [9223372036854775807i64, 9223372036854775806i64] }
-- input { 9223372036854775807i64 -9223372036854775808i64 } error: is invalid: it has more elements than an array can have
-- input { -9223372036854775808i64 9223372036854775807i64 } error: is invalid: its step leads away from its end
-- input { 0i64 -9223372036854775808i64 } error: is invalid: it has more elements than an array can have
entry down_i64 (a: i64) (z: i64) : []i64 = a..>z

-- ==
-- entry: to_i64
-- input { -9223372036854775808i64 -9223372036854775808i64 } output { [-9223372036854775808i64] }
-- input { 9223372036854775807i64 9223372036854775807i64 } output { [9223372036854775807i64] }
-- input { -9223372036854775808i64 -9223372036854775806i64 } output { [-9223372036854775808i64, -9223372036854775807i64, -9223372036854775806i64] }
-- input { 9223372036854775805i64 9223372036854775807i64 } output { [9223372036854775805i64, 9223372036854775806i64, 9223372036854775807i64] }
-- input { -9223372036854775808i64 9223372036854775807i64 } error: is invalid: it has more elements than an array can have
-- input { 9223372036854775807i64 -9223372036854775808i64 } error: is invalid: its step leads away from its end
-- input { -9223372036854775808i64 0i64 } error: is invalid: it has more elements than an array can have
-- input { 0i64 9223372036854775807i64 } error: is invalid: it has more elements than an array can have
entry to_i64 (a: i64) (z: i64) : []i64 = a...z

-- ==
-- entry: steps_up_i64
-- input { -9223372036854775808i64 9223372036854775807i64 9223372036854775807i64 } output { [-9223372036854775808i64] }
-- input { -9223372036854775808i64 9223372036854775806i64 9223372036854775807i64 } output { [-9223372036854775808i64, 9223372036854775806i64] }
-- input { -9223372036854775808i64 0i64 9223372036854775807i64 } output { [-9223372036854775808i64, 0i64] }
-- input { -9223372036854775808i64 -9223372036854775808i64 9223372036854775807i64 } error: is invalid: its step is 0
-- input { 9223372036854775807i64 -9223372036854775808i64 9223372036854775807i64 } error: is invalid: its step leads away from its end
-- input { 9223372036854775807i64 -9223372036854775808i64 -9223372036854775808i64 } error: is invalid: its step leads away from its end
-- input { -9223372036854775808i64 -9223372036854775807i64 9223372036854775807i64 } error: is invalid: it has more elements than an array can have
-- input { 9223372036854775806i64 9223372036854775807i64 9223372036854775807i64 } output { [9223372036854775806i64] }
-- input { -9223372036854775808i64 -9223372036854775807i64 -9223372036854775808i64 } output { empty([0]i64) }
-- input { 0i64 9223372036854775807i64 9223372036854775807i64 } output { [0i64] }
entry steps_up_i64 (a: i64) (s: i64) (z: i64) : []i64 = a..s..<z

-- ==
-- entry: steps_down_i64
-- input { 9223372036854775807i64 -9223372036854775808i64 -9223372036854775808i64 } output { [9223372036854775807i64] }
-- input { 9223372036854775807i64 -9223372036854775807i64 -9223372036854775808i64 } output { [9223372036854775807i64, -9223372036854775807i64] }
-- input { 9223372036854775807i64 0i64 -9223372036854775808i64 } output { [9223372036854775807i64, 0i64, -9223372036854775807i64] }
-- input { 9223372036854775807i64 9223372036854775807i64 -9223372036854775808i64 } error: is invalid: its step is 0
-- input { -9223372036854775808i64 9223372036854775807i64 -9223372036854775808i64 } error: is invalid: its step leads away from its end
-- input { -9223372036854775808i64 9223372036854775807i64 9223372036854775807i64 } error: is invalid: its step leads away from its end
-- input { 9223372036854775807i64 9223372036854775806i64 -9223372036854775808i64 } error: is invalid: it has more elements than an array can have
-- input { -9223372036854775807i64 -9223372036854775808i64 -9223372036854775808i64 } output { [-9223372036854775807i64] }
-- input { 9223372036854775807i64 9223372036854775806i64 9223372036854775807i64 } output { empty([0]i64) }
-- input { 0i64 -9223372036854775808i64 -9223372036854775808i64 } output { [0i64] }
entry steps_down_i64 (a: i64) (s: i64) (z: i64) : []i64 = a..s..>z

-- ==
-- entry: steps_to_i64
-- input { -9223372036854775808i64 9223372036854775807i64 9223372036854775807i64 } output { [-9223372036854775808i64, 9223372036854775807i64] }
-- input { 9223372036854775807i64 -9223372036854775808i64 -9223372036854775808i64 } output { [9223372036854775807i64, -9223372036854775808i64] }
-- input { -9223372036854775808i64 9223372036854775806i64 9223372036854775807i64 } output { [-9223372036854775808i64, 9223372036854775806i64] }
-- input { 9223372036854775807i64 -9223372036854775807i64 -9223372036854775808i64 } output { [9223372036854775807i64, -9223372036854775807i64] }
-- input { -9223372036854775808i64 0i64 9223372036854775807i64 } output { [-9223372036854775808i64, 0i64] }
-- input { 9223372036854775807i64 0i64 -9223372036854775808i64 } output { [9223372036854775807i64, 0i64, -9223372036854775807i64] }
-- input { -9223372036854775808i64 -9223372036854775808i64 -9223372036854775808i64 } error: is invalid: its step is 0
-- input { 9223372036854775807i64 -9223372036854775808i64 9223372036854775807i64 } output { [9223372036854775807i64] }
-- input { -9223372036854775808i64 9223372036854775807i64 -9223372036854775808i64 } output { [-9223372036854775808i64] }
-- input { -9223372036854775808i64 -9223372036854775807i64 9223372036854775807i64 } error: is invalid: it has more elements than an array can have
-- input { 9223372036854775807i64 9223372036854775806i64 -9223372036854775808i64 } error: is invalid: it has more elements than an array can have
-- input { 9223372036854775807i64 -9223372036854775808i64 9223372036854775806i64 } output { [9223372036854775807i64] }
entry steps_to_i64 (a: i64) (s: i64) (z: i64) : []i64 = a..s...z

-- ==
-- entry: up_u64
-- input { 0u64 0u64 } output { empty([0]u64) }
-- input { 18446744073709551615u64 18446744073709551615u64 } output { empty([0]u64) }
-- input { 0u64 2u64 } output { [0u64, 1u64] }
-- input { 18446744073709551613u64 18446744073709551615u64 } output { [18446744073709551613u64, 18446744073709551614u64] }
-- input { 0u64 18446744073709551615u64 } error: is invalid: it has more elements than an array can have
-- input { 18446744073709551615u64 0u64 } error: is invalid: its step leads away from its end
-- input { 0u64 9223372036854775808u64 } error: is invalid: it has more elements than an array can have
entry up_u64 (a: u64) (z: u64) : []u64 = a..<z

-- ==
-- entry: down_u64
-- input { 0u64 0u64 } output { empty([0]u64) }
-- input { 18446744073709551615u64 18446744073709551615u64 } output { empty([0]u64) }
-- input { 2u64 0u64 } output { [2u64, 1u64] }
-- input { 18446744073709551615u64 18446744073709551613u64 } output { [18446744073709551615u64, 18446744073709551614u64] }
-- input { 18446744073709551615u64 0u64 } error: is invalid: it has more elements than an array can have
-- input { 0u64 18446744073709551615u64 } error: is invalid: its step leads away from its end
-- input { 9223372036854775808u64 0u64 } error: is invalid: it has more elements than an array can have
entry down_u64 (a: u64) (z: u64) : []u64 = a..>z

-- ==
-- entry: to_u64
-- input { 0u64 0u64 } output { [0u64] }
-- input { 18446744073709551615u64 18446744073709551615u64 } output { [18446744073709551615u64] }
-- input { 0u64 2u64 } output { [0u64, 1u64, 2u64] }
-- input { 18446744073709551613u64 18446744073709551615u64 } output { [18446744073709551613u64, 18446744073709551614u64, 18446744073709551615u64] }
-- input { 0u64 18446744073709551615u64 } error: is invalid: it has more elements than an array can have
-- input { 18446744073709551615u64 0u64 } error: is invalid: its step leads away from its end
-- input { 0u64 9223372036854775808u64 } error: is invalid: it has more elements than an array can have
-- input { 9223372036854775808u64 18446744073709551615u64 } error: is invalid: it has more elements than an array can have
entry to_u64 (a: u64) (z: u64) : []u64 = a...z

-- ==
-- entry: steps_up_u64
-- input { 0u64 18446744073709551615u64 18446744073709551615u64 } output { [0u64] }
-- input { 0u64 18446744073709551614u64 18446744073709551615u64 } output { [0u64, 18446744073709551614u64] }
-- input { 0u64 9223372036854775808u64 18446744073709551615u64 } output { [0u64, 9223372036854775808u64] }
-- input { 0u64 0u64 18446744073709551615u64 } error: is invalid: its step is 0
-- input { 18446744073709551615u64 0u64 18446744073709551615u64 } error: is invalid: its step leads away from its end
-- input { 18446744073709551615u64 0u64 0u64 } error: is invalid: its step leads away from its end
-- input { 0u64 1u64 18446744073709551615u64 } error: is invalid: it has more elements than an array can have
-- input { 18446744073709551614u64 18446744073709551615u64 18446744073709551615u64 } output { [18446744073709551614u64] }
-- input { 0u64 1u64 0u64 } output { empty([0]u64) }
-- input { 9223372036854775808u64 18446744073709551615u64 18446744073709551615u64 } output { [9223372036854775808u64] }
entry steps_up_u64 (a: u64) (s: u64) (z: u64) : []u64 = a..s..<z

-- ==
-- entry: steps_down_u64
-- input { 18446744073709551615u64 0u64 0u64 } output { [18446744073709551615u64] }
-- input { 18446744073709551615u64 1u64 0u64 } output { [18446744073709551615u64, 1u64] }
-- input { 18446744073709551615u64 9223372036854775808u64 0u64 } output { [18446744073709551615u64, 9223372036854775808u64, 1u64] }
-- input { 18446744073709551615u64 18446744073709551615u64 0u64 } error: is invalid: its step is 0
-- input { 0u64 18446744073709551615u64 0u64 } error: is invalid: its step leads away from its end
-- input { 0u64 18446744073709551615u64 18446744073709551615u64 } error: is invalid: its step leads away from its end
-- input { 18446744073709551615u64 18446744073709551614u64 0u64 } error: is invalid: it has more elements than an array can have
-- input { 1u64 0u64 0u64 } output { [1u64] }
-- input { 18446744073709551615u64 18446744073709551614u64 18446744073709551615u64 } output { empty([0]u64) }
-- input { 9223372036854775808u64 0u64 0u64 } output { [9223372036854775808u64] }
entry steps_down_u64 (a: u64) (s: u64) (z: u64) : []u64 = a..s..>z

-- ==
-- entry: steps_to_u64
-- input { 0u64 18446744073709551615u64 18446744073709551615u64 } output { [0u64, 18446744073709551615u64] }
-- input { 18446744073709551615u64 0u64 0u64 } output { [18446744073709551615u64, 0u64] }
-- input { 0u64 18446744073709551614u64 18446744073709551615u64 } output { [0u64, 18446744073709551614u64] }
-- input { 18446744073709551615u64 1u64 0u64 } output { [18446744073709551615u64, 1u64] }
-- input { 0u64 9223372036854775808u64 18446744073709551615u64 } output { [0u64, 9223372036854775808u64] }
-- input { 18446744073709551615u64 9223372036854775808u64 0u64 } output { [18446744073709551615u64, 9223372036854775808u64, 1u64] }
-- input { 0u64 0u64 0u64 } error: is invalid: its step is 0
-- input { 18446744073709551615u64 0u64 18446744073709551615u64 } output { [18446744073709551615u64] }
-- input { 0u64 18446744073709551615u64 0u64 } output { [0u64] }
-- input { 0u64 1u64 18446744073709551615u64 } error: is invalid: it has more elements than an array can have
-- input { 18446744073709551615u64 18446744073709551614u64 0u64 } error: is invalid: it has more elements than an array can have
-- input { 18446744073709551615u64 0u64 18446744073709551614u64 } output { [18446744073709551615u64] }
entry steps_to_u64 (a: u64) (s: u64) (z: u64) : []u64 = a..s...z
