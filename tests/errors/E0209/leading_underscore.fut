def f (_x: i64) : i64 = _x
