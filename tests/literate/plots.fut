-- # Plots

def curve (f: f64 -> f64) (n: i64) : ([]f64, []f64) =
  let xs = map (\i -> 10 * f64.i64 i / f64.i64 (n - 1)) (iota n)
  in (xs, map f xs)

entry sine = curve f64.sin 41

entry cosine = curve f64.cos 41

-- > :plot2d sine

-- > :plot2d {sin = sine, cos = cosine};
-- size: (400,250)

entry powers (n: i64) : ([]i64, []i64) =
  (map (2 **) (iota n), map (\i -> 3 * 2 ** (2 * i)) (iota n))

-- > :brief :plot2d powers 12;
-- xscale: log
-- yscale: log
-- mark: both
-- title: Squares
-- xlabel: n
-- ylabel: steps
