-- ==
-- input { 9f64 } output { 3f64 }

def main (x: f64) : f64 =
  let r = f64.(sqrt x)
  in r
