-- Type and size parameters that were not written are made explicit.
def first xs = head xs

def pair_up [n] 'a 'b (xs: [n]a) (ys: [n]b) : [n](a, b) = zip xs ys

def twice (f: i32 -> i32) = map (f >-> f)

def both_ends n = (iota n, iota (n + 1))

entry main (xs: []i32) =
  let ys = twice (+ 1) xs
  in (first ys, pair_up xs ys)
