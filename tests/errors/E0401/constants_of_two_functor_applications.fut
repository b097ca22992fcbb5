-- Each application of a parametric module has constants with sizes of their own.
module type bound = {val upto : i32}
module counts (B: bound) = {def all : []i32 = 1...B.upto}
module two = counts {def upto = 2i32}
module three = counts {def upto = 3i32}
def sums = map2 (+) two.all three.all
