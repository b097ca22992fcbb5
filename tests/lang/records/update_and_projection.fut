type point = {x: f32, y: f32, at: {time: i64}}

def later (p: point) : point = p with at.time = p.at.time + 1

def make (x: f32) (y: f32) : point = {x, y, at = {time = 0}}

def swap (p: (i32, bool)) : (bool, i32) = (p.1, p.0)
