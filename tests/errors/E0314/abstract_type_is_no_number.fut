module counter: {type t val zero: t} = {
  type t = i32
  def zero = 0i32
}

def one = counter.zero + 1i32
