"""Makes Norn programs of a given length.

The programs are made of many small families of functions such as people write: numbers, arrays,
records, sums, modules, loops with in-place updates, sizes that must match, higher-order functions,
recursion. Names and constants vary, and later functions call earlier ones, so that nothing can be
checked once and reused. The same seed gives the same program.
"""

import random

NOUNS = "alpha beta gamma delta price weight cell grid node edge item score level phase rate step".split()


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.count = 0
        self.scalar = ["f64.sqrt"]  # functions f64 -> f64
        self.vector = ["f64.sum"]  # functions [n]f64 -> f64

    def name(self):
        self.count += 1
        return f"{self.random.choice(NOUNS)}_{self.count}"

    def number(self):
        return f"{self.random.uniform(0.1, 99):.3f}"

    def put(self, text):
        self.lines += text.strip("\n").split("\n") + [""]

    # The families.

    def scalar_function(self):
        name, f, g = self.name(), self.random.choice(self.scalar), self.random.choice(self.scalar)
        self.put(f"""
-- | A polynomial with a bend.
def {name} (x: f64): f64 =
  let a = {f} (x * {self.number()} + {self.number()})
  let b = if a > {self.number()} then {g} a else a * a
  in f64.min a b + {self.number()}
""")
        self.scalar.append(name)

    def vector_function(self):
        name, f, g = self.name(), self.random.choice(self.scalar), self.random.choice(self.vector)
        self.put(f"""
def {name} [n] (xs: [n]f64): f64 =
  let ys = map (\\x -> {f} x - {self.number()}) xs
  let zs = map2 (\\x y -> x * y) xs ys
  let total = reduce (+) 0 zs
  in total + {g} (scan f64.max f64.lowest ys)
""")
        self.vector.append(name)

    def matrix_function(self):
        name, f = self.name(), self.random.choice(self.vector)
        self.put(f"""
def {name} [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64): [n][p]f64 =
  let columns = transpose b
  let dot (row: [m]f64) (column: [m]f64) = f64.sum (map2 (*) row column)
  in map (\\row -> map (\\column -> dot row column + {f} row) columns) a
""")

    def record_function(self):
        name, kind, f = self.name(), self.name(), self.random.choice(self.scalar)
        self.put(f"""
type {kind} = {{x: f64, y: f64, tag: i32}}

def {name} (p: {kind}) (q: {kind}): {kind} =
  let {{x, y, tag}} = p
  let moved = q with x = q.x + {f} x
  in if tag == moved.tag
     then moved with y = {self.number()} * y
     else {{x = x - q.x, y = y - q.y, tag = tag + 1}}
""")

    def sum_function(self):
        name, kind, f = self.name(), self.name(), self.random.choice(self.scalar)
        self.put(f"""
type {kind} = #point | #circle f64 | #box f64 f64 | #many [3]f64

def {name} (s: {kind}): f64 =
  match s
  case #point -> 0
  case #circle r -> f64.pi * {f} r
  case #box w h -> w * h + {self.number()}
  case #many xs -> f64.sum xs
""")

    def loop_function(self):
        name, f = self.name(), self.random.choice(self.scalar)
        self.put(f"""
def {name} (n: i64) (start: f64): [n]f64 =
  let (xs, _) =
    loop (xs, acc) = (replicate n start, {self.number()}) for i < n do
      let next = {f} (acc + f64.i64 i)
      let xs[i] = next
      in (xs, next)
  in xs
""")

    def filter_function(self):
        name, f = self.name(), self.random.choice(self.scalar)
        self.put(f"""
def {name} [n] (keys: [n]i64) (xs: [n]f64): ([]f64, [16]f64) =
  let chosen = filter (\\(k, x) -> k % 2 == 0 && {f} x > {self.number()}) (zip keys xs)
  let (ks, ys) = unzip chosen
  let buckets = hist (+) 0 16 (map (% 16) ks) ys
  in (ys, buckets)
""")

    def higher_order_function(self):
        name, f, g = self.name(), self.random.choice(self.scalar), self.random.choice(self.scalar)
        self.put(f"""
def {name} [n] 'a 'b (h: a -> b) (measure: b -> f64) (xs: [n]a): ([n]b, f64) =
  let ys = map h xs
  let best = xs |> map h |> map measure |> map (\\x -> {f} x) |> reduce f64.max ({g} 0)
  in (ys, best)
""")

    def module(self):
        name, kind, f = self.name(), self.name(), self.random.choice(self.scalar)
        self.put(f"""
module type {kind} = {{
  type t
  val zero: t
  val add: t -> t -> t
  val weigh: t -> f64
}}

module {name} (m: {kind}) = {{
  def all [n] (xs: [n]m.t): m.t = reduce m.add m.zero xs
  def weight [n] (xs: [n]m.t): f64 = {f} (m.weigh (all xs))
}}

module {name}_f64 = {name} {{
  type t = f64
  def zero: t = 0
  def add (x: t) (y: t): t = x + y
  def weigh (x: t): f64 = x * {self.number()}
}}
""")

    def recursive_function(self):
        name, f = self.name(), self.random.choice(self.scalar)
        self.put(f"""
def {name} (depth: i32) (x: f64): f64 =
  if depth <= 0
  then {f} x
  else {name} (depth - 1) (x / 2) + {name} (depth - 1) (x - {self.number()})
""")

    def entry(self):
        f, g = self.random.choice(self.vector), self.random.choice(self.scalar)
        self.put(f"""
entry {self.name()} [n] (xs: [n]f64) (k: i64): (f64, [k]f64) =
  let table = tabulate k (\\i -> {g} (f64.i64 i) + {self.number()})
  in ({f} xs, table)
""")


FAMILIES = [
    Writer.scalar_function,
    Writer.vector_function,
    Writer.matrix_function,
    Writer.record_function,
    Writer.sum_function,
    Writer.loop_function,
    Writer.filter_function,
    Writer.higher_order_function,
    Writer.module,
    Writer.recursive_function,
    Writer.entry,
]


def program(length, seed=1):
    """A program of at least `length` lines, and not many more."""
    writer = Writer(seed)
    while len(writer.lines) < length:
        writer.random.choice(FAMILIES)(writer)
    return "\n".join(writer.lines)
