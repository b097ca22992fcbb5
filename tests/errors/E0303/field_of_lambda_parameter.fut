def f = map (\x -> x.size)
