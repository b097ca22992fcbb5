-- ==
-- input { 2i64 } output { [9, 9] }

def fill (r: {count: i64, value: i32}) : []i32 = replicate r.count r.value

def main (n: i64) : []i32 = fill {count = n, value = 9}
