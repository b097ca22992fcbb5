type rec exp = #number i64 | #plus exp exp

def f (e: exp) : i64 =
  match e
  case #number n -> n
