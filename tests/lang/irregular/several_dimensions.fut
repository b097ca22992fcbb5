def points (xsss: [][?][3]f32) : []i64 = map length xsss

def deep [n] (xsss: [n][?][?]i32) : [n][?]i64 = map (map length) xsss

def pairs [n] (xss: [n][?](i32, bool)) : [n][?]i32 = map (map (.0)) xss
