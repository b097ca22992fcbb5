module pairs = {
  type pair = (i32, i32)
}

def swap ((a, b): pairs.pear) = (b, a)
