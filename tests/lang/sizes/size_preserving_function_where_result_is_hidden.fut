-- ==
-- input { [1, 2, 3] } output { [3, 2, 1] }

def apply (f: []i32 -> []i32) (xs: []i32) : []i32 = f xs

def backwards [n] (xs: [n]i32) : [n]i32 = reverse xs

def main (xs: []i32) : []i32 = apply backwards xs
