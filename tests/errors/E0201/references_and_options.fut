entry cell (x: i32) = let c = ref x in c

entry option (x: i32) = if x > 0 then Just x else Nothing
