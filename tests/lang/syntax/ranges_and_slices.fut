def to (n: i64) = (0...n, 0..<n, n..>0, 0..2..<n, 10..8...n)

def slices [n] (xs: [n]i32) = (xs[1:], xs[:3], xs[::2], xs[1:n:2], xs[::-1])

def element (xss: [4][5]i32) = (xss[1], xss[1, 2], xss[1:3, 2], xss[1][2])
