-- ==
-- input { 3i64 } output { 3i64 }

type~ numbers = []i64

def upto (n: i64) : numbers = iota n

def main (n: i64) : i64 = length (upto n)
