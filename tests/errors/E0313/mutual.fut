type rec t = #a u
with type u = #b t
