-- Many elements, of which many have the same key, stay in their order.
-- ==
-- entry: many
-- input { 20011i64 10i64 } output { true }
-- compiled input { 40009i64 70000i64 } output { true }
-- seldom input { 100003i64 70000i64 } output { true }
-- seldom input { 300007i64 1i64 } output { true }

-- ==
-- entry: many_by_f64 many_by_u8
-- compiled input { 40009i64 } output { true }
-- input { 5003i64 } output { true }
-- seldom input { 100003i64 } output { true }

def stable [n] 'k (less: k -> k -> bool) (pairs: [n](k, i64)) : bool =
  all (\i ->
    let ((k, x), (l, y)) = (pairs[i - 1], pairs[i])
    in less k l || (!(less l k) && x < y)) (1..<n)

def scrambled (i: i64) : i64 = i * 40503 % 65537

entry many (n: i64) (keys: i64) : bool =
  let pairs = tabulate n (\i -> (i32.i64 (scrambled i % keys) - 5, i))
  in stable (<) (sort_by_key (.0) pairs)

entry many_by_f64 (n: i64) : bool =
  let pairs = tabulate n (\i -> (f64.i64 (scrambled i % 1000) / 7 - 50, i))
  in stable (<) (sort_by_key (.0) pairs)

entry many_by_u8 (n: i64) : bool =
  let pairs = tabulate n (\i -> (u8.i64 (scrambled i), i))
  in stable (<) (sort_by_key (.0) pairs)
