-- | The sequence operations of NESL, for programs that come from there.
--
-- NESL has one type of sequence, nested to any depth, where Norn has arrays with sizes in their
-- types. Sequences of sequences are irregular arrays. The functions here have the names of NESL's
-- and take their arguments in its order, though one at a time. Most have an equal under another
-- name in the rest of the library:
--
-- * `dist v n` is `replicate n v`, `count xs` is `length xs`, `elt xs i` is `xs[i]`,
--
-- * `zip`@term, `unzip`@term, `reverse`@term, `transpose`@term and `++`@term have NESL's names
--   already and are not repeated here,
--
-- * the scans are `exscan`@term, the reductions those of the number modules,
--
-- * `partition` is `segment`@term, `flatten` is `irregular.flatten`.
--
-- NESL's operators `->` and `<-` are called `read` and `write`. What NESL defines for every type of
-- number is in the parametric module `over`; for `i32`, say `module seq = nesl.over i32`. Sorting
-- and what is built on it also exist for any type with an order, as `sort_by`, `rank_by` and
-- `collect_by`.

import "zip"
import "soacs"
import "array"
import "irregular"
import "numeric"

-- | NESL's operations on sequences.
module nesl = {
  -- | `len` copies of a value.
  def dist 't (x: t) (len: i64) : *[len]t = replicate len x

  -- | The element at an index.
  def elt [n] 't (xs: [n]t) (i: i64) : t = xs[i]

  -- | The sequence with one element replaced.
  --
  -- **Work:** *O(n)*, as the original is kept. Where it is not needed, use `with`.
  def replace [n] 't (xs: [n]t) (x: t) (i: i64) : *[n]t = (copy xs) with [i] = x

  -- | How many elements there are: NESL's `#xs`. (In some versions of NESL `count` is the number of
  -- true elements instead.)
  def count [n] 't (_: [n]t) : i64 = n

  -- | The numbers from `start` in steps of `inc`, up to, but not including, `end`. The step may be
  -- negative, but not zero.
  def iseq (start: i64) (inc: i64) (end: i64) : *[]i64 =
    -- Dividing downwards with the sign changed twice rounds the number of steps up.
    let steps = -((start - end) / inc)
    in map (\i -> start + i * inc) (iota (i64.max 0 steps))

  -- | For each element, is one of those before it true? An exclusive scan.
  def or_scan [n] (xs: [n]bool) : *[n]bool = exscan (||) false xs

  -- | For each element, are all of those before it true? An exclusive scan.
  def and_scan [n] (xs: [n]bool) : *[n]bool = exscan (&&) true xs

  -- | Does some element hold?
  def any [n] (xs: [n]bool) : bool = or xs

  -- | Do all elements hold?
  def all [n] (xs: [n]bool) : bool = and xs

  -- | The elements at these indices: NESL's `xs -> is`. Fails if one is out of bounds.
  --
  -- **Work:** *O(k)*. **Span:** *O(1)*.
  def read [n] [k] 't (xs: [n]t) (is: [k]i64) : *[k]t = map (\i -> xs[i]) is

  -- | The elements moved to these indices, which must be all different.
  --
  -- **Work:** *O(n)*. **Span:** *O(1)*.
  def permute [n] 't (xs: [n]t) (is: [n]i64) : *[n]t = scatter (copy xs) is xs

  -- | The sequence with these values at these indices: NESL's `xs <- ivs`. Indices out of bounds
  -- are ignored.
  --
  -- **Work:** *O(n + k)*, as the original is kept. Where it is not needed, use `scatter`@term.
  -- **Span:** *O(1)*.
  def write [n] [k] 't (xs: [n]t) (ivs: [k](i64, t)) : *[n]t =
    let (is, vs) = unzip ivs
    in scatter (copy xs) is vs

  -- | Move every element `by` places to the *right*, around the end. (`rotate`@term moves to the
  -- left.)
  def rotate [n] 't (xs: [n]t) (by: i64) : *[n]t =
    map (\i -> #[unsafe] xs[(i - by) % n]) (iota n)

  -- | The values whose flag is true.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def pack [n] 't (xs: [n](t, bool)) : *[]t = map (.0) (filter (.1) xs)

  -- | The elements from index `start` up to, but not including, index `end`.
  def subseq [n] 't (xs: [n]t) (start: i64) (end: i64) : []t = xs[start:end]

  -- | An element of the first, one of the second, and so on in turn, until the next one does not
  -- exist.
  --
  -- **Work:** *O(n + m)*. **Span:** *O(1)*.
  def interleave [n] [m] 't (xs: [n]t) (ys: [m]t) : *[]t =
    map (\i -> if i % 2 == 0 then xs[i / 2] else ys[i / 2])
        (iota (i64.min (2 * n) (2 * m + 1)))

  -- The distances from each of these indices to the next, and from the last to `n`.
  local def gaps [m] (n: i64) (starts: [m]i64) : *[m]i64 =
    map (\j -> (if j + 1 < m then starts[j + 1] else n) - starts[j]) (iota m)

  -- | The distance from each true element to the next, and from the last to the end. These are the
  -- lengths of the rows that begin at true elements.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def length_from_flags [n] (flags: [n]bool) : *[]i64 =
    gaps n (filter (\i -> flags[i]) (iota n))

  -- | The elements whose flag is false, and those whose flag is true.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def split [n] 't (xs: [n]t) (flags: [n]bool) : ?[k].([k]t, [n - k]t) =
    let (without, with_flag) = partition (\(_, flag) -> !flag) (zip xs flags)
    in (map (.0) without, map (.0) with_flag)

  -- | Cut a sequence into rows with these lengths.
  def partition [m] [n] 't (xs: [m]t) (counts: [n]i64) : [n][?]t =
    segment counts xs

  -- | All rows, one after the other.
  def flatten [n] 't (xss: [n][?]t) : []t = irregular.flatten xss

  -- | The bottom and the top half. Of an odd number of elements the bottom has one more.
  def bottop [n] 't (xs: [n]t) : ?[k].([k]t, [n - k]t) =
    let k = (n + 1) / 2
    in (xs[:k], xs[k:])

  -- The indices of the elements from least to greatest, equal ones in their order. Runs of `width`
  -- are in order already and are merged in pairs: an element goes as far beyond its place in its
  -- own run as there are elements before it in the other, which a binary search tells.
  local def order [n] 't (leq: t -> t -> bool) (xs: [n]t) : [n]i64 =
    let merge (width: i64) (is: [n]i64) : [n]i64 =
      let place (p: i64) : i64 =
        let start = p / (2 * width) * (2 * width)
        let middle = i64.min n (start + width)
        let x = xs[is[p]]
        let from_left = p < middle
        let before (y: t) : bool = if from_left then !(leq x y) else leq y x
        let (from, to) =
          if from_left
          then (middle, i64.min n (middle + width))
          else (start, middle)
        let (found, _) =
          loop (low, high) = (from, to) while low < high do
            let probe = (low + high) / 2
            in if before xs[is[probe]] then (probe + 1, high) else (low, probe)
        in if from_left then p + (found - middle) else p - middle + found
      in spread n 0 (map place (iota n)) is
    let (sorted, _) =
      loop (is, width) = (iota n, 1) while width < n do
        (merge width is, 2 * width)
    in sorted

  -- | The elements from least to greatest, where `leq` decides whether its first argument may come
  -- before its second. Equal elements keep their order.
  --
  -- **Work:** *O(n ✕ log(n)² ✕ W(leq))*. **Span:** *O(log(n)² ✕ S(leq))*.
  def sort_by [n] 't (leq: t -> t -> bool) (xs: [n]t) : *[n]t =
    read xs (order leq xs)

  -- | The index of each element in the sorted sequence. Cost as for `sort_by`.
  def rank_by [n] 't (leq: t -> t -> bool) (xs: [n]t) : *[n]i64 =
    spread n 0 (order leq xs) (iota n)

  -- | The distinct keys in order, and for each of them the values that it occurs with. Cost as for
  -- `sort_by`.
  def collect_by [n] 'k 'v
                 (leq: k -> k -> bool)
                 (kvs: [n](k, v)) : ?[m].([m]k, [m][?]v) =
    let (ks, vs) = unzip (sort_by (\(k1, _) (k2, _) -> leq k1 k2) kvs)
    let first (i: i64) : bool = i == 0 || !(leq ks[i] ks[i - 1])
    let starts = filter first (iota n)
    in (read ks starts, segment (gaps n starts) vs)

  -- The index of an element that no other precedes by `before`; the first of several. An empty
  -- sequence gives -1.
  local def index_of_first [n] 't (before: t -> t -> bool) (xs: [n]t) : i64 =
    let better (i: i64) (j: i64) : i64 =
      if i < 0
      then j
      else if j < 0
      then i
      else if before xs[j] xs[i]
      then j
      else i
    in reduce better (-1) (iota n)

  -- | The operations that need arithmetic or an order, for one type of number.
  module over (N: numeric) = {
    -- | Add up all elements.
    def sum [n] (xs: [n]N.t) : N.t = N.sum xs

    -- | The least element.
    def min_val [n] (xs: [n]N.t) : N.t = N.minimum xs

    -- | The greatest element.
    def max_val [n] (xs: [n]N.t) : N.t = N.maximum xs

    -- | The index of the least element, the first of several; -1 if there are no elements.
    def min_index [n] (xs: [n]N.t) : i64 = index_of_first (N.<) xs

    -- | The index of the greatest element, the first of several; -1 if there are no elements.
    def max_index [n] (xs: [n]N.t) : i64 = index_of_first (N.>) xs

    -- | For each element, the sum of those before it.
    def plus_scan [n] (xs: [n]N.t) : *[n]N.t = exscan (N.+) (N.i32 0) xs

    -- | For each element, the least of those before it.
    def min_scan [n] (xs: [n]N.t) : *[n]N.t = exscan N.min N.highest xs

    -- | For each element, the greatest of those before it.
    def max_scan [n] (xs: [n]N.t) : *[n]N.t = exscan N.max N.lowest xs

    -- | From least to greatest.
    def sort [n] (xs: [n]N.t) : *[n]N.t = sort_by (N.<=) xs

    -- | The index of each element in the sorted sequence.
    def rank [n] (xs: [n]N.t) : *[n]i64 = rank_by (N.<=) xs

    -- | The distinct keys in order, and for each of them the values that it occurs with.
    def collect [n] 'v (kvs: [n](N.t, v)) : ?[m].([m]N.t, [m][?]v) =
      collect_by (N.<=) kvs
  }
}
