type t = #a i32 | #b

def main (x: t) : t = loop (#a y) = x for _i < 10 do #a (y + 1)
