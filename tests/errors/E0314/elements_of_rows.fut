entry main (xss: [][]i32) : [][]i32 = map (+ 1) xss
