-- Functions that pass on continuations which call further ones.
-- growth: 8 16 32
type^ rec step = #more (() -> step) | #done i64

def f0 (n: i64) (k: i64 -> step) : step = #more (\() -> k n)
-- repeat
def f{i} (n: i64) (k: i64 -> step) : step = #more (\() -> f{i-1} n (\v -> f{i-1} (v + {i}) (\w -> k (v + w))))
-- end
def run (s: step) : i64 =
  match s
  case #more f -> run (f ())
  case #done x -> x

entry main (n: i64) : i64 = run (f{n} n (\x -> #done x))
