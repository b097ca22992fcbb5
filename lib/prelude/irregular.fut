-- | Arrays whose rows differ in length.
--
-- In the type `[n][?]t` the inner dimension may have another size in each row. No function here is
-- needed to make such an array or to work on it row by row: `map (\i -> iota i) [3, 1, 2]` is one,
-- with the rows `[0, 1, 2]`, `[0]` and `[0, 1]`, and `map i64.sum` of it adds up each row, in work
-- proportional to the number of elements. What this file provides is the way between an irregular
-- array and its two parts, the elements in one flat array and the lengths of the rows.
--
-- `lengths`@term and `segment`@term stand by themselves. The others share their names with
-- functions on regular arrays and live in the module `irregular`@term.

import "soacs"
import "array"

-- | The length of each row.
--
-- **Work:** *O(n)*. **Span:** *O(1)*.
def lengths [n] 't (xss: [n][?]t) : [n]i64 = intrinsics.lengths xss

-- | Cut an array into rows of the given lengths. Fails if a length is negative or if they do not
-- add up to the length of the array. `segment (lengths xss) (irregular.flatten xss)` is `xss`.
--
-- **Work:** *O(n)*; the elements stay where they are. **Span:** *O(log(n))*.
def segment [n] [m] 't (lens: [n]i64) (xs: [m]t) : [n][?]t =
  intrinsics.segment lens xs

-- | Irregular counterparts of functions on regular arrays, and conversions between the two kinds.
module irregular = {
  -- | The length of each row, as `lengths`@term.
  def lengths [n] 't (xss: [n][?]t) : [n]i64 = intrinsics.lengths xss

  -- | Cut an array into rows, as `segment`@term.
  def segment [n] [m] 't (lens: [n]i64) (xs: [m]t) : [n][?]t =
    intrinsics.segment lens xs

  -- | All rows, one after the other, as one array.
  def flatten [n] 't (xss: [n][?]t) : []t = intrinsics.flatten_irregular xss

  -- | Where each row begins in the flattened array.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def offsets [n] 't (xss: [n][?]t) : *[n]i64 = exscan (+) 0 (lengths xss)

  -- | For each element of the flattened array, the index of its row.
  --
  -- **Work:** *O(n + m)* for *m* elements. **Span:** *O(log(n))*.
  def owners [n] 't (xss: [n][?]t) : []i64 =
    flatten (map2 (\len i -> replicate len i) (lengths xss) (iota n))

  -- | Make a regular array of one whose rows all have length `m`. Fails if some row does not.
  --
  -- **Work:** *O(n)*. **Span:** *O(log(n))*.
  def regular [n] 't (m: i64) (xss: [n][?]t) : [n][m]t =
    let xs = assert (all (== m) (lengths xss)) (flatten xss)
    in unflatten (xs :> [n * m]t)

  -- | Forget that all rows have the same length.
  def from_regular [n] [m] 't (xss: [n][m]t) : [n][?]t =
    segment (replicate n m) (intrinsics.flatten xss)

  -- | Put each row of the second array after the row of the first in the same place.
  --
  -- **Work:** proportional to the number of elements. **Span:** *O(log(n))*.
  def append [n] 't (xss: [n][?]t) (yss: [n][?]t) : [n][?]t =
    map2 (\xs ys -> xs ++ ys) xss yss
}
