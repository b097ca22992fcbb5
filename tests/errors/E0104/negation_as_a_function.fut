entry main (xs: []bool) = map (!) xs
