def main (xs: []i32) : []i32 = loop (xs: *[]i32) for _i < 10 do xs
