def count = filter (> 0i32) >-> length
