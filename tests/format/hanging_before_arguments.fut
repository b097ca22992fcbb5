def steps errors last xs rate momentum = map2 (\error -> map2 (\x move -> rate * error * x + momentum * move) xs) errors last
def medians sizes xs = map (\group -> let sorted = quicksort group in sorted[length sorted / 2]) (segment sizes xs)
