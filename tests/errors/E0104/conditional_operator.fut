def parity (a: i64): i64 = a % 2 == 0 ? 1 : 2
