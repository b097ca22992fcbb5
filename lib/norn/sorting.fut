-- | Sorting by any key or order, and what becomes easy with sorted arrays: searching, merging,
-- grouping, removing duplicates.
--
-- Keys of a primitive type need nothing of this: `sort` and `sort_by_key` belong to the language, and
-- are several times faster than any comparison. All sorting here is stable: equal elements keep their
-- order.
--
-- An order is a function `leq` that decides whether its first argument may come before its second.
-- *W(leq)* is counted as constant in the costs below.

-- | The elements from least to greatest, by merging: the same as `sort_by`@term.
--
-- **Work:** *O(n ✕ log(n))*. **Span:** *O(log(n)²)*.
def merge_sort [n] 't (leq: t -> t -> bool) (xs: [n]t) : [n]t =
  sort_by leq xs

-- | The elements in the order of what `key` makes of them.
--
-- **Work:** *O(n ✕ (log(n) + W(key)))*. **Span:** *O(log(n)²)*.
def merge_sort_by_key
    [n] 't 'k
    (key: t -> k)
    (leq: k -> k -> bool)
    (xs: [n]t) : [n]t =
  let keyed = map2 (\i x -> (key x, i)) (iota n) xs
  let sorted = sort_by (\(a, _) (b, _) -> leq a b) keyed
  in map (\(_, i) -> #[unsafe] xs[i]) sorted

-- | The indices of the elements from least to greatest.
--
-- **Work:** *O(n ✕ log(n))*. **Span:** *O(log(n)²)*.
def argsort [n] 't (leq: t -> t -> bool) (xs: [n]t) : [n]i64 =
  map (.1) (sort_by (\(a, _) (b, _) -> leq a b) (zip xs (iota n)))

-- | The place of each element in the sorted array.
--
-- **Work:** *O(n ✕ log(n))*. **Span:** *O(log(n)²)*.
def rank [n] 't (leq: t -> t -> bool) (xs: [n]t) : [n]i64 =
  spread n 0 (argsort leq xs) (iota n)

-- The indices of elements sorted by up to 64 bits of them, beginning with bit `first`; equal ones stay
-- in the order of `is`.
local def order_by_bits [n] 't
                        (bits: i32)
                        (first: i32)
                        (get_bit: i32 -> t -> i32)
                        (xs: [n]t)
                        (is: [n]i64) : [n]i64 =
  let key (i: i64) : u64 =
    loop key = 0 for b < bits do
      key
      u64.| (u64.i32 (get_bit (first + b) (#[unsafe] xs[i])) u64.<< u64.i32 b)
  -- Fewer bits take fewer passes.
  in if bits <= 16
     then map (.1)
              (sort_by_key (\(key, _) -> key)
                           (map (\i -> (u16.u64 (key i), i)) is))
     else if bits <= 32
     then map (.1)
              (sort_by_key (\(key, _) -> key)
                           (map (\i -> (u32.u64 (key i), i)) is))
     else map (.1)
              (sort_by_key (\(key, _) -> key) (map (\i -> (key i, i)) is))

-- | The elements in the order of the unsigned number with `num_bits` bits that `get_bit` reads from
-- them, bit 0 being the least significant one.
--
-- **Work:** *O(n ✕ num_bits)*. **Span:** *O(num_bits ✕ log(n))*.
def radix_sort [n] 't
               (num_bits: i32)
               (get_bit: i32 -> t -> i32)
               (xs: [n]t) : [n]t =
  let is =
    loop is = iota n for round < (num_bits + 63) / 64 do
      let first = 64 * round
      in order_by_bits (i32.min 64 (num_bits - first)) first get_bit xs is
  in map (\i -> #[unsafe] xs[i]) is

-- | As `radix_sort`@term, by the bits of what `key` makes of the elements.
--
-- **Work:** *O(n ✕ (num_bits + W(key)))*. **Span:** *O(num_bits ✕ log(n))*.
def radix_sort_by_key
    [n] 't 'k
    (key: t -> k)
    (num_bits: i32)
    (get_bit: i32 -> k -> i32)
    (xs: [n]t) : [n]t =
  map (.1)
      (radix_sort num_bits
                  (\i (k, _) -> get_bit i k)
                  (map (\x -> (key x, x)) xs))

-- | As `radix_sort`@term, for signed numbers in two's complement.
--
-- **Work:** *O(n ✕ num_bits)*. **Span:** *O(num_bits ✕ log(n))*.
def radix_sort_int [n] 't
                   (num_bits: i32)
                   (get_bit: i32 -> t -> i32)
                   (xs: [n]t) : [n]t =
  radix_sort num_bits (\i x ->
    let b = get_bit i x
    in if i == num_bits - 1 then 1 - b else b) xs

-- | As `radix_sort`@term, for numbers in the IEEE format; -0 comes before 0, and NaN after or before
-- all others.
--
-- **Work:** *O(n ✕ num_bits)*. **Span:** *O(num_bits ✕ log(n))*.
def radix_sort_float [n] 't
                     (num_bits: i32)
                     (get_bit: i32 -> t -> i32)
                     (xs: [n]t) : [n]t =
  radix_sort num_bits (\i x ->
    let b = get_bit i x
    let negative = get_bit (num_bits - 1) x == 1
    in if negative || i == num_bits - 1 then 1 - b else b) xs

-- | Is no element greater than the next?
--
-- **Work:** *O(n)*. **Span:** *O(log(n))*.
def is_sorted [n] 't (leq: t -> t -> bool) (xs: [n]t) : bool =
  and (map (\i -> i == 0 || leq xs[i - 1] xs[i]) (iota n))

-- The number of elements at the front for which `p` holds, if it holds for no element behind one for
-- which it does not.
local def prefix_length [n] 't (p: t -> bool) (xs: [n]t) : i64 =
  let (found, _) =
    loop (low, high) = (0, n) while low < high do
      let middle = (low + high) / 2
      in if p (#[unsafe] xs[middle]) then (middle + 1, high) else (low, middle)
  in found

-- | How many elements of a sorted array are less than `x`: the first place where it could be inserted.
--
-- **Work:** *O(log(n))*. **Span:** *O(log(n))*.
def lower_bound [n] 't (leq: t -> t -> bool) (xs: [n]t) (x: t) : i64 =
  prefix_length (\y -> !(leq x y)) xs

-- | How many elements of a sorted array are not greater than `x`: the last place where it could be
-- inserted.
--
-- **Work:** *O(log(n))*. **Span:** *O(log(n))*.
def upper_bound [n] 't (leq: t -> t -> bool) (xs: [n]t) (x: t) : i64 =
  prefix_length (\y -> leq y x) xs

-- | The first index of an element of a sorted array that is equal to `x`; -1 if there is none.
--
-- **Work:** *O(log(n))*. **Span:** *O(log(n))*.
def binary_search [n] 't (leq: t -> t -> bool) (xs: [n]t) (x: t) : i64 =
  let i = lower_bound leq xs x
  in if i < n && leq xs[i64.min i (n - 1)] x then i else -1

-- | Two sorted arrays as one. Of equal elements those of the first come first.
--
-- **Work:** *O((n + m) ✕ log(n + m))*. **Span:** *O(log(n + m))*.
def merge [n] [m] 't
          (leq: t -> t -> bool)
          (xs: [n]t)
          (ys: [m]t) : [n + m]t =
  let places =
    map2 (\i x -> i + lower_bound leq ys x) (iota n) xs
    ++ map2 (\i y -> i + upper_bound leq xs y) (iota m) ys
  let all = xs ++ ys
  in scatter (copy all) places all

-- Where runs of equal neighbours begin.
local def run_starts [n] 't (eq: t -> t -> bool) (xs: [n]t) : []i64 =
  filter (\i -> i == 0 || !(eq (#[unsafe] xs[i - 1]) (#[unsafe] xs[i])))
         (iota n)

-- | The array without elements that are equal to the one before them.
--
-- **Work:** *O(n)*. **Span:** *O(log(n))*.
def dedup [n] 't (eq: t -> t -> bool) (xs: [n]t) : []t =
  map (\i -> #[unsafe] xs[i]) (run_starts eq xs)

-- | The distinct elements, from least to greatest.
--
-- **Work:** *O(n ✕ log(n))*. **Span:** *O(log(n)²)*.
def unique [n] 't (leq: t -> t -> bool) (xs: [n]t) : []t =
  dedup (\x y -> leq y x) (sort_by leq xs)

-- The distances from each of these places to the next, and from the last to `n`.
local def gaps [m] (n: i64) (starts: [m]i64) : [m]i64 =
  map (\j ->
    (if j + 1 < m then #[unsafe] starts[j + 1] else n)
    - #[unsafe] starts[j]) (iota m)

-- | Run-length encoding: each run of equal neighbours as an element, and how many there are.
--
-- **Work:** *O(n)*. **Span:** *O(log(n))*.
def rle [n] 't (eq: t -> t -> bool) (xs: [n]t) : ?[m].([m]t, [m]i64) =
  let starts = run_starts eq xs
  in (map (\i -> #[unsafe] xs[i]) starts, gaps n starts)

-- | The array of which `rle`@term makes this.
--
-- **Work:** *O(n + m)* for *m* elements of the result. **Span:** *O(log(n))*.
def unrle [n] 't (xs: [n]t) (counts: [n]i64) : []t =
  irregular.flatten (map2 (\x count -> replicate count x) xs counts)

-- | The elements in groups with equal keys, from the least to the greatest key, and the keys.
--
-- **Work:** *O(n ✕ (log(n) + W(key)))*. **Span:** *O(log(n)²)*.
def group_by [n] 't 'k
             (leq: k -> k -> bool)
             (key: t -> k)
             (xs: [n]t) : ?[m].([m]k, [m][?]t) =
  let keyed = map2 (\i x -> (key x, i)) (iota n) xs
  let (keys, is) = unzip (sort_by (\(a, _) (b, _) -> leq a b) keyed)
  let starts = run_starts (\a b -> leq b a) keys
  in ( map (\i -> #[unsafe] keys[i]) starts
     , segment (gaps n starts) (map (\i -> #[unsafe] xs[i]) is)
     )

-- | The elements in `k` groups: group `g` has those whose index is `g`, in their order. Elements whose
-- index is not from 0 to `k - 1` are left out.
--
-- **Work:** *O(n + k)*. **Span:** *O(log(n + k))*.
def group_by_index [n] 't (k: i64) (is: [n]i64) (xs: [n]t) : [k][?]t =
  let counts = hist (+) 0 k is (replicate n 1i64)
  let group (i: i64) : u32 = if i < 0 || i >= k then u32.highest else u32.i64 i
  let sorted =
    sort_by_key (\(g, _) -> g) (map2 (\i j -> (group i, j)) is (iota n))
  let members = take (i64.sum counts) sorted
  in segment counts (map (\(_, j) -> #[unsafe] xs[j]) members)

-- | The `k` least elements, from least to greatest; fails if there are fewer.
--
-- **Work:** *O(n ✕ log(n))*. **Span:** *O(log(n)²)*.
def least [n] 't (k: i64) (leq: t -> t -> bool) (xs: [n]t) : [k]t =
  take k (sort_by leq xs)

-- | The index of the first of the least elements; -1 if there are no elements.
--
-- **Work:** *O(n)*. **Span:** *O(log(n))*.
def argmin [n] 't (leq: t -> t -> bool) (xs: [n]t) : i64 =
  let better (i: i64) (j: i64) : i64 =
    if i < 0 || j < 0
    then i64.max i j
    else let (i, j) = (i64.min i j, i64.max i j)
         in if leq (#[unsafe] xs[i]) (#[unsafe] xs[j]) then i else j
  in reduce_comm better (-1) (iota n)

-- | The index of the first of the greatest elements; -1 if there are no elements.
--
-- **Work:** *O(n)*. **Span:** *O(log(n))*.
def argmax [n] 't (leq: t -> t -> bool) (xs: [n]t) : i64 =
  argmin (\x y -> leq y x) xs
