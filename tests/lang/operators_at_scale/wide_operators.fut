-- Operators that combine many values at once: what a group of threads cannot share goes another way.

type wide = {a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64}

def add (x: wide) (y: wide) : wide =
  { a = x.a + y.a
  , b = x.b * y.b
  , c = x.c ^ y.c
  , d = i64.max x.d y.d
  , e = i64.min x.e y.e
  , f = x.f + y.f
  , g = x.g | y.g
  , h = x.h + y.h
  }

def zero : wide =
  {a = 0, b = 1, c = 0, d = i64.lowest, e = i64.highest, f = 0, g = 0, h = 0}

def make (i: i64) : wide =
  { a = i
  , b = 2 * i + 1
  , c = i
  , d = -i
  , e = i * 7 % 5
  , f = i / 3
  , g = i % 64
  , h = 1
  }

def digest (x: wide) : i64 =
  x.a
  ^ (x.b * 3)
  ^ (x.c * 5)
  ^ (x.d * 7)
  ^ (x.e * 11)
  ^ (x.f * 13)
  ^ (x.g * 17)
  ^ (x.h * 19)

def make_two (i: i64) : (wide, wide) = (make i, make (i * i))
def add_two (x: (wide, wide)) (y: (wide, wide)) = (add x.0 y.0, add x.1 y.1)
def digest_two (x: (wide, wide)) = digest x.0 + 31 * digest x.1

def make_four (i: i64) = (make_two i, make_two (i + 3))
def add_four (x: ((wide, wide), (wide, wide)))
             (y: ((wide, wide), (wide, wide))) =
  (add_two x.0 y.0, add_two x.1 y.1)
def digest_four (x: ((wide, wide), (wide, wide))) =
  digest_two x.0 + 101 * digest_two x.1

-- | One after the other.
def running 't
            (op: t -> t -> t)
            (ne: t)
            (digest: t -> i64)
            (n: i64)
            (make: i64 -> t) : [n]i64 =
  let (sums, _) =
    loop (sums, acc) = (replicate n 0, ne) for i < n do
      let acc = op acc (make i)
      in (sums with [i] = digest acc, acc)
  in sums

def same [n] (xs: [n]i64) (ys: [n]i64) : bool = and (map2 (==) xs ys)

-- ==
-- entry: eight sixteen thirty_two together rows
-- input { 3i64 } output { true }
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- compiled input { 5003i64 } output { true }
-- input { 700i64 } output { true }
entry eight (n: i64) : bool =
  let expected = running add zero digest n make
  let sums = scan add zero (tabulate n make) |> map digest
  let total = reduce add zero (tabulate n make) |> digest
  in same expected sums
     && total == (if n == 0 then digest zero else expected[n - 1])

entry sixteen (n: i64) : bool =
  let ne = (zero, zero)
  let expected = running add_two ne digest_two n make_two
  let sums = scan add_two ne (tabulate n make_two) |> map digest_two
  let total = reduce add_two ne (tabulate n make_two) |> digest_two
  in same expected sums
     && total == (if n == 0 then digest_two ne else expected[n - 1])

entry thirty_two (n: i64) : bool =
  let ne = ((zero, zero), (zero, zero))
  let expected = running add_four ne digest_four n make_four
  let sums = scan add_four ne (tabulate n make_four) |> map digest_four
  let total = reduce add_four ne (tabulate n make_four) |> digest_four
  in same expected sums
     && total == (if n == 0 then digest_four ne else expected[n - 1])

-- | Scans and reductions of the same elements.
entry together (n: i64) : bool =
  let xs = tabulate n make
  let count = scan (+) 0 (map (\x -> x.a % 2) xs)
  let most = scan i64.max i64.lowest (map (\x -> x.c * 7 % 31) xs)
  let sums = scan add zero xs |> map digest
  let total = reduce add zero xs
  let floats = scan (+) 0 (map (\x -> f64.i64 x.a) xs)
  in same sums (running add zero digest n make)
     && same count (running (+) 0 id n (\i -> i % 2))
     && same most (running i64.max i64.lowest id n (\i -> i * 7 % 31))
     && same (map i64.f64 floats) (running (+) 0 id n id)
     && total.h == n

-- | Each row.
entry rows (n: i64) : bool =
  let width = 1 + n % 37
  let row (i: i64) = tabulate width (\j -> make (i + j))
  let sums = tabulate n (\i -> digest (reduce add zero (row i)))
  let prefixes = tabulate n (\i -> map digest (scan add zero (row i)))
  let last = map2 (==) sums (map (\ps -> ps[width - 1]) prefixes)
  in and last
     && and (tabulate n (\i ->
       same prefixes[i]
            (running add zero digest width (\j -> make (i + j)))))
