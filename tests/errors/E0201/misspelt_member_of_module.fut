def total (xs: []i32) = i32.summ xs
