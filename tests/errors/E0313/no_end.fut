type rec t = #a t | #b t t
