-- ==
-- property: below_a_hundred
#[prop]
entry below_a_hundred (xs: []i32) = all (< 100) xs

#[prop]
entry forgotten (x: i32) = x == x
