def f = (>-> length) (filter (> 0i32))
