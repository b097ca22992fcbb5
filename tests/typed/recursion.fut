-- Functions that call themselves and one another; recursive types.
def factorial (n: i64) : i64 = if n <= 1 then 1 else n * factorial (n - 1)

def is_even (n: i64) : bool = n == 0 || is_odd (n - 1)
with def is_odd (n: i64) : bool = n != 0 && is_even (n - 1)

type rec tree 'a = #leaf | #node a (tree a) (tree a)

def depth 'a (t: tree a) : i64 =
  match t
  case #leaf -> 0
  case #node _ l r -> 1 + i64.max (depth l) (depth r)

type rec blob = #data ([]u8) | #parts (blob) (blob)

def size (b: blob) : i64 =
  match b
  case #data bytes -> length bytes
  case #parts x y -> size x + size y

def one : tree i32 = #node 1 #leaf #leaf
