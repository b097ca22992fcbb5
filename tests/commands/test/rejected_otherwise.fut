-- ==
-- error: E0301
def main (x: i32) = y
