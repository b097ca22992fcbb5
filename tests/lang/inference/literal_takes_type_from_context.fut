-- ==
-- input { 2f32 3i8 } output { 3f32 4i8 }

def main (x: f32) (y: i8) : (f32, i8) = (x + 1, y + 1)
