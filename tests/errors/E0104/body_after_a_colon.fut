def main (xs: []i32):
  return i32.sum(xs)
