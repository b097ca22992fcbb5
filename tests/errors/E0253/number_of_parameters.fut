module m: {type pair 'a} = {
  type pair 'a 'b = (a, b)
}
