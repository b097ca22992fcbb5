-- What is consumed and what is unique, written and inferred.
def set [n] (xs: *[n]i32) (i: i64) : *[n]i32 = xs with [i] = 0

def fresh (n: i64) = replicate n 1u8

def update_twice [n] (xs: *[n]i32) =
  let xs[0] = 1
  let xs[1] = 2
  in xs

def fill (n: i64) =
  loop xs = replicate n 0 for i < n do
    let xs[i] = i
    in xs

def apply_to_copy [n] (f: *[n]i32 -> *[n]i32) (xs: [n]i32) = f (copy xs)

def swap (r: {left: []i32, right: []i32}) =
  (r with left = [1i32, 2]) with right = r.left
