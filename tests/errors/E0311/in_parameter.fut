type pair 'a 'b = (a, b)

type handler = pair i32 (i32 -> i32)
