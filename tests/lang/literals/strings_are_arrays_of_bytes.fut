-- ==
-- input { } output { [72u8, 105u8, 10u8] }

def main : []u8 = "Hi\n"
