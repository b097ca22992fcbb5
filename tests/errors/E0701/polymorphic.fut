entry f 'a (x: a) = x
