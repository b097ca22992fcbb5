-- Figure 7 of the paper: d is not a parameter of the function that map calls.
def main (n: i64) : [][]i64 =
  let d = iota 10
  in map (\i -> d with [i] = 2) (iota n)
