def f = filter (> 0i32) >-> length
