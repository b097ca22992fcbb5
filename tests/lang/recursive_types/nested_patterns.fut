-- ==
-- input { } output { 3i64 }

type rec exp = #number i64 | #plus exp exp | #negate exp

def simplify (e: exp) : exp =
  match e
  case #negate (#negate x) -> simplify x
  case #negate x -> #negate (simplify x)
  case #plus (#number 0) x -> simplify x
  case #plus a b -> #plus (simplify a) (simplify b)
  case #number n -> #number n

def size (e: exp) : i64 =
  match e
  case #number _ -> 1
  case #plus a b -> 1 + size a + size b
  case #negate a -> 1 + size a

entry main : i64 =
  size (simplify (#plus (#number 0)
                        (#negate (#negate (#plus (#number 1) (#number 2))))))
