-- # The sequence operations of NESL
--
-- Section 1.4 of the paper on Nessie, Reppy and Wingerter's compiler from NESL to CUDA, lists the operations that its
-- language has on sequences. Here they are in the same order, each with its name there and with what it is in Norn.
--
-- Programs that come from NESL can use the module `nesl` of the library instead, which has the same operations under
-- their own names.

-- ## Basic sequence operations

-- `dist(val, len)` makes copies of a value.

-- ==
-- entry: copies
-- input { 7 3i64 } output { [7, 7, 7] }
-- input { 7 0i64 } output { empty([0]i32) }
entry copies (x: i32) (len: i64) : [len]i32 = replicate len x

-- `elt(seq, idx)` is one element. The index is checked.

-- ==
-- entry: element
-- input { [3, 1, 4] 1i64 } output { 1 }
-- input { [3, 1, 4] 3i64 } error: Index 3 is out of bounds
entry element [n] (xs: [n]i32) (i: i64) : i32 = xs[i]

-- `replace(seq, val, idx)` changes one element. A copy is made only if the old sequence is still needed.

-- ==
-- entry: replaced
-- input { [3, 1, 4] 9 0i64 } output { [9, 1, 4] }
entry replaced [n] (xs: [n]i32) (x: i32) (i: i64) : [n]i32 =
  copy xs with [i] = x

-- `count(seq)` is the number of elements. In Norn it is part of the type.

-- ==
-- entry: size
-- input { [3, 1, 4] } output { 3i64 }
-- input { empty([0]i32) } output { 0i64 }
entry size [n] (_: [n]i32) : i64 = n

-- ## Sequence pair operations
--
-- Sequences of pairs are pairs of sequences in memory, so both operations cost nothing.

-- `zip(seq1, seq2)` pairs the elements of two sequences.

-- ==
-- entry: products
-- input { [3, 1, 4] [2, 5, 1] } output { [6, 5, 4] }
entry products [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 =
  map (\(x, y) -> x * y) (zip xs ys)

-- `unzip(seq)` is its inverse.

-- ==
-- entry: unpaired
-- input { 4i64 } output { [0i64, 1i64, 2i64, 3i64] [0i64, 1i64, 4i64, 9i64] }
-- input { 0i64 } output { empty([0]i64) empty([0]i64) }
entry unpaired (n: i64) : ([n]i64, [n]i64) =
  unzip (tabulate n (\i -> (i, i * i)))

-- ## Scans
--
-- NESL's scans combine the elements *before* each element, so they begin with the neutral element. In Norn this is
-- `exscan`; `scan` includes the element itself.

-- `plus_scan(seq)` adds up.

-- ==
-- entry: plus_scan
-- input { [3, 1, 4, 1] } output { [0, 3, 4, 8] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry plus_scan [n] (xs: [n]i32) : [n]i32 = exscan (+) 0 xs

-- > plus_scan [3, 1, 4, 1]

-- `min_scan(seq)` finds the least.

-- ==
-- entry: min_scan
-- input { [3, 1, 4, 1] } output { [2147483647, 3, 1, 1] }
entry min_scan [n] (xs: [n]i32) : [n]i32 = exscan i32.min i32.highest xs

-- `max_scan(seq)` finds the greatest.

-- ==
-- entry: max_scan
-- input { [3, 1, 4, 1] } output { [-2147483648, 3, 3, 4] }
entry max_scan [n] (xs: [n]i32) : [n]i32 = exscan i32.max i32.lowest xs

-- `or_scan(seq)` is true after the first element that is true.

-- ==
-- entry: or_scan
-- input { [false, true, false] } output { [false, false, true] }
entry or_scan [n] (xs: [n]bool) : [n]bool = exscan (||) false xs

-- `and_scan(seq)` is true as long as all elements are true.

-- ==
-- entry: and_scan
-- input { [true, false, true] } output { [true, true, false] }
entry and_scan [n] (xs: [n]bool) : [n]bool = exscan (&&) true xs

-- ## Unfolds

-- `iseq(start, inc, end)` counts in steps. A range of Norn has the second element where NESL has the step.

-- ==
-- entry: counted
-- input { 2i64 3i64 12i64 } output { [2i64, 5i64, 8i64, 11i64] }
-- input { 2i64 3i64 2i64 } output { empty([0]i64) }
entry counted (start: i64) (inc: i64) (end: i64) : []i64 =
  start..start + inc..<end

-- > counted 2i64 3i64 12i64

-- ## Reductions

-- `sum(seq)` adds up all elements.

-- ==
-- entry: total
-- input { [3, 1, 4, 1] } output { 9 }
-- input { empty([0]i32) } output { 0 }
entry total [n] (xs: [n]i32) : i32 = i32.sum xs

-- `min(seq)` is the least element.

-- ==
-- entry: least
-- input { [3, 1, 4, 1] } output { 1 }
entry least [n] (xs: [n]i32) : i32 = i32.minimum xs

-- `max(seq)` is the greatest.

-- ==
-- entry: greatest
-- input { [3, 1, 4, 1] } output { 4 }
entry greatest [n] (xs: [n]i32) : i32 = i32.maximum xs

-- `any(seq)` is whether some element is true.

-- ==
-- entry: some
-- input { [false, true] } output { true }
-- input { empty([0]bool) } output { false }
entry some [n] (xs: [n]bool) : bool = or xs

-- `all(seq)` is whether all elements are true.

-- ==
-- entry: every
-- input { [false, true] } output { false }
-- input { empty([0]bool) } output { true }
entry every [n] (xs: [n]bool) : bool = and xs

-- `max_index(seq)` is the index of the greatest element, the first of several, or -1 if there is none. Norn has no
-- function for it, because a reduction of the indices does it.

def first_by [n] 'a (before: a -> a -> bool) (xs: [n]a) : i64 =
  let better i j =
    if i < 0 || (j >= 0 && before xs[j] xs[i]) then j else i
  in reduce better (-1) (iota n)

-- ==
-- entry: greatest_at
-- input { [3, 1, 4, 1, 4] } output { 2i64 }
-- input { empty([0]i32) } output { -1i64 }
entry greatest_at [n] (xs: [n]i32) : i64 = first_by (>) xs

-- `min_index(seq)` is that of the least.

-- ==
-- entry: least_at
-- input { [3, 1, 4, 1, 4] } output { 1i64 }
entry least_at [n] (xs: [n]i32) : i64 = first_by (<) xs

-- > least_at [3, 1, 4, 1, 4]

-- ## Reordering

-- `seq -> idxs` reads the elements at some indices. There may be more or fewer of them than elements.

-- ==
-- entry: read
-- input { [30, 10, 40] [2i64, 2i64, 0i64, 1i64] } output { [40, 40, 30, 10] }
entry read [n] [k] (xs: [n]i32) (is: [k]i64) : [k]i32 = map (\i -> xs[i]) is

-- `permute(vals, idxs)` moves each element to its index.

-- ==
-- entry: permuted
-- input { [30, 10, 40] [2i64, 0i64, 1i64] } output { [10, 40, 30] }
entry permuted [n] (xs: [n]i32) (is: [n]i64) : [n]i32 = spread n 0 is xs

-- `seq <- ivpairs` overwrites the elements at some indices.

-- ==
-- entry: written
-- input { [30, 10, 40, 20] [3i64, 0i64] [7, 8] } output { [8, 10, 40, 7] }
entry written [n] [k] (xs: [n]i32) (is: [k]i64) (vs: [k]i32) : [n]i32 =
  scatter (copy xs) is vs

-- `rotate(seq, by)` moves elements to the right and around the end. Norn's `rotate` moves to the left.

-- ==
-- entry: rotated
-- input { [3, 1, 4, 5] 1i64 } output { [5, 3, 1, 4] }
-- input { [3, 1, 4, 5] -2i64 } output { [4, 5, 3, 1] }
entry rotated [n] (xs: [n]i32) (by: i64) : [n]i32 = rotate (-by) xs

-- > rotated [3, 1, 4, 5] 1i64

-- `reverse(seq)` begins at the end.

-- ==
-- entry: reversed
-- input { [3, 1, 4] } output { [4, 1, 3] }
entry reversed [n] (xs: [n]i32) : [n]i32 = reverse xs

-- ## Multi-sequence operations

-- `pack(val_flag_seq)` keeps the values whose flag is true.

-- ==
-- entry: packed
-- input { [3, 1, 4] [true, false, true] } output { [3, 4] }
-- input { [3] [false] } output { empty([0]i32) }
entry packed [n] (xs: [n]i32) (flags: [n]bool) : []i32 =
  map (.0) (filter (.1) (zip xs flags))

-- `seq1 ++ seq2` puts one after the other.

-- ==
-- entry: joined
-- input { [3, 1] [4] } output { [3, 1, 4] }
entry joined [n] [m] (xs: [n]i32) (ys: [m]i32) : [n + m]i32 = xs ++ ys

-- `subseq(seq, start, end)` is a part, without the element at the end. It is a slice and copies nothing.

-- ==
-- entry: part
-- input { [3, 1, 4, 1, 5] 1i64 3i64 } output { [1, 4] }
entry part [n] (xs: [n]i32) (start: i64) (end: i64) : []i32 = xs[start:end]

-- `interleave(seq1, seq2)` takes elements in turn until the next one does not exist.

-- ==
-- entry: interleaved
-- input { [1, 3, 5] [2, 4, 6] } output { [1, 2, 3, 4, 5, 6] }
-- input { [1, 3, 5, 7] [2] } output { [1, 2, 3] }
entry interleaved [n] [m] (xs: [n]i32) (ys: [m]i32) : []i32 =
  tabulate (i64.min (2 * n) (2 * m + 1)) (\i ->
    if i % 2 == 0
    then xs[i / 2]
    else ys[i / 2])

-- > interleaved [1, 3, 5] [2, 4, 6]

-- `length_from_flags(seq)` is the distance from each true element to the next, or to the end.

def distances [k] (n: i64) (starts: [k]i64) : [k]i64 =
  map2 (-) (sized k (tail (starts ++ [n]))) starts

-- ==
-- entry: lengths_from_flags
-- input { [true, false, false, true, true, false] } output { [3i64, 1i64, 2i64] }
-- input { [false] } output { empty([0]i64) }
entry lengths_from_flags [n] (flags: [n]bool) : []i64 =
  distances n (filter (\i -> flags[i]) (iota n))

-- > lengths_from_flags [true, false, false, true, true, false]

-- ## Nested sequence operations
--
-- Nested sequences are irregular arrays.

-- `partition(seq, counts)` cuts a sequence into rows. Nothing is moved.

def cut [n] [m] (xs: [n]i32) (counts: [m]i64) : [m][?]i32 = segment counts xs

-- ==
-- entry: sums_of_parts
-- input { [3, 1, 4, 1, 5] [2i64, 0i64, 3i64] } output { [4, 0, 10] }
entry sums_of_parts [n] [m] (xs: [n]i32) (counts: [m]i64) : [m]i32 =
  map i32.sum (cut xs counts)

-- > sums_of_parts [3, 1, 4, 1, 5] [2i64, 0i64, 3i64]

-- `flatten(sseq)` puts all rows into one sequence. The rows here count down, each from another number.

-- ==
-- entry: flattened
-- input { [2i64, 0i64, 3i64] } output { [1i64, 0i64, 2i64, 1i64, 0i64] }
entry flattened [n] (lens: [n]i64) : []i64 =
  irregular.flatten (map (\len -> reverse (iota len)) lens)

-- > flattened [2i64, 0i64, 3i64]

-- `split(seq, flags)` divides the elements into those with a false flag and those with a true one.

-- ==
-- entry: parted
-- input { [3, 1, 4, 1] [true, false, false, true] } output { [1, 4] [3, 1] }
entry parted [n] (xs: [n]i32) (flags: [n]bool) : ?[k].([k]i32, [n - k]i32) =
  let (falses, trues) = partition (\(_, flag) -> !flag) (zip xs flags)
  in (map (.0) falses, map (.0) trues)

-- `bottop(seq)` divides the elements into those less and those greater than the median. (In NESL itself, and in the
-- module `nesl`, it is the first and the second half instead.)

-- ==
-- entry: bottop
-- input { [3, 1, 4, 1, 5] } output { [1, 1] [4, 5] }
-- input { [7] } output { empty([0]i32) empty([0]i32) }
entry bottop [n] (xs: [n]i32) : ([]i32, []i32) =
  let median = (sort xs)[n / 2]
  in (filter (< median) xs, filter (> median) xs)

-- > bottop [3, 1, 4, 1, 5]

-- ## Complex sequence operations

-- `sort(seq)` sorts, from least to greatest.

-- ==
-- entry: sorted
-- input { [3, 1, 4, 1, 5] } output { [1, 1, 3, 4, 5] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry sorted [n] (xs: [n]i32) : [n]i32 = sort xs

-- `rank(seq)` is the index of each element in sorted order. It is the inverse of the permutation that sorts them.

-- ==
-- entry: ranks
-- input { [3, 1, 4, 1, 5] } output { [2i64, 0i64, 3i64, 1i64, 4i64] }
entry ranks [n] (xs: [n]i32) : [n]i64 =
  let order = sort_by_key (\i -> xs[i]) (iota n)
  in spread n 0 order (iota n)

-- > ranks [3, 1, 4, 1, 5]

-- `collect(kv_pairs)` brings the values of each key together. After sorting by keys, they are next to each other.
-- The values of a key are a row; the entry point returns the lengths of the rows and all values.

def collect [n] (kvs: [n](i32, i32)) : ?[m].([m]i32, [m][?]i32) =
  let (keys, values) = unzip (sort_by_key (.0) kvs)
  let starts = filter (\i -> i == 0 || keys[i - 1] != keys[i]) (iota n)
  in (map (\i -> keys[i]) starts, segment (distances n starts) values)

-- ==
-- entry: collected
-- input { [2, 1, 2, 3] [20, 10, 21, 30] } output { [1, 2, 3] [1i64, 2i64, 1i64] [10, 20, 21, 30] }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) empty([0]i64) empty([0]i32) }
entry collected [n]
                (keys: [n]i32)
                (values: [n]i32) : ?[m].([m]i32, [m]i64, []i32) =
  let (keys, rows) = collect (zip keys values)
  in (keys, lengths rows, irregular.flatten rows)

-- > collected [2, 1, 2, 3] [20, 10, 21, 30]

-- `transpose(reg_sseq)` swaps rows and columns. The type shows that all rows have the same length.

-- ==
-- entry: transposed
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 4], [2, 5], [3, 6]] }
entry transposed [n] [m] (xss: [n][m]i32) : [m][n]i32 = transpose xss

-- > transposed [[1, 2, 3], [4, 5, 6]]
