def (||) (a: bool) (b: bool) = a
