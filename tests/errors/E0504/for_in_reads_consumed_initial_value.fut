-- The loop reads the array while it updates it.
def main (xs: *[]i32) : *[]i32 =
  loop ys = xs for x in xs do
    ys with [0] = x
