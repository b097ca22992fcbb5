import "shapes"

module s = import "shapes"

def two : f32 = area 1 + s.area 1
