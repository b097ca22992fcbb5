def some_rows [n] (xss: [n][?]i64) (a: i64) (b: i64) : [][?]i64 = xss[a:b]

def of_one_row [n] (xss: [n][?]i64) (i: i64) : []i64 = xss[i, 1:]

def column [n] (xss: [n][?]i64) (j: i64) : [n]i64 = xss[:, j]

def fixed_part [n] (xss: [n][?]i64) : [n][2]i64 = xss[:, 0:2]

def rest [n] (xss: [n][?]i64) : [n][?]i64 = xss[:, 1:]

def backwards [n] (xss: [n][?]i64) : [n][?]i64 = xss[:, ::-1]

def every_other [n] (xss: [n][?]i64) : [n][?]i64 = xss[:, ::2]

def inner [n] (xsss: [n][?][?]i64) (i: i64) (j: i64) : []i64 = xsss[i, :, j]
