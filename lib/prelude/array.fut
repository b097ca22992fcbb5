-- | Building arrays, taking them apart and giving them other shapes.
--
-- Slices, reshapes and transpositions are views: they cost *O(1)* and copy nothing. Functions
-- without a stated cost are of that kind.

import "soacs"

-- | How many elements there are in the outermost dimension.
def length [n] 't (_: [n]t) : i64 = n

-- | Is the outermost dimension empty?
def null [n] 't (_: [n]t) : bool = n == 0

-- | The first element. An empty array has none, and the program fails.
def head [n] 't (x: [n]t) : t = x[0]

-- | The last element. An empty array has none, and the program fails.
def last [n] 't (x: [n]t) : t = x[n - 1]

-- | All elements but the first. Fails on an empty array.
def tail [n] 't (x: [n]t) : [n - 1]t = x[1:]

-- | All elements but the last. Fails on an empty array.
def init [n] 't (x: [n]t) : [n - 1]t = x[:n - 1]

-- | The first `i` elements. Fails if there are fewer.
def take [n] 't (i: i64) (x: [n]t) : [i]t = x[:i]

-- | All but the first `i` elements. Fails if there are fewer than `i`.
def drop [n] 't (i: i64) (x: [n]t) : [n - i]t = x[i:]

-- | The same array, with a type that states that its length is `n`. Fails if it is not.
def sized [m] 't (n: i64) (xs: [m]t) : [n]t = xs :> [n]t

-- | Split in two, as the types require: the first part has `n` elements, the second `m`.
def split [n] [m] 't (xs: [n + m]t) : ([n]t, [m]t) =
  (xs[:n], xs[n:] :> [m]t)

-- | The elements from last to first.
def reverse [n] 't (x: [n]t) : [n]t = x[::-1]

-- | One array after the other.
--
-- As the operator of a `reduce`@term this does not work, because the sizes differ from call to
-- call.
--
-- **Work:** *O(n + m)*. **Span:** *O(1)*.
def (++) [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | The operator `++`@term under a name.
def concat [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = xs ++ ys

-- | The numbers from 0 up to, but not including, `n`.
--
-- **Work:** *O(n)*. **Span:** *O(1)*.
def iota (n: i64) : *[n]i64 = 0..1..<n

-- | The valid indices of an array, in order.
--
-- **Work:** *O(n)*. **Span:** *O(1)*.
def indices [n] 't (_: [n]t) : *[n]i64 = iota n

-- | Move every element `r` places to the left; those that leave at the front enter at the back.
-- That is, `(rotate r a)[i]` is `a[i + r]`, the index taken around the end. A negative `r` moves to
-- the right.
--
-- **Work:** *O(n)*. **Span:** *O(1)*.
def rotate [n] 't (r: i64) (a: [n]t) : *[n]t =
  -- By few places, the index needs no remainder.
  let m = intrinsics.max n 1
  let first = if -m <= r && r <= m then r else r % m
  let around i = if i < 0 then i + n else if i < n then i else i - n
  in map (\i -> #[unsafe] a[around (first + i)]) (iota n)

-- | The same value `n` times.
--
-- **Work:** *O(n)*. **Span:** *O(1)*.
def replicate 't (n: i64) (x: t) : *[n]t = intrinsics.replicate n x

-- | The same value as often as the context requires.
--
-- **Work:** *O(n)*. **Span:** *O(1)*.
def rep [n] 't (x: t) : *[n]t = replicate n x

-- | The same value in memory of its own, so that it can be consumed and the original kept.
--
-- **Work:** the size of the value. **Span:** *O(1)*.
def copy 't (a: t) : *t = intrinsics.copy a

-- | As `copy`@term, and every array in the copy is laid out row by row. For the rare case in which
-- the compiler's choice of layout is a bad one.
def manifest 't (a: t) : *t = intrinsics.manifest a

-- | Merge the outer two dimensions: the rows one after the other.
def flatten [n] [m] 't (xs: [n][m]t) : [n * m]t = intrinsics.flatten xs

-- | Merge the outer three dimensions.
def flatten_3d [n] [m] [l] 't (xs: [n][m][l]t) : [n * m * l]t =
  flatten (flatten xs)

-- | Merge the outer four dimensions.
def flatten_4d [n] [m] [l] [k] 't (xs: [n][m][l][k]t) : [n * m * l * k]t =
  flatten (flatten_3d xs)

-- | Split the outer dimension in two, filling row after row. The inverse of `flatten`@term.
def unflatten [n] [m] 't (xs: [n * m]t) : [n][m]t = intrinsics.unflatten n m xs

-- | Split the outer dimension in three.
def unflatten_3d [n] [m] [l] 't (xs: [n * m * l]t) : [n][m][l]t =
  unflatten (unflatten xs)

-- | Split the outer dimension in four.
def unflatten_4d [n] [m] [l] [k] 't (xs: [n * m * l * k]t) : [n][m][l][k]t =
  unflatten (unflatten_3d xs)

-- | Exchange the outer two dimensions, making rows of the columns.
def transpose [n] [m] 't (a: [n][m]t) : [m][n]t = intrinsics.transpose a

-- | Are all elements true? True of an empty array.
--
-- **Work:** *O(n)*. **Span:** *O(log(n))*.
def and [n] (xs: [n]bool) : bool = reduce (&&) true xs

-- | Is some element true? False of an empty array.
--
-- **Work:** *O(n)*. **Span:** *O(log(n))*.
def or [n] (xs: [n]bool) : bool = reduce (||) false xs

-- | Combine from the left, one element after the other: `f (f (f acc bs[0]) bs[1]) bs[2]` and so
-- on. Not parallel.
--
-- **Work:** *O(n ✕ W(f))*. **Span:** *O(n ✕ S(f))*.
def foldl [n] 'a 'b (f: a -> b -> a) (acc: a) (bs: [n]b) : a =
  loop sofar = acc for b in bs do f sofar b

-- | Combine from the right, one element after the other: `f bs[0] (f bs[1] (f bs[2] acc))` and so
-- on. Not parallel.
--
-- **Work:** *O(n ✕ W(f))*. **Span:** *O(n ✕ S(f))*.
def foldr [n] 'a 'b (f: b -> a -> a) (acc: a) (bs: [n]b) : a =
  loop sofar = acc for b in reverse bs do f b sofar

-- | The array whose element `i` is `f i`.
--
-- **Work:** *O(n ✕ W(f))*. **Span:** *O(S(f))*.
def tabulate 'a (n: i64) (f: i64 -> a) : *[n]a =
  map f (iota n)

-- | The two-dimensional array whose element at `i`, `j` is `f i j`.
--
-- **Work:** *O(n ✕ m ✕ W(f))*. **Span:** *O(S(f))*.
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a =
  map (\i -> tabulate m (f i)) (iota n)

-- | The three-dimensional array whose element at `i`, `j`, `k` is `f i j k`.
--
-- **Work:** *O(n ✕ m ✕ o ✕ W(f))*. **Span:** *O(S(f))*.
def tabulate_3d 'a
                (n: i64)
                (m: i64)
                (o: i64)
                (f: i64 -> i64 -> i64 -> a) : *[n][m][o]a =
  map (\i -> tabulate_2d m o (f i)) (iota n)
