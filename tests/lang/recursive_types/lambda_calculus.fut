-- An evaluator with environments; variables are counted from the innermost binder.
-- ==
-- input { 3i64 } output { 12i64 }

type rec exp = #var i64 | #lam exp | #app exp exp | #lit i64 | #add exp exp

type rec value = #int i64 | #closure exp ([]value)

def eval [n] (env: [n]value) (e: exp) : value =
  match e
  case #var i -> env[i]
  case #lam body -> #closure body env
  case #lit k -> #int k
  case #add a b ->
    (match (eval env a, eval env b)
     case (#int x, #int y) -> #int (x + y)
     case _ -> assert false (#int 0))
  case #app f a ->
    (match eval env f
     case #closure body saved -> eval ([eval env a] ++ saved) body
     case #int _ -> assert false (#int 0))

def to_int (v: value) : i64 =
  match v
  case #int k -> k
  case #closure _ _ -> assert false 0

-- (\f -> f (f x)) (\y -> y + y)
entry main (x: i64) : i64 =
  to_int (eval []
               (#app (#lam (#app (#var 0) (#app (#var 0) (#lit x))))
                     (#lam (#add (#var 0) (#var 0)))))
