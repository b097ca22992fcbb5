type body = {position: {x: f64, y: f64}, mass: f64}

def lift (b: body) = b with position.z = 1.0
