def through n x = if n == 0i64 then x else back (n - 1) x
with def back n x = through n x

def number : i64 = through 3 4

def truth : bool = back 3 true
