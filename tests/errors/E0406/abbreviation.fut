type table = [][]i32
