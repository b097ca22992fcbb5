-- Continuations that capture continuations: the functions of a recursive type call each other without end.
-- ==
-- entry: fibonacci
-- input { 0i64 } output { 1i64 }
-- input { 1i64 } output { 1i64 }
-- input { 10i64 } output { 89i64 }

-- ==
-- entry: factorial
-- input { 0i64 } output { 1i64 }
-- input { 10i64 } output { 3628800i64 }

type^ rec step = #more (() -> step) | #done i64

def run (s: step) : i64 =
  match s
  case #more f -> run (f ())
  case #done x -> x

def fib (n: i64) (k: i64 -> step) : step =
  #more (\() ->
           if n <= 1
           then k 1
           else fib (n - 1) (\v -> fib (n - 2) (\w -> k (v + w))))

def fact (n: i64) (k: i64 -> step) : step =
  #more (\() -> if n == 0 then k 1 else fact (n - 1) (\v -> k (n * v)))

entry fibonacci (n: i64) : i64 = run (fib n (\x -> #done x))

entry factorial (n: i64) : i64 = run (fact n (\x -> #done x))
