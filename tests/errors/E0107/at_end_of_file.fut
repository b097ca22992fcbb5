def one = 1i32

-- | There is nothing after this.
