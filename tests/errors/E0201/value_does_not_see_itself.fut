def ones: [1]i32 = [ones[0]]
