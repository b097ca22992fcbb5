def f (x: i32) =
  -- | What is this?
  x

-- | And this?
