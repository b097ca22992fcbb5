-- Interpreters that each element of a map runs for itself: of the lambda calculus with closures as environments, by continuations that capture each other, and by a trampoline. On a device they run in kernels.
-- ==
-- entry: direct by_continuations by_trampoline
-- input { 6i64 } output { [1i64, 1i64, 2i64, 6i64, 24i64, 120i64] }
-- compiled input { 19i64 } output { [1i64, 1i64, 2i64, 6i64, 24i64, 120i64, 720i64, 5040i64, 40320i64, 362880i64, 3628800i64, 39916800i64, 479001600i64, 6227020800i64, 87178291200i64, 1307674368000i64, 20922789888000i64, 355687428096000i64, 6402373705728000i64] }

-- ==
-- entry: nested
-- input { 5i64 } output { [0i64, 2i64, 10i64, 34i64, 98i64] }

-- ==
-- entry: sum_of_nested
-- compiled input { 300i64 } output { 153131i64 }

-- Terms have variables by their distance to the binder, numbers, and a branch on zero.
type rec term =
    #var i64
  | #lam term
  | #app term term
  | #lit i64
  | #times term term
  | #minus term term
  | #if0 term term term

type rec value = #number i64 | #closure term env
with type env = #empty | #bind value env

def lookup (e: env) (i: i64) : value =
  match e
  case #empty -> #number 0
  case #bind v rest -> if i == 0 then v else lookup rest (i - 1)

def number (v: value) : i64 =
  match v
  case #number n -> n
  case #closure _ _ -> 0

-- | The factorial of a number, by a function that gets itself as an argument.
def factorial (n: i64) : term =
  let self: term =
    #lam (#lam (#if0 (#var 0)
                     (#lit 1)
                     (#times (#var 0)
                             (#app (#app (#var 1) (#var 1))
                                   (#minus (#var 0) (#lit 1))))))
  in #app (#app self self) (#lit n)

-- | As the calculus is defined.
def eval (e: env) (t: term) : value =
  match t
  case #var i -> lookup e i
  case #lam body -> #closure body e
  case #app f x -> apply (eval e f) (eval e x)
  case #lit n -> #number n
  case #times a b -> #number (number (eval e a) * number (eval e b))
  case #minus a b -> #number (number (eval e a) - number (eval e b))
  case #if0 c a b -> if number (eval e c) == 0 then eval e a else eval e b
with def apply (f: value) (x: value) : value =
  match f
  case #number _ -> #number 0
  case #closure body e -> eval (#bind x e) body

entry direct (n: i64) : [n]i64 =
  map (\i -> number (eval #empty (factorial i))) (iota n)

-- | What is left to do is a function.
def eval_then (e: env) (t: term) (k: value -> i64) : i64 =
  match t
  case #var i -> k (lookup e i)
  case #lam body -> k (#closure body e)
  case #app f x ->
    eval_then e f (\f ->
      eval_then e x (\x ->
        match f
        case #number _ -> k (#number 0)
        case #closure body e -> eval_then (#bind x e) body k))
  case #lit n -> k (#number n)
  case #times a b ->
    eval_then e a (\a ->
      eval_then e b (\b -> k (#number (number a * number b))))
  case #minus a b ->
    eval_then e a (\a ->
      eval_then e b (\b -> k (#number (number a - number b))))
  case #if0 c a b ->
    eval_then e c (\c ->
      if number c == 0 then eval_then e a k else eval_then e b k)

entry by_continuations (n: i64) : [n]i64 =
  map (\i -> eval_then #empty (factorial i) number) (iota n)

-- | What is left to do is a value, and a loop does it.
type rec rest =
    #done
  | #argument term env rest
  | #call value rest
  | #right bool term env rest
  | #combine bool i64 rest
  | #branch term term env rest

type step = #eval env term rest | #return value rest

def step (s: step) : step =
  match s
  case #eval e t k ->
    (match t
     case #var i -> #return (lookup e i) k
     case #lam body -> #return (#closure body e) k
     case #app f x -> #eval e f (#argument x e k)
     case #lit n -> #return (#number n) k
     case #times a b -> #eval e a (#right true b e k)
     case #minus a b -> #eval e a (#right false b e k)
     case #if0 c a b -> #eval e c (#branch a b e k))
  case #return v k ->
    (match k
     case #done -> #return v #done
     case #argument x e k -> #eval e x (#call v k)
     case #call f k ->
       (match f
        case #number _ -> #return (#number 0) k
        case #closure body e -> #eval (#bind v e) body k)
     case #right product b e k -> #eval e b (#combine product (number v) k)
     case #combine product a k ->
       #return (#number (if product then a * number v else a - number v)) k
     case #branch a b e k -> #eval e (if number v == 0 then a else b) k)

def is_done (s: step) : bool =
  match s
  case #return _ #done -> true
  case _ -> false

entry by_trampoline (n: i64) : [n]i64 =
  map (\i ->
    let last =
      loop s: step = #eval #empty (factorial i) #done
      while !(is_done s) do
        step s
    in match last
       case #return v _ -> number v
       case #eval _ _ _ -> 0) (iota n)

-- | A function in a function, as deep as the element says.
entry nested (n: i64) : [n]i64 =
  map (\i ->
    let f = loop f = \(x: i64) -> x for j < i do \x -> f ((2 * x + j) % 1009)
    in f i) (iota n)

entry sum_of_nested (n: i64) : i64 = i64.sum (nested n)
