def index_or_argument = (a[i], a [i], a[i][j], (f x)[i], f a[i], f a [i], a[i,j], a [i,j])
def slices = (a[1:n], a[:n], a[1:], a[:], a[::-1], a[1:n:2], a[i+1:n-1], a[1:2, ::3], a[:, i])
def fields = (r.a, r.a.b, t.0, t.0.1, (f x).a, (f x).0.b, a[i].x, a[i].x[j])
def updates = (a with [i] = 1, r with a.b[i] = 2, x with 0 = 42 with 1 = 1337)
def update_chain x =
  x with [0] = 1
 with [1] = 2 with a.b = 3
def start_is_long = replicate n (replicate m (replicate k 0)) with [i] = replicate m (replicate k 1) with [j] = x
def long_index = values[first_index_expression + 1, second_index_expression + 2, third_index_expression]
