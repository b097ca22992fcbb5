def table : *[3]i32 = [1, 2, 3]

def main (i: i64) : i32 = table[i]
