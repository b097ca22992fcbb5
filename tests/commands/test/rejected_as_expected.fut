-- ==
-- error: E0201
def main (x: i32) = y
