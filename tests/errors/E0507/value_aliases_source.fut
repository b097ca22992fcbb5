-- Where the update starts, its value would change.
def main [n] (xss: *[n][n]i32) : [n][n]i32 = xss with [0] = xss[1]
