entry make [n] (f: [n]i32 -> i32) = f
