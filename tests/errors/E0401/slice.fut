def halves [n] (xs: [n]i32) = zip xs[:n / 2] xs[n / 2:]
