-- ==
-- input { } output { 0.5f64 }

def main : f64 = 0x1.0p-1
