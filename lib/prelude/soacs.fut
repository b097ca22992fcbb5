-- | The parallel combinators: whole-array operations that take a function.
--
-- These are where parallelism comes from. A program built from them says which parts are
-- independent of one another, and the compiler decides what runs side by side.
--
-- **Cost.** Each function states its *work* (the number of steps on one processor) and its *span*
-- (the number of steps with as many processors as there is use for). W(f) and S(f) are the work and
-- span of one call of `f`, at their largest over the calls that are made. The notation hides
-- constant factors: a `scan`@term costs several times as much as a `reduce`@term of the same array.
--
-- **Laws.** Some functions take an operator `op` that must obey laws which nobody checks; if it
-- does not, the result is unspecified. It may have to be *associative*, meaning that `op x (op y z)
-- == op (op x y) z`, or *commutative*, meaning that `op x y == op y x`. A *neutral element* `ne`
-- satisfies `op ne x == x` and `op x ne == x`.

import "zip"

-- | Apply `f` to each element.
--
-- **Work:** *O(n ✕ W(f))*. **Span:** *O(S(f))*.
def map [n] 'a 'x (f: a -> x) (as: [n]a) : *[n]x =
  intrinsics.map f as

-- | The same as `map`@term.
def map1 [n] 'a 'x (f: a -> x) (as: [n]a) : *[n]x =
  map f as

-- | Apply a function of two arguments to the elements of two arrays in step. Cost as for
-- `map`@term, here and for more arrays.
def map2 [n] 'a 'b 'x (f: a -> b -> x) (as: [n]a) (bs: [n]b) : *[n]x =
  map (\(a, b) -> f a b) (zip as bs)

-- | As `map2`@term, over three arrays.
def map3 [n] 'a 'b 'c 'x
         (f: a -> b -> c -> x)
         (as: [n]a)
         (bs: [n]b)
         (cs: [n]c) : *[n]x =
  map (\(a, b, c) -> f a b c) (zip3 as bs cs)

-- | As `map2`@term, over four arrays.
def map4 [n] 'a 'b 'c 'd 'x
         (f: a -> b -> c -> d -> x)
         (as: [n]a)
         (bs: [n]b)
         (cs: [n]c)
         (ds: [n]d) : *[n]x =
  map (\(a, b, c, d) -> f a b c d) (zip4 as bs cs ds)

-- | As `map2`@term, over five arrays.
def map5 [n] 'a 'b 'c 'd 'e 'x
         (f: a -> b -> c -> d -> e -> x)
         (as: [n]a)
         (bs: [n]b)
         (cs: [n]c)
         (ds: [n]d)
         (es: [n]e) : *[n]x =
  map (\(a, b, c, d, e) -> f a b c d e) (zip5 as bs cs ds es)

-- | Combine all elements with `op`, which must be associative with neutral element `ne`. An empty
-- array gives `ne`.
--
-- The elements may be arrays; then the results of `op` must have the same size as `ne` and as the
-- elements.
--
-- **Work:** *O(n ✕ W(op))*. **Span:** *O(log(n) ✕ W(op))*: a call of `op` is not parallel inside.
def reduce [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a =
  intrinsics.reduce op ne as

-- | As `reduce`@term, for an `op` that is commutative as well, which can be faster. There is no
-- need to say so for built-in operators such as `+`: that they commute is known.
def reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a =
  intrinsics.reduce_comm op ne as

-- | All prefixes combined: element `i` of the result is `as[0]` to `as[i]` combined by `op`, which
-- must be associative with neutral element `ne`.
--
-- **Work:** *O(n ✕ W(op))*. **Span:** *O(log(n) ✕ W(op))*.
def scan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a =
  intrinsics.scan op ne as

-- | All proper prefixes combined: element `i` of the result is `as[0]` to `as[i-1]` combined, so
-- the first is `ne`. Laws and cost as for `scan`@term.
def exscan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a =
  let sums = scan op ne as
  in map (\i -> if i == 0 then ne else sums[i - 1]) (0..1..<n)

-- | A histogram of `k` bins, where bin `b` combines all `as[j]` with `is[j] == b`. A bin that
-- nothing falls into is `ne`; an element whose bin does not exist is left out. The operator must be
-- associative and commutative with neutral element `ne`.
--
-- **Work:** *O(k + n ✕ W(op))*. **Span:** *O(W(op))* if the elements spread well, *O(n ✕ W(op))* if
-- all of them meet in one bin of many.
def hist [n] 'a
         (op: a -> a -> a)
         (ne: a)
         (k: i64)
         (is: [n]i64)
         (as: [n]a) : *[k]a =
  intrinsics.hist_1d (intrinsics.replicate k ne) op ne is as

-- | As `hist`@term, but the elements are combined into the bins of an existing array, which is
-- consumed. The work does not depend on the number of bins.
--
-- **Work:** *O(n ✕ W(op))*. **Span:** as for `hist`@term.
def reduce_by_index [k] [n] 'a
                    (dest: *[k]a)
                    (f: a -> a -> a)
                    (ne: a)
                    (is: [n]i64)
                    (as: [n]a) : *[k]a =
  intrinsics.hist_1d dest f ne is as

-- | As `reduce_by_index`@term, with bins in two dimensions.
def reduce_by_index_2d
    [k] [m] [n] 'a
    (dest: *[k][m]a)
    (f: a -> a -> a)
    (ne: a)
    (is: [n](i64, i64))
    (as: [n]a) : *[k][m]a =
  intrinsics.hist_2d dest f ne is as

-- | As `reduce_by_index`@term, with bins in three dimensions.
def reduce_by_index_3d
    [k] [m] [l] [n] 'a
    (dest: *[k][m][l]a)
    (f: a -> a -> a)
    (ne: a)
    (is: [n](i64, i64, i64))
    (as: [n]a) : *[k][m][l]a =
  intrinsics.hist_3d dest f ne is as

-- | Does `f` hold for every element? True of an empty array.
--
-- **Work:** *O(n ✕ W(f))*. **Span:** *O(log(n) + S(f))*.
def all [n] 'a (f: a -> bool) (as: [n]a) : bool =
  reduce (&&) true (map f as)

-- | Does `f` hold for some element? False of an empty array.
--
-- **Work:** *O(n ✕ W(f))*. **Span:** *O(log(n) + S(f))*.
def any [n] 'a (f: a -> bool) (as: [n]a) : bool =
  reduce (||) false (map f as)

-- | Put `vs[j]` at place `is[j]` of the array `dest`, which is consumed. Places outside the array
-- are ignored. If two different values go to one place the result is unspecified; see
-- `reduce_by_index`@term for a way to combine them.
--
-- **Work:** *O(n)*. **Span:** *O(1)*.
def scatter [k] [n] 't (dest: *[k]t) (is: [n]i64) (vs: [n]t) : *[k]t =
  intrinsics.scatter dest is vs

-- | As `scatter`@term, with places in two dimensions.
def scatter_2d [k] [n] [l] 't
               (dest: *[k][n]t)
               (is: [l](i64, i64))
               (vs: [l]t) : *[k][n]t =
  intrinsics.scatter_2d dest is vs

-- | As `scatter`@term, with places in three dimensions.
def scatter_3d [k] [n] [o] [l] 't
               (dest: *[k][n][o]t)
               (is: [l](i64, i64, i64))
               (vs: [l]t) : *[k][n][o]t =
  intrinsics.scatter_3d dest is vs

-- | As `scatter`@term, into a new array of length `k` that holds `x` wherever nothing is written.
--
-- **Work:** *O(k + n)*. **Span:** *O(1)*.
def spread [n] 't (k: i64) (x: t) (is: [n]i64) (vs: [n]t) : *[k]t =
  intrinsics.scatter (intrinsics.replicate k x) is vs

-- | Keep the elements that satisfy `p`, in their order.
--
-- **Work:** *O(n ✕ W(p))*. **Span:** *O(log(n) + S(p))*.
def filter [n] 'a (p: a -> bool) (as: [n]a) : *[]a =
  intrinsics.filter p as

-- | The elements that satisfy `p` and those that do not, both in their order.
--
-- **Work:** *O(n ✕ W(p))*. **Span:** *O(log(n) + S(p))*.
def partition [n] 'a (p: a -> bool) (as: [n]a) : ?[k].([k]a, [n - k]a) =
  intrinsics.partition p as

-- | Three groups: the elements that satisfy `p1`, those of the rest that satisfy `p2`, and the
-- others. Each is in the order of the input.
--
-- **Work:** *O(n ✕ (W(p1) + W(p2)))*. **Span:** *O(log(n) + S(p1) + S(p2))*.
def partition2 [n] 'a
               (p1: a -> bool)
               (p2: a -> bool)
               (as: [n]a) : ?[k][l].([k]a, [l]a, [n - k - l]a) =
  let (firsts, rest) = partition p1 as
  let (seconds, others) = partition p2 rest
  in (firsts, seconds, others)

-- | Apply a function that returns an array of any size and a second result, and concatenate the
-- arrays. The result has five parts:
--
-- * the *shape*: how long each array is,
--
-- * the *flags*: for each element of the data, whether an array begins there,
--
-- * the *offsets*: where in the data each array begins,
--
-- * the *data*: the arrays one after the other,
--
-- * the second results.
--
-- `map`@term with an irregular result is the more convenient way; this one exposes the
-- representation.
--
-- **Work:** *O(n ✕ W(f))*. **Span:** *O(log(n) + S(f))*.
def flatmap [n] 'a 'b 'c
            (f: a -> ?[k].([k]b, c))
            (as: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c) =
  intrinsics.flatmap f as

-- | As `flatmap`@term, without second results.
def flatmap' [n] 'a 'b
             (f: a -> ?[k].[k]b)
             (as: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (shape, flags, offsets, data, _) = flatmap (\a -> (f a, ())) as
  in (shape, flags, offsets, data)
