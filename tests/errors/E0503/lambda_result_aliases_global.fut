def table : [3]i32 = [1, 2, 3]

def pick = \(b: bool) -> if b then table else [0, 0, 0]

def main (b: bool) : i32 = (pick b)[0]
