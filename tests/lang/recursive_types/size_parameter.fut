type rec t [n] = #leaf ([n]f32) | #node (t [n]) (t [n])

def sum [n] (x: t [n]) : [n]f32 =
  match x
  case #leaf v -> v
  case #node a b -> map2 (+) (sum a) (sum b)

def total [n] (x: t [n]) : f32 = f32.sum (sum x)

def totals [k] (ts: [k](t [?])) : [k]f32 = map total ts

def first [k] (ts: [k](t [?])) : f32 = total ts[0]
