def f (_x: i32) = _x + 1
