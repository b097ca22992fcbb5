def pair 'a (x: a) = (x, x)
def four 'a (x: a) = pair (pair x)
def sixteen 'a (x: a) = four (four x)
def many 'a (x: a) = sixteen (sixteen x)

def first 'a 'b (x: (a, b)) : a = x.0

entry main (x: i64) : i64 =
  let all = many (many x)
  let _first = first all
  in x
