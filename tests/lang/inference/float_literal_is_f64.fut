-- ==
-- input { } output { true }

def main : bool = 0.1 + 0.2 != 0.3
