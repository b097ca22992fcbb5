def steps : [3](i32 -> i32) = [\x -> x + 1, \x -> x * 2, \x -> -x]

def apply_all (x: i32) : [3]i32 = map (\f -> f x) steps
