def f 'a 'b (x: a) (y: b) : a = y
