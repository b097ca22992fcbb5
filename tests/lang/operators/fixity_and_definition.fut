def (a: i32) +. (b: i32) : i32 = a + b

def (a: i32) *. (b: i32) : i32 = a * b

def seven : i32 = 1 +. 2 *. 3

def minus (a: i32) (b: i32) : i32 = a - b

def two : i32 = 5 `minus` 2 `minus` 1

def (<->) (a: bool) (b: bool) : bool = a == b
