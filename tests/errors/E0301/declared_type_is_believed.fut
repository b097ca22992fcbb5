def halves [n] (xs: [n]i64): [n]f64 = map (/ 2) xs
def main (xs: []i64) = f64.sum (halves xs) + (halves xs)[0]
