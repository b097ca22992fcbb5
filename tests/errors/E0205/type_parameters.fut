def first 'a 'a (x: a) = x
