-- twice would consume its argument two times.
def twice 'a 'b (f: a -> b) (x: a) : (b, b) = (f x, f x)

def total (xs: *[]i32) : i32 = reduce (+) 0 xs

def main (xs: *[]i32) : (i32, i32) = twice total xs
