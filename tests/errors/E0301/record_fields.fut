def origin: {x: f64, y: f64} = {x = 0, z = 0}
