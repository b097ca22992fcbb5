def set (row: *[]i64, rows: *[][]i64) : i64 = row[0] + rows[0, 0]

def main (xss: *[][]i64) : i64 = set (xss[0], xss)
