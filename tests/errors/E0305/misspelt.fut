def area (r: {width: f64, height: f64}) = r.width * r.hieght
