-- arr[i + 1] is a part of arr, which the next iteration consumes.
def main (n: i64) : []f64 =
  let (acc, _) =
    loop (acc, arr) = (replicate n 0.0, replicate n (replicate n 0.0)) for i < n - 1 do
      let arr[i] = copy acc
      in (arr[i + 1], arr)
  in acc
