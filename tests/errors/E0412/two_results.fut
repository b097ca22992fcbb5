def tables [n]: ([0][n]i32, []i32) = ([], filter (> 0) [1, -1])
