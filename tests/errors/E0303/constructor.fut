def f (x: bool) = #some x
