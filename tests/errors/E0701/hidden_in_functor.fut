module wrap (m: {val x: i32}) = {
  entry start = m.x
}
