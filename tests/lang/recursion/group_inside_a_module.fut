-- ==
-- input { 0i64 } output { false }
-- input { 1i64 } output { true }
-- input { 10i64 } output { false }
-- input { 101i64 } output { true }

module parity = {
  def even (n: i64) : bool = n == 0 || odd (n - 1)
  with def odd (n: i64) : bool = n != 0 && even (n - 1)
}

def main (n: i64) : bool = parity.odd n
