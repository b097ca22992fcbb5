def f (x: i64) {
  x + 1
}

def g ({a, b}: {a: i64, b: i64}) {
  a * b
}

def h x { x }

def main (y: i64) = f y + g {a = y, b = y} + h y
