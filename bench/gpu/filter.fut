-- The elements below a half: about every second one.
-- ==
-- nobench input { [0.25f32, 0.75f32, 0.125f32, 0.5f32] } output { [0.25f32, 0.125f32] }
-- nobench input { [0.75f32] } output { empty([0]f32) }
-- notest script input { input 10000000i64 }

import "data"

entry input (n: i64) : [n]f32 = tabulate n (unit 1)

entry main [n] (xs: [n]f32) : []f32 = filter (< 0.5) xs
