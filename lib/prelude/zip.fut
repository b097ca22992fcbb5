-- | Between arrays of tuples and tuples of arrays.
--
-- An array of tuples is stored as one array for each component, so these functions cost next to
-- nothing. All arrays that are zipped must have the same length, which the types say.

-- | Pair up the elements of two arrays.
def zip [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) =
  intrinsics.zip as bs

-- | The same as `zip`@term.
def zip2 [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) =
  zip as bs

-- | Combine three arrays into one of triples.
def zip3 [n] 'a 'b 'c (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n](a, b, c) =
  intrinsics.map (\((a, b), c) -> (a, b, c)) (zip (zip as bs) cs)

-- | Combine four arrays.
def zip4 [n] 'a 'b 'c 'd
         (as: [n]a)
         (bs: [n]b)
         (cs: [n]c)
         (ds: [n]d) : *[n](a, b, c, d) =
  intrinsics.map (\((a, b), (c, d)) -> (a, b, c, d))
                 (zip (zip as bs) (zip cs ds))

-- | Combine five arrays.
def zip5 [n] 'a 'b 'c 'd 'e
         (as: [n]a)
         (bs: [n]b)
         (cs: [n]c)
         (ds: [n]d)
         (es: [n]e) : *[n](a, b, c, d, e) =
  intrinsics.map (\((a, b), (c, d, e)) -> (a, b, c, d, e))
                 (zip (zip as bs) (zip3 cs ds es))

-- | Split an array of pairs into an array of first and one of second components.
def unzip [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) =
  intrinsics.unzip xs

-- | The same as `unzip`@term.
def unzip2 [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) =
  unzip xs

-- | Split an array of triples.
def unzip3 [n] 'a 'b 'c (xs: [n](a, b, c)) : ([n]a, [n]b, [n]c) =
  (intrinsics.map (.0) xs, intrinsics.map (.1) xs, intrinsics.map (.2) xs)

-- | Split an array of quadruples.
def unzip4 [n] 'a 'b 'c 'd (xs: [n](a, b, c, d)) : ([n]a, [n]b, [n]c, [n]d) =
  ( intrinsics.map (.0) xs
  , intrinsics.map (.1) xs
  , intrinsics.map (.2) xs
  , intrinsics.map (.3) xs
  )

-- | Split an array of quintuples.
def unzip5 [n] 'a 'b 'c 'd 'e
           (xs: [n](a, b, c, d, e)) : ([n]a, [n]b, [n]c, [n]d, [n]e) =
  ( intrinsics.map (.0) xs
  , intrinsics.map (.1) xs
  , intrinsics.map (.2) xs
  , intrinsics.map (.3) xs
  , intrinsics.map (.4) xs
  )
