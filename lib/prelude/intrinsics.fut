-- The polymorphic values of the module `intrinsics`, and its type `acc` (INTRINSICS.md has the
-- overloaded ones). The checker reads this module type and makes the module from it.

module type intrinsics = {
  -- # Constructing and rearranging

  -- n copies of x; n < 0 is a failure
  val replicate 't : (n: i64) -> (x: t) -> *[n]t
  -- a value that aliases nothing
  val copy 't : (x: t) -> *t
  -- the same, laid out row by row
  val manifest 't : (x: t) -> *t
  -- xs, then ys
  val concat [n] [m] 't : (xs: [n]t) -> (ys: [m]t) -> *[n + m]t
  -- exchange the outer two dimensions
  val transpose [n] [m] 't : (xss: [n][m]t) -> [m][n]t
  -- merge the outer two dimensions
  val flatten [n] [m] 't : (xss: [n][m]t) -> [n * m]t
  -- split the outer dimension
  val unflatten 't : (n: i64) -> (m: i64) -> (xs: [n * m]t) -> [n][m]t
  -- pair up
  val zip [n] 'a 'b : (as: [n]a) -> (bs: [n]b) -> *[n](a, b)
  -- the inverse of zip
  val unzip [n] 'a 'b : (xs: [n](a, b)) -> (*[n]a, *[n]b)

  -- # Parallel combinators
  -- Ranges need no intrinsic: `iota n` is `0..1..<n`.

  -- apply f to every element
  val map [n] 'a 'x : (f: a -> x) -> (as: [n]a) -> *[n]x

  -- combine with an associative op that has neutral element ne; for reduce_comm also commutative
  val reduce [n] 'a : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> *a
  val reduce_comm [n] 'a : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> *a

  -- element i of the result combines as[0..i]
  val scan [n] 'a : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> *[n]a

  -- the elements that satisfy p, in order
  val filter [n] 'a : (p: a -> bool) -> (as: [n]a) -> ?[m].*[m]a

  -- the elements that satisfy p and those that do not, both in order
  val partition [n] 'a : (p: a -> bool) -> (as: [n]a) -> ?[k].([k]a, [n - k]a)

  -- # Sorting
  -- The keys are primitive: the checker lets `k` stand for nothing else. The order is total: `false` before `true`,
  -- `-0.0` before `0.0`, NaNs last. What has equal keys stays in its order.

  -- the elements in ascending order
  val sort [n] 'k : (xs: [n]k) -> *[n]k
  -- the elements in ascending order of what f makes of them
  val sort_by_key [n] 'a 'k : (f: a -> k) -> (xs: [n]a) -> *[n]a

  -- # Writing to computed places

  -- dest with vs[j] stored at is[j], for each is[j] within bounds; where one index occurs with
  -- different values the result is unspecified
  val scatter [n] [l] 't : (dest: *[n]t) -> (is: [l]i64) -> (vs: [l]t) -> *[n]t
  val scatter_2d [n] [m] [l] 't :
    (dest: *[n][m]t) -> (is: [l](i64, i64)) -> (vs: [l]t) -> *[n][m]t
  val scatter_3d [n] [m] [k] [l] 't :
    (dest: *[n][m][k]t) -> (is: [l](i64, i64, i64)) -> (vs: [l]t) -> *[n][m][k]t

  -- dest with vs[j] combined by op into element is[j], for each is[j] within bounds
  val hist_1d [m] [n] 'a :
    (dest: *[m]a)
    -> (op: a -> a -> a)
    -> (ne: a)
    -> (is: [n]i64)
    -> (vs: [n]a)
    -> *[m]a
  val hist_2d [m] [k] [n] 'a :
    (dest: *[m][k]a)
    -> (op: a -> a -> a)
    -> (ne: a)
    -> (is: [n](i64, i64))
    -> (vs: [n]a)
    -> *[m][k]a
  val hist_3d [m] [k] [l] [n] 'a :
    (dest: *[m][k][l]a)
    -> (op: a -> a -> a)
    -> (ne: a)
    -> (is: [n](i64, i64, i64))
    -> (vs: [n]a)
    -> *[m][k][l]a

  -- f on every element; the arrays concatenated, with lengths, flags (true where an array begins) and
  -- offsets, and the second results
  val flatmap [n] 'a 'b 'c :
    (f: a -> ?[k].([k]b, c))
    -> (as: [n]a)
    -> ?[m].(*[n]i64, *[m]bool, *[n]i64, *[m]b, *[n]c)

  -- # Streams
  -- `f` sees the input in chunks of a size that the compiler chooses, and its result must not depend on
  -- the choice. A chunk is a stretch of neighbours; in the `_per` forms any elements may share a chunk, and
  -- results return to the places of their inputs.

  -- chunks in parallel; results concatenated
  val stream_map [n] 'a 'b :
    (f: (k: i64) -> [k]a -> [k]b) -> (as: [n]a) -> *[n]b
  val stream_map_per [n] 'a 'b :
    (f: (k: i64) -> [k]a -> [k]b) -> (as: [n]a) -> *[n]b

  -- chunks in parallel; first results combined in order by op, second results concatenated. f on an
  -- empty chunk yields the neutral element of op
  val stream_red [n] 'a 'b 'c :
    (op: c -> c -> c)
    -> (f: (k: i64) -> [k]a -> (c, [k]b))
    -> (as: [n]a)
    -> (c, *[n]b)
  val stream_red_per [n] 'a 'b 'c :
    (op: c -> c -> c)
    -> (f: (k: i64) -> [k]a -> (c, [k]b))
    -> (as: [n]a)
    -> (c, *[n]b)

  -- chunks one after the other, each given the accumulator that the one before it left
  val stream_seq [n] 'a 'b 'c :
    (f: (k: i64) -> c -> [k]a -> (c, [k]b))
    -> (init: c)
    -> (as: [n]a)
    -> (c, *[n]b)

  -- # Irregular arrays

  -- the length of every row
  val lengths [n] 't : (xss: [n][?]t) -> *[n]i64
  -- all rows, one after the other
  val flatten_irregular [n] 't : (xss: [n][?]t) -> ?[m].[m]t
  -- cut xs into rows of these lengths; a failure unless none is negative and they add up to m
  val segment [n] [m] 't : (lens: [n]i64) -> (xs: [m]t) -> [n][?]t

  -- # Accumulators
  -- A write-only view of an array, threaded through the body of a loop over elements. `intrinsics.acc t` is a
  -- size-lifted type (`type~ acc 't`): it may be consumed and returned, but not stored in an array.

  -- store, or combine, v at i if i is within bounds
  val acc_write [k] 'a : (acc: *acc ([k]a)) -> (i: i64) -> (v: a) -> *acc ([k]a)

  -- run f on every b in parallel, each with an accumulator for dest; writes store (scatter_stream) or
  -- combine by op (hist_stream)
  val scatter_stream [k] [n] 'a 'b :
    (dest: *[k]a) -> (f: *acc ([k]a) -> b -> acc ([k]a)) -> (bs: [n]b) -> *[k]a
  val hist_stream [k] [n] 'a 'b :
    (dest: *[k]a)
    -> (op: a -> a -> a)
    -> (ne: a)
    -> (f: *acc ([k]a) -> b -> acc ([k]a))
    -> (bs: [n]b)
    -> *[k]a

  -- # Views of flat memory
  -- `flat_index` reads, and `flat_update` overwrites, the elements at `offset + i1*s1 + i2*s2 + ...` for all
  -- `0 <= i1 < n1`, `0 <= i2 < n2`, and so on. All of them must lie within the array.

  val flat_index_2d [n] 'a :
    (as: [n]a)
    -> (offset: i64)
    -> (n1: i64)
    -> (s1: i64)
    -> (n2: i64)
    -> (s2: i64)
    -> ?[m][k].[m][k]a
  val flat_index_3d [n] 'a :
    (as: [n]a)
    -> (offset: i64)
    -> (n1: i64)
    -> (s1: i64)
    -> (n2: i64)
    -> (s2: i64)
    -> (n3: i64)
    -> (s3: i64)
    -> ?[m][k][l].[m][k][l]a
  val flat_index_4d [n] 'a :
    (as: [n]a)
    -> (offset: i64)
    -> (n1: i64)
    -> (s1: i64)
    -> (n2: i64)
    -> (s2: i64)
    -> (n3: i64)
    -> (s3: i64)
    -> (n4: i64)
    -> (s4: i64)
    -> ?[m][k][l][p].[m][k][l][p]a
  val flat_update_2d [n] [k] [l] 'a :
    (as: *[n]a)
    -> (offset: i64)
    -> (s1: i64)
    -> (s2: i64)
    -> (vs: [k][l]a)
    -> *[n]a
  val flat_update_3d [n] [k] [l] [p] 'a :
    (as: *[n]a)
    -> (offset: i64)
    -> (s1: i64)
    -> (s2: i64)
    -> (s3: i64)
    -> (vs: [k][l][p]a)
    -> *[n]a
  val flat_update_4d [n] [k] [l] [p] [q] 'a :
    (as: *[n]a)
    -> (offset: i64)
    -> (s1: i64)
    -> (s2: i64)
    -> (s3: i64)
    -> (s4: i64)
    -> (vs: [k][l][p][q]a)
    -> *[n]a

  -- # Differentiation

  -- f x, and its change along dx
  val jvp2 'a 'b : (f: a -> b) -> (x: a) -> (dx: a) -> (b, b)
  -- f x, and the sensitivity of dy to x
  val vjp2 'a 'b : (f: a -> b) -> (x: a) -> (dy: b) -> (b, a)
  -- jvp2 for many dx
  val jmp2 [n] 'a 'b : (f: a -> b) -> (x: a) -> (dxs: [n]a) -> (b, *[n]b)
  -- vjp2 for many dy
  val mjp2 [n] 'a 'b : (f: a -> b) -> (x: a) -> (dys: [n]b) -> (b, *[n]a)
  -- f x, differentiated by df
  val with_vjp 'a 'b :
    (f: a -> b) -> (df: (y: b) -> (dy: b) -> a) -> (x: a) -> b
}
