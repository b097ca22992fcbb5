-- # The lambda calculus
--
-- An evaluator, as in section 3.2 of Holk, Newton, Siek and Lumsdaine, *Region-based Memory Management
-- for GPU Programming Languages* (OOPSLA 2014). The paper gives the type of expressions; this program
-- also evaluates them: it brings many terms to normal form in parallel. The terms, the values and the
-- environments are recursive data that the calls inside a `map` make and take apart, and the evaluator
-- is three functions that call each other.

-- | A variable is a de Bruijn index: how many lambdas stand between it and its own.
type rec term = #variable i64 | #lambda term | #apply term term

-- ## Evaluation
--
-- A value is a function with the variables that it needs, or an application that cannot go on because
-- what it applies is a free variable.

type rec value = #closure environment term | #free i64 | #stuck value value
with type environment = #empty | #bind value environment

def lookup (env: environment) (i: i64) : value =
  match env
  case #empty -> #free (-1 - i)
  case #bind v rest -> if i == 0 then v else lookup rest (i - 1)

def eval (env: environment) (t: term) : value =
  match t
  case #variable i -> lookup env i
  case #lambda _ -> #closure env t
  case #apply f x -> apply (eval env f) (eval env x)
with def apply (f: value) (x: value) : value =
  match f
  case #closure env (#lambda body) -> eval (#bind x env) body
  case _ -> #stuck f x

-- A value becomes a term again. To look into a function, it is applied to a variable that is free and
-- new: the number of lambdas around it is its name.

def quote (lambdas: i64) (v: value) : term =
  match v
  case #closure _ _ ->
    #lambda (quote (lambdas + 1) (apply v (#free lambdas)))
  case #free name -> #variable (lambdas - 1 - name)
  case #stuck f x -> #apply (quote lambdas f) (quote lambdas x)

def normalise (t: term) : term = quote 0 (eval #empty t)

-- ## Reading and writing
--
-- A term as text: `L` for a lambda, `@` for an application, and a digit for a variable. What belongs
-- to them follows, so there are no parentheses.

def parse (text: []u8) (at: i64) : (term, i64) =
  match text[at]
  case 'L' ->
    let (body, end) = parse text (at + 1)
    in (#lambda body, end)
  case '@' ->
    let (f, middle) = parse text (at + 1)
    let (x, end) = parse text middle
    in (#apply f x, end)
  case digit -> (#variable (i64.u8 (digit - '0')), at + 1)

def read (text: []u8) : term = (parse text 0).0

def print (t: term) : []u8 =
  match t
  case #variable i -> [u8.i64 i + '0']
  case #lambda body -> "L" ++ print body
  case #apply f x -> "@" ++ print f ++ print x

-- The tests are reductions from textbooks. The identity applied to a function is that function. The
-- combinators S, K and K make the identity. The negation of true is false. A redex under a lambda is
-- reduced, and what is in normal form stays as it is.

-- ==
-- entry: normal_form
-- nobench input { "@L0LL1" } output { "LL1" }
-- nobench input { "@@LLL@@20@10LL1LL1" } output { "L0" }
-- nobench input { "@LLL@@201LL1" } output { "LL0" }
-- nobench input { "L@L@00@L01" } output { "L@11" }
-- nobench input { "L@L@00@L00" } output { "L@00" }
-- nobench input { "LL@1@10" } output { "LL@1@10" }
entry normal_form (text: []u8) : []u8 = print (normalise (read text))

-- ## Numbers
--
-- Church's numeral for n is the function that applies a function n times. All arithmetic here is
-- application.

def numeral (n: i64) : term =
  #lambda (#lambda (loop body = #variable 0 for _i < n do
                      #apply (#variable 1) body))

def applications (t: term) : i64 =
  match t
  case #apply _ rest -> 1 + applications rest
  case _ -> 0

def two_arguments (f: term) (x: term) (y: term) : term = #apply (#apply f x) y

-- To see which number a term stands for, let it apply one free variable to another.

def number_of (t: term) : i64 =
  let normal_form: term =
    normalise (two_arguments t (#variable 1) (#variable 0))
  in applications normal_form

def plus : term -> term -> term = two_arguments (read "LLLL@@31@@210")

def times : term -> term -> term = two_arguments (read "LLL@2@10")

def power : term -> term -> term = two_arguments (read "LL@01")

-- Each element is a term of its own, and all of them are brought to normal form at the same time.

-- ==
-- entry: arithmetic
-- nobench input { [2i64, 0i64, 5i64, 12i64] [3i64, 4i64, 0i64, 11i64] }
-- output { [5i64, 4i64, 5i64, 23i64] [6i64, 0i64, 0i64, 132i64] }
-- nobench input { empty([0]i64) empty([0]i64) } output { empty([0]i64) empty([0]i64) }
-- "1000" notest script input { pairs 1000i64 }
-- "10000" notest script input { pairs 10000i64 }
-- "100000" notest script input { pairs 100000i64 }
entry arithmetic [n] (ms: [n]i64) (ns: [n]i64) : ([n]i64, [n]i64) =
  let both k l =
    ( number_of (plus (numeral k) (numeral l))
    , number_of (times (numeral k) (numeral l))
    )
  in unzip (map2 both ms ns)

-- > arithmetic [2i64, 3i64, 4i64] [10i64, 20i64, 30i64]

-- | Pairs of numbers below 16: all there are, again and again.
entry pairs (n: i64) : ([n]i64, [n]i64) =
  (tabulate n (\i -> i / 16 % 16), tabulate n (% 16))

-- ==
-- entry: powers
-- nobench input { 2i64 [0i64, 1i64, 2i64, 8i64] } output { [1i64, 2i64, 4i64, 256i64] }
-- nobench input { 3i64 [4i64] } output { [81i64] }
entry powers [n] (base: i64) (exponents: [n]i64) : [n]i64 =
  map (\e -> number_of (power (numeral base) (numeral e))) exponents

-- > powers 2i64 [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64]

-- The factorial, by a step from (k, k!) to (k + 1, (k + 1)!) that the numeral repeats. A pair is a
-- function that passes both of its parts to another one.

def factorial (n: term) : term =
  let pair = two_arguments (read "LLL@@021")
  let first (p: term) : term = #apply p (read "LL1")
  let second (p: term) : term = #apply p (read "LL0")
  let successor (m: term) : term = #apply (read "LLL@1@@210") m
  let step: term =
    let before: term = #variable 0
    let next = successor (first before)
    in #lambda (pair next (times next (second before)))
  in second (two_arguments n step (pair (numeral 0) (numeral 1)))

-- ==
-- entry: factorials
-- nobench input { [0i64, 1i64, 2i64, 3i64, 4i64] } output { [1i64, 1i64, 2i64, 6i64, 24i64] }
entry factorials [n] (ns: [n]i64) : [n]i64 =
  map (\k -> number_of (factorial (numeral k))) ns

-- > factorials [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64]
