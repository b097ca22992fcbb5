#[inline] def f x = x
#[noinline]
def g x = #[unsafe] x[0]
#[a] #[b(c, 1, d(e))]
entry h xs =
  #[sequential]
  map f xs
def i = #[unroll] loop x = 0 for i < 3 do
  x + i
def j =
  #[unsafe]
  let x = 1
  in x
def k = f (#[trace(tag)] x)
