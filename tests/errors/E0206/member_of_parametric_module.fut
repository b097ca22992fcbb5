module double (m: {val x: i32}) = {
  def y = 2 * m.x
}

def z = double.y
