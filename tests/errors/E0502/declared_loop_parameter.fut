-- Its type is written without a star.
def main (xs: *[]i32) : []i32 =
  loop xs: []i32 for i < 10 do
    xs with [i] = 1
