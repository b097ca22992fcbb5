-- | Combinators whose function sees a stretch of the array at a time.
--
-- `map`@term hands its function one element and `reduce`@term combines two; there are cases where a
-- whole chunk can be handled more cheaply than its elements one by one, for instance by a
-- sequential loop that updates an array in place, or by a recurrence that is cheap to continue and
-- expensive to start. The functions here cut the input into chunks, as many and as large as suits the
-- machine. The function gets the size of its chunk, and must be such that the cuts make no
-- difference to the result. Nobody checks this, and if it does not hold the result is unspecified.

-- | Apply `f` to chunks in parallel and concatenate the results: for any way of cutting `as` into
-- `xs ++ ys ++ ..` the result is `f xs ++ f ys ++ ..`.
--
-- **Work:** *O(W(f))*, taken over the whole array. **Span:** *O(S(f))* for one chunk.
def map_stream [n] 'a 'b (f: (k: i64) -> [k]a -> [k]b) (as: [n]a) : *[n]b =
  intrinsics.stream_map f as

-- | As `map_stream`@term, but a chunk may consist of elements from anywhere in the array. The
-- results return to the places of their elements.
def map_stream_per [n] 'a 'b (f: (k: i64) -> [k]a -> [k]b) (as: [n]a) : *[n]b =
  intrinsics.stream_map_per f as

-- | Apply `f` to chunks in parallel and combine the results: for any way of cutting `as` into `xs
-- ++ ys` the result is ``f xs `op` f ys``. The operator must be associative, and `f` of an empty
-- chunk its neutral element.
--
-- **Work:** *O(W(f) + c ✕ W(op))* for *c* chunks. **Span:** *O(S(f) + log(c) ✕ W(op))*.
def reduce_stream [n] 'a 'b
                  (op: b -> b -> b)
                  (f: (k: i64) -> [k]a -> b)
                  (as: [n]a) : b =
  let (result, _) =
    intrinsics.stream_red
      op
      (\(k: i64) (chunk: [k]a) : (b, [k]()) ->
         (f k chunk, intrinsics.replicate k ()))
      as
  in result

-- | As `reduce_stream`@term, but a chunk may consist of elements from anywhere in the array, so
-- that the operator must be commutative too.
def reduce_stream_per
    [n] 'a 'b
    (op: b -> b -> b)
    (f: (k: i64) -> [k]a -> b)
    (as: [n]a) : b =
  let (result, _) =
    intrinsics.stream_red_per
      op
      (\(k: i64) (chunk: [k]a) : (b, [k]()) ->
         (f k chunk, intrinsics.replicate k ()))
      as
  in result

-- | `reduce_stream`@term and `map_stream`@term in one: the first result of `f` is combined over the
-- chunks, and the second ones are concatenated.
def map_reduce_stream
    [n] 'a 'b 'c
    (op: c -> c -> c)
    (f: (k: i64) -> [k]a -> (c, [k]b))
    (as: [n]a) : (c, *[n]b) =
  intrinsics.stream_red op f as

-- | Apply `f` to one chunk after the other. Each call receives what the call before it left as its
-- first result, the first one `init`; the second results are concatenated.
--
-- This is a loop, and yet one in which a chunk can be handled in parallel: a large chunk gives more
-- parallelism, a small one takes less memory.
def fold_stream [n] 'a 'b 'c
                (f: (k: i64) -> c -> [k]a -> (c, [k]b))
                (init: c)
                (as: [n]a) : (c, *[n]b) =
  intrinsics.stream_seq f init as
