entry main (x: i32) : i32 = begin x + 1 end
