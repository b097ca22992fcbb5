def keep 'a (x: a) = x

def again (x: a) = keep x
