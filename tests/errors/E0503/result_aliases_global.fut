def table : [3]i32 = [1, 2, 3]

def main (b: bool) : []i32 = if b then table else []
