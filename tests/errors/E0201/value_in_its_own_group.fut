def a: i64 = b + 1
with
def b: i64 = a + 1
