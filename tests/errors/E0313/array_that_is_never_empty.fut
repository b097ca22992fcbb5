type rec t = #children ([2]t)
