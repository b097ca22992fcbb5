-- | Operations on arrays that are cut into segments.
--
-- The plain way is an irregular array: `map i64.sum xss` adds up the rows of `xss : [n][?]i64` however
-- long they are, and `map (scan (+) 0) xss` is a scan of each. What is here is for programs whose
-- segments are flags, of which each one that is true begins a segment, as in Futhark's packages, and
-- for the ways between flags, lengths and rows.
--
-- If no cost is stated, it is **Work:** *O(n ✕ W(op))*, **Span:** *O(log(n) ✕ W(op))*.

-- | The prefixes of each segment combined with `op`, which must be associative with neutral element
-- `ne`. If the first flag is false, the first segment begins nevertheless.
def segmented_scan [n] 't
                   (op: t -> t -> t)
                   (ne: t)
                   (flags: [n]bool)
                   (xs: [n]t) : [n]t =
  let combine (f1: bool, x1: t) (f2: bool, x2: t) : (bool, t) =
    (f1 || f2, if f2 then x2 else op x1 x2)
  in map (.1) (scan combine (false, ne) (zip flags xs))

-- | The proper prefixes of each segment combined, so that the first element of each is `ne`.
def segmented_exscan [n] 't
                     (op: t -> t -> t)
                     (ne: t)
                     (flags: [n]bool)
                     (xs: [n]t) : [n]t =
  let sums = segmented_scan op ne flags xs
  in map (\i -> if i == 0 || flags[i] then ne else sums[i - 1]) (iota n)

-- Where segments begin. The first element begins one in any case.
local def starts [n] (flags: [n]bool) : []i64 =
  filter (\i -> i == 0 || flags[i]) (iota n)

-- | How long the segments are.
--
-- **Work:** *O(n)*. **Span:** *O(log(n))*.
def lengths_of_flags [n] (flags: [n]bool) : []i64 =
  let starts = starts flags
  let k = length starts
  in map (\j -> (if j + 1 < k then starts[j + 1] else n) - starts[j]) (iota k)

-- | The flags of segments with these lengths. Segments without elements have no flag.
--
-- **Work:** *O(n + m)* for *m* elements. **Span:** *O(log(n))*.
def flags_of_lengths [n] (lengths: [n]i64) : []bool =
  let offsets = exscan (+) 0 lengths
  let m = i64.sum lengths
  let at = map2 (\o l -> if l > 0 then o else -1) offsets lengths
  in spread m false at (replicate n true)

-- | The segments as rows.
--
-- **Work:** *O(n)*. **Span:** *O(log(n))*.
def rows_of_flags [n] 't (flags: [n]bool) (xs: [n]t) : [][?]t =
  segment (lengths_of_flags flags) xs

-- | The elements of each segment combined with `op`, which must be associative with neutral element
-- `ne`.
def segmented_reduce [n] 't
                     (op: t -> t -> t)
                     (ne: t)
                     (flags: [n]bool)
                     (xs: [n]t) : []t =
  let sums = segmented_scan op ne flags xs
  let last = filter (\i -> i + 1 == n || flags[i + 1]) (iota n)
  in map (\i -> sums[i]) last

-- | The rows, each sorted by `leq`. Equal elements keep their order.
--
-- **Work:** *O(m ✕ log(m))* for *m* elements. **Span:** *O(log(m)²)*.
def segmented_sort [n] 't (leq: t -> t -> bool) (xss: [n][?]t) : [n][?]t =
  let xs = irregular.flatten xss
  let owners = irregular.owners xss
  let k = length xs
  let sorted =
    sort_by (\(_, x) (_, y) -> leq x y) (zip (owners :> [k]i64) (xs :> [k]t))
  let back = sort_by_key (\(owner, _) -> u32.i64 owner) sorted
  in segment (lengths xss) (map (.1) back)

-- | Each number as often as its count says: `replicated_iota [2, 0, 1]` is `[0, 0, 2]`.
--
-- **Work:** *O(n + m)* for *m* elements of the result. **Span:** *O(log(n))*.
def replicated_iota [n] (counts: [n]i64) : []i64 =
  irregular.flatten (map2 (\count i -> replicate count i) counts (iota n))

-- | Counts from 0 in each segment.
--
-- **Work:** *O(n)*. **Span:** *O(log(n))*.
def segmented_iota [n] (flags: [n]bool) : [n]i64 =
  segmented_exscan (+) 0 flags (replicate n 1)

-- | For each element as many results as `size` says, which `get` makes of it and of a number from 0 on,
-- one after the other.
--
-- **Work:** *O(n ✕ W(size) + m ✕ W(get))* for *m* results. **Span:** *O(log(n))*.
def expand [n] 'a 'b
           (size: a -> i64)
           (get: a -> i64 -> b)
           (xs: [n]a) : []b =
  irregular.flatten (map (\x -> map (get x) (iota (size x))) xs)

-- | As `expand`@term, with the results of each element combined; those without results are left out.
--
-- **Work:** *O(n ✕ W(size) + m ✕ (W(get) + W(op)))* for *m* results. **Span:** *O(log(m) ✕ W(op))*.
def expand_reduce [n] 'a 'b
                  (size: a -> i64)
                  (get: a -> i64 -> b)
                  (op: b -> b -> b)
                  (ne: b)
                  (xs: [n]a) : []b =
  let some = filter (\x -> size x > 0) xs
  in map (\x -> reduce op ne (map (get x) (iota (size x)))) some

-- | As `expand_reduce`@term, where those without results have `ne`.
--
-- **Work:** *O(n ✕ W(size) + m ✕ (W(get) + W(op)))* for *m* results. **Span:** *O(log(m) ✕ W(op))*.
def expand_outer_reduce
    [n] 'a 'b
    (size: a -> i64)
    (get: a -> i64 -> b)
    (op: b -> b -> b)
    (ne: b)
    (xs: [n]a) : [n]b =
  map (\x -> reduce op ne (map (get x) (iota (size x)))) xs
