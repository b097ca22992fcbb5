-- | Sorting by a comparison.
--
-- By keys of a primitive type there are two functions that belong to the language, because they work
-- on all of these types: `sort xs` yields the elements in ascending order, and `sort_by_key f xs` those of any type, in
-- ascending order of what `f` makes of them. They are several times faster than what is here.

import "array"
import "numeric"
import "soacs"

-- How many neighbours a thread sorts, or merges.
local def run : i64 = 32

-- The elements from `first` on in order, a run of them; beyond the end there is the last one again.
local def sorted_run [n] 't
                     (leq: t -> t -> bool)
                     (xs: [n]t)
                     (first: i64) : [run]t =
  loop block = tabulate run (\k -> copy xs[i64.min (first + k) (n - 1)])
  for i < i64.min run (n - first) do
    let x = copy block[i]
    let (block, at) =
      loop (block, at) = (block, i)
      while at > 0 && !(leq block[at - 1] x) do
        let front = copy block[at - 1]
        in (block with [at] = front, at - 1)
    in block with [at] = x

-- Parts of `width` elements are in order, and two and two are merged: the elements of the result from `first` on, a run
-- of them. How many of those before came from the left part is found on a diagonal of the table of
-- all comparisons (Odeh, Green, Mwassi, Shmueli and Birk, Merge Path, 2012).
local def merged_run [n] 't
                     (leq: t -> t -> bool)
                     (width: i64)
                     (xs: [n]t)
                     (first: i64) : [run]t =
  let start = first / (2 * width) * (2 * width)
  let middle = i64.min n (start + width)
  let end = i64.min n (middle + width)
  let before = first - start
  let (from_left, _) =
    loop (low, high) =
           ( i64.max 0 (before - (end - middle))
           , i64.min before (middle - start)
           )
    while low < high do
      let probe = (low + high) / 2
      in if leq xs[start + probe] xs[middle + before - probe - 1]
         then (probe + 1, high)
         else (low, probe)
  let (block, _, _) =
    loop (block, left, right) =
           ( replicate run xs[first]
           , start + from_left
           , middle + before - from_left
           )
    for k < i64.min run (n - first) do
      if right >= end || (left < middle && leq xs[left] xs[right])
      then (block with [k] = copy xs[left], left + 1, right)
      else (block with [k] = copy xs[right], left, right + 1)
  in block

-- | The elements from least to greatest, where `leq` decides whether its first argument may come
-- before its second. It must be a total order, but for equal elements, which keep their order.
--
-- **Work:** *O(n ✕ log(n) ✕ W(leq))*. **Span:** *O(log(n)² ✕ W(leq))*.
def sort_by [n] 't (leq: t -> t -> bool) (xs: [n]t) : *[n]t =
  let runs = (n + run - 1) / run
  let all (f: i64 -> [run]t) : *[n]t =
    copy (flatten (tabulate runs (\r -> f (r * run))))[:n]
  let (sorted, _) =
    loop (xs, width) = (all (sorted_run leq xs), run)
    while width < n do
      (all (merged_run leq width xs), 2 * width)
  in sorted
