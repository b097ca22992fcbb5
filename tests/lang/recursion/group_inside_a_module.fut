module parity = {
  def even (n: i64) : bool = n == 0 || odd (n - 1)
  with def odd (n: i64) : bool = n != 0 && even (n - 1)
}

def main (n: i64) : bool = parity.odd n
