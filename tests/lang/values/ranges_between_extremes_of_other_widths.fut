-- As ranges_between_extremes, for 16 and 32 bits.

-- ==
-- entry: up_i16
-- input { -32768i16 -32768i16 } output { empty([0]i16) }
-- input { 32767i16 32767i16 } output { empty([0]i16) }
-- input { -32768i16 -32766i16 } output { [-32768i16, -32767i16] }
-- input { 32765i16 32767i16 } output { [32765i16, 32766i16] }
-- input { 32767i16 -32768i16 } error: is invalid: its step leads away from its end
entry up_i16 (a: i16) (z: i16) : []i16 = a..<z

-- ==
-- entry: down_i16
-- input { -32768i16 -32768i16 } output { empty([0]i16) }
-- input { 32767i16 32767i16 } output { empty([0]i16) }
-- input { -32766i16 -32768i16 } output { [-32766i16, -32767i16] }
-- input { 32767i16 32765i16 } output { [32767i16, 32766i16] }
-- input { -32768i16 32767i16 } error: is invalid: its step leads away from its end
entry down_i16 (a: i16) (z: i16) : []i16 = a..>z

-- ==
-- entry: to_i16
-- input { -32768i16 -32768i16 } output { [-32768i16] }
-- input { 32767i16 32767i16 } output { [32767i16] }
-- input { -32768i16 -32766i16 } output { [-32768i16, -32767i16, -32766i16] }
-- input { 32765i16 32767i16 } output { [32765i16, 32766i16, 32767i16] }
-- input { 32767i16 -32768i16 } error: is invalid: its step leads away from its end
entry to_i16 (a: i16) (z: i16) : []i16 = a...z

-- ==
-- entry: steps_up_i16
-- input { -32768i16 32767i16 32767i16 } output { [-32768i16] }
-- input { -32768i16 32766i16 32767i16 } output { [-32768i16, 32766i16] }
-- input { -32768i16 0i16 32767i16 } output { [-32768i16, 0i16] }
-- input { -32768i16 -32768i16 32767i16 } error: is invalid: its step is 0
-- input { 32767i16 -32768i16 32767i16 } error: is invalid: its step leads away from its end
-- input { 32767i16 -32768i16 -32768i16 } error: is invalid: its step leads away from its end
-- input { 32766i16 32767i16 32767i16 } output { [32766i16] }
-- input { -32768i16 -32767i16 -32768i16 } output { empty([0]i16) }
-- input { 0i16 32767i16 32767i16 } output { [0i16] }
entry steps_up_i16 (a: i16) (s: i16) (z: i16) : []i16 = a..s..<z

-- ==
-- entry: steps_down_i16
-- input { 32767i16 -32768i16 -32768i16 } output { [32767i16] }
-- input { 32767i16 -32767i16 -32768i16 } output { [32767i16, -32767i16] }
-- input { 32767i16 0i16 -32768i16 } output { [32767i16, 0i16, -32767i16] }
-- input { 32767i16 32767i16 -32768i16 } error: is invalid: its step is 0
-- input { -32768i16 32767i16 -32768i16 } error: is invalid: its step leads away from its end
-- input { -32768i16 32767i16 32767i16 } error: is invalid: its step leads away from its end
-- input { -32767i16 -32768i16 -32768i16 } output { [-32767i16] }
-- input { 32767i16 32766i16 32767i16 } output { empty([0]i16) }
-- input { 0i16 -32768i16 -32768i16 } output { [0i16] }
entry steps_down_i16 (a: i16) (s: i16) (z: i16) : []i16 = a..s..>z

-- ==
-- entry: steps_to_i16
-- input { -32768i16 32767i16 32767i16 } output { [-32768i16, 32767i16] }
-- input { 32767i16 -32768i16 -32768i16 } output { [32767i16, -32768i16] }
-- input { -32768i16 32766i16 32767i16 } output { [-32768i16, 32766i16] }
-- input { 32767i16 -32767i16 -32768i16 } output { [32767i16, -32767i16] }
-- input { -32768i16 0i16 32767i16 } output { [-32768i16, 0i16] }
-- input { 32767i16 0i16 -32768i16 } output { [32767i16, 0i16, -32767i16] }
-- input { -32768i16 -32768i16 -32768i16 } error: is invalid: its step is 0
-- input { 32767i16 -32768i16 32767i16 } output { [32767i16] }
-- input { -32768i16 32767i16 -32768i16 } output { [-32768i16] }
-- input { 32767i16 -32768i16 32766i16 } output { [32767i16] }
entry steps_to_i16 (a: i16) (s: i16) (z: i16) : []i16 = a..s...z

-- ==
-- entry: up_u16
-- input { 0u16 0u16 } output { empty([0]u16) }
-- input { 65535u16 65535u16 } output { empty([0]u16) }
-- input { 0u16 2u16 } output { [0u16, 1u16] }
-- input { 65533u16 65535u16 } output { [65533u16, 65534u16] }
-- input { 65535u16 0u16 } error: is invalid: its step leads away from its end
entry up_u16 (a: u16) (z: u16) : []u16 = a..<z

-- ==
-- entry: down_u16
-- input { 0u16 0u16 } output { empty([0]u16) }
-- input { 65535u16 65535u16 } output { empty([0]u16) }
-- input { 2u16 0u16 } output { [2u16, 1u16] }
-- input { 65535u16 65533u16 } output { [65535u16, 65534u16] }
-- input { 0u16 65535u16 } error: is invalid: its step leads away from its end
entry down_u16 (a: u16) (z: u16) : []u16 = a..>z

-- ==
-- entry: to_u16
-- input { 0u16 0u16 } output { [0u16] }
-- input { 65535u16 65535u16 } output { [65535u16] }
-- input { 0u16 2u16 } output { [0u16, 1u16, 2u16] }
-- input { 65533u16 65535u16 } output { [65533u16, 65534u16, 65535u16] }
-- input { 65535u16 0u16 } error: is invalid: its step leads away from its end
entry to_u16 (a: u16) (z: u16) : []u16 = a...z

-- ==
-- entry: steps_up_u16
-- input { 0u16 65535u16 65535u16 } output { [0u16] }
-- input { 0u16 65534u16 65535u16 } output { [0u16, 65534u16] }
-- input { 0u16 32768u16 65535u16 } output { [0u16, 32768u16] }
-- input { 0u16 0u16 65535u16 } error: is invalid: its step is 0
-- input { 65535u16 0u16 65535u16 } error: is invalid: its step leads away from its end
-- input { 65535u16 0u16 0u16 } error: is invalid: its step leads away from its end
-- input { 65534u16 65535u16 65535u16 } output { [65534u16] }
-- input { 0u16 1u16 0u16 } output { empty([0]u16) }
-- input { 32768u16 65535u16 65535u16 } output { [32768u16] }
entry steps_up_u16 (a: u16) (s: u16) (z: u16) : []u16 = a..s..<z

-- ==
-- entry: steps_down_u16
-- input { 65535u16 0u16 0u16 } output { [65535u16] }
-- input { 65535u16 1u16 0u16 } output { [65535u16, 1u16] }
-- input { 65535u16 32768u16 0u16 } output { [65535u16, 32768u16, 1u16] }
-- input { 65535u16 65535u16 0u16 } error: is invalid: its step is 0
-- input { 0u16 65535u16 0u16 } error: is invalid: its step leads away from its end
-- input { 0u16 65535u16 65535u16 } error: is invalid: its step leads away from its end
-- input { 1u16 0u16 0u16 } output { [1u16] }
-- input { 65535u16 65534u16 65535u16 } output { empty([0]u16) }
-- input { 32768u16 0u16 0u16 } output { [32768u16] }
entry steps_down_u16 (a: u16) (s: u16) (z: u16) : []u16 = a..s..>z

-- ==
-- entry: steps_to_u16
-- input { 0u16 65535u16 65535u16 } output { [0u16, 65535u16] }
-- input { 65535u16 0u16 0u16 } output { [65535u16, 0u16] }
-- input { 0u16 65534u16 65535u16 } output { [0u16, 65534u16] }
-- input { 65535u16 1u16 0u16 } output { [65535u16, 1u16] }
-- input { 0u16 32768u16 65535u16 } output { [0u16, 32768u16] }
-- input { 65535u16 32768u16 0u16 } output { [65535u16, 32768u16, 1u16] }
-- input { 0u16 0u16 0u16 } error: is invalid: its step is 0
-- input { 65535u16 0u16 65535u16 } output { [65535u16] }
-- input { 0u16 65535u16 0u16 } output { [0u16] }
-- input { 65535u16 0u16 65534u16 } output { [65535u16] }
entry steps_to_u16 (a: u16) (s: u16) (z: u16) : []u16 = a..s...z

-- ==
-- entry: up_i32
-- input { -2147483648i32 -2147483648i32 } output { empty([0]i32) }
-- input { 2147483647i32 2147483647i32 } output { empty([0]i32) }
-- input { -2147483648i32 -2147483646i32 } output { [-2147483648i32, -2147483647i32] }
-- input { 2147483645i32 2147483647i32 } output { [2147483645i32, 2147483646i32] }
-- input { 2147483647i32 -2147483648i32 } error: is invalid: its step leads away from its end
entry up_i32 (a: i32) (z: i32) : []i32 = a..<z

-- ==
-- entry: down_i32
-- input { -2147483648i32 -2147483648i32 } output { empty([0]i32) }
-- input { 2147483647i32 2147483647i32 } output { empty([0]i32) }
-- input { -2147483646i32 -2147483648i32 } output { [-2147483646i32, -2147483647i32] }
-- input { 2147483647i32 2147483645i32 } output { [2147483647i32, 2147483646i32] }
-- input { -2147483648i32 2147483647i32 } error: is invalid: its step leads away from its end
entry down_i32 (a: i32) (z: i32) : []i32 = a..>z

-- ==
-- entry: to_i32
-- input { -2147483648i32 -2147483648i32 } output { [-2147483648i32] }
-- input { 2147483647i32 2147483647i32 } output { [2147483647i32] }
-- input { -2147483648i32 -2147483646i32 } output { [-2147483648i32, -2147483647i32, -2147483646i32] }
-- input { 2147483645i32 2147483647i32 } output { [2147483645i32, 2147483646i32, 2147483647i32] }
-- input { 2147483647i32 -2147483648i32 } error: is invalid: its step leads away from its end
entry to_i32 (a: i32) (z: i32) : []i32 = a...z

-- ==
-- entry: steps_up_i32
-- input { -2147483648i32 2147483647i32 2147483647i32 } output { [-2147483648i32] }
-- input { -2147483648i32 2147483646i32 2147483647i32 } output { [-2147483648i32, 2147483646i32] }
-- input { -2147483648i32 0i32 2147483647i32 } output { [-2147483648i32, 0i32] }
-- input { -2147483648i32 -2147483648i32 2147483647i32 } error: is invalid: its step is 0
-- input { 2147483647i32 -2147483648i32 2147483647i32 } error: is invalid: its step leads away from its end
-- input { 2147483647i32 -2147483648i32 -2147483648i32 } error: is invalid: its step leads away from its end
-- input { 2147483646i32 2147483647i32 2147483647i32 } output { [2147483646i32] }
-- input { -2147483648i32 -2147483647i32 -2147483648i32 } output { empty([0]i32) }
-- input { 0i32 2147483647i32 2147483647i32 } output { [0i32] }
entry steps_up_i32 (a: i32) (s: i32) (z: i32) : []i32 = a..s..<z

-- ==
-- entry: steps_down_i32
-- input { 2147483647i32 -2147483648i32 -2147483648i32 } output { [2147483647i32] }
-- input { 2147483647i32 -2147483647i32 -2147483648i32 } output { [2147483647i32, -2147483647i32] }
-- input { 2147483647i32 0i32 -2147483648i32 } output { [2147483647i32, 0i32, -2147483647i32] }
-- input { 2147483647i32 2147483647i32 -2147483648i32 } error: is invalid: its step is 0
-- input { -2147483648i32 2147483647i32 -2147483648i32 } error: is invalid: its step leads away from its end
-- input { -2147483648i32 2147483647i32 2147483647i32 } error: is invalid: its step leads away from its end
-- input { -2147483647i32 -2147483648i32 -2147483648i32 } output { [-2147483647i32] }
-- input { 2147483647i32 2147483646i32 2147483647i32 } output { empty([0]i32) }
-- input { 0i32 -2147483648i32 -2147483648i32 } output { [0i32] }
entry steps_down_i32 (a: i32) (s: i32) (z: i32) : []i32 = a..s..>z

-- ==
-- entry: steps_to_i32
-- input { -2147483648i32 2147483647i32 2147483647i32 } output { [-2147483648i32, 2147483647i32] }
-- input { 2147483647i32 -2147483648i32 -2147483648i32 } output { [2147483647i32, -2147483648i32] }
-- input { -2147483648i32 2147483646i32 2147483647i32 } output { [-2147483648i32, 2147483646i32] }
-- input { 2147483647i32 -2147483647i32 -2147483648i32 } output { [2147483647i32, -2147483647i32] }
-- input { -2147483648i32 0i32 2147483647i32 } output { [-2147483648i32, 0i32] }
-- input { 2147483647i32 0i32 -2147483648i32 } output { [2147483647i32, 0i32, -2147483647i32] }
-- input { -2147483648i32 -2147483648i32 -2147483648i32 } error: is invalid: its step is 0
-- input { 2147483647i32 -2147483648i32 2147483647i32 } output { [2147483647i32] }
-- input { -2147483648i32 2147483647i32 -2147483648i32 } output { [-2147483648i32] }
-- input { 2147483647i32 -2147483648i32 2147483646i32 } output { [2147483647i32] }
entry steps_to_i32 (a: i32) (s: i32) (z: i32) : []i32 = a..s...z

-- ==
-- entry: up_u32
-- input { 0u32 0u32 } output { empty([0]u32) }
-- input { 4294967295u32 4294967295u32 } output { empty([0]u32) }
-- input { 0u32 2u32 } output { [0u32, 1u32] }
-- input { 4294967293u32 4294967295u32 } output { [4294967293u32, 4294967294u32] }
-- input { 4294967295u32 0u32 } error: is invalid: its step leads away from its end
entry up_u32 (a: u32) (z: u32) : []u32 = a..<z

-- ==
-- entry: down_u32
-- input { 0u32 0u32 } output { empty([0]u32) }
-- input { 4294967295u32 4294967295u32 } output { empty([0]u32) }
-- input { 2u32 0u32 } output { [2u32, 1u32] }
-- input { 4294967295u32 4294967293u32 } output { [4294967295u32, 4294967294u32] }
-- input { 0u32 4294967295u32 } error: is invalid: its step leads away from its end
entry down_u32 (a: u32) (z: u32) : []u32 = a..>z

-- ==
-- entry: to_u32
-- input { 0u32 0u32 } output { [0u32] }
-- input { 4294967295u32 4294967295u32 } output { [4294967295u32] }
-- input { 0u32 2u32 } output { [0u32, 1u32, 2u32] }
-- input { 4294967293u32 4294967295u32 } output { [4294967293u32, 4294967294u32, 4294967295u32] }
-- input { 4294967295u32 0u32 } error: is invalid: its step leads away from its end
entry to_u32 (a: u32) (z: u32) : []u32 = a...z

-- ==
-- entry: steps_up_u32
-- input { 0u32 4294967295u32 4294967295u32 } output { [0u32] }
-- input { 0u32 4294967294u32 4294967295u32 } output { [0u32, 4294967294u32] }
-- input { 0u32 2147483648u32 4294967295u32 } output { [0u32, 2147483648u32] }
-- input { 0u32 0u32 4294967295u32 } error: is invalid: its step is 0
-- input { 4294967295u32 0u32 4294967295u32 } error: is invalid: its step leads away from its end
-- input { 4294967295u32 0u32 0u32 } error: is invalid: its step leads away from its end
-- input { 4294967294u32 4294967295u32 4294967295u32 } output { [4294967294u32] }
-- input { 0u32 1u32 0u32 } output { empty([0]u32) }
-- input { 2147483648u32 4294967295u32 4294967295u32 } output { [2147483648u32] }
entry steps_up_u32 (a: u32) (s: u32) (z: u32) : []u32 = a..s..<z

-- ==
-- entry: steps_down_u32
-- input { 4294967295u32 0u32 0u32 } output { [4294967295u32] }
-- input { 4294967295u32 1u32 0u32 } output { [4294967295u32, 1u32] }
-- input { 4294967295u32 2147483648u32 0u32 } output { [4294967295u32, 2147483648u32, 1u32] }
-- input { 4294967295u32 4294967295u32 0u32 } error: is invalid: its step is 0
-- input { 0u32 4294967295u32 0u32 } error: is invalid: its step leads away from its end
-- input { 0u32 4294967295u32 4294967295u32 } error: is invalid: its step leads away from its end
-- input { 1u32 0u32 0u32 } output { [1u32] }
-- input { 4294967295u32 4294967294u32 4294967295u32 } output { empty([0]u32) }
-- input { 2147483648u32 0u32 0u32 } output { [2147483648u32] }
entry steps_down_u32 (a: u32) (s: u32) (z: u32) : []u32 = a..s..>z

-- ==
-- entry: steps_to_u32
-- input { 0u32 4294967295u32 4294967295u32 } output { [0u32, 4294967295u32] }
-- input { 4294967295u32 0u32 0u32 } output { [4294967295u32, 0u32] }
-- input { 0u32 4294967294u32 4294967295u32 } output { [0u32, 4294967294u32] }
-- input { 4294967295u32 1u32 0u32 } output { [4294967295u32, 1u32] }
-- input { 0u32 2147483648u32 4294967295u32 } output { [0u32, 2147483648u32] }
-- input { 4294967295u32 2147483648u32 0u32 } output { [4294967295u32, 2147483648u32, 1u32] }
-- input { 0u32 0u32 0u32 } error: is invalid: its step is 0
-- input { 4294967295u32 0u32 4294967295u32 } output { [4294967295u32] }
-- input { 0u32 4294967295u32 0u32 } output { [0u32] }
-- input { 4294967295u32 0u32 4294967294u32 } output { [4294967295u32] }
entry steps_to_u32 (a: u32) (s: u32) (z: u32) : []u32 = a..s...z
