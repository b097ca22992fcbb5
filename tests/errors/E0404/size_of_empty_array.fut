def f = length ([] : [][]i32)
