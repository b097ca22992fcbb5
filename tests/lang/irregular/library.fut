def round_trip [n] (xss: [n][?]i32) : [n][?]i32 =
  segment (lengths xss) (irregular.flatten xss)

def threes [n] (xss: [n][?]i32) : [n][3]i32 = irregular.regular 3 xss

def longer [n] (xss: [n][3]i32) : [n][?]i32 =
  irregular.append (irregular.from_regular xss)
                   (map (\xs -> filter (> 0) xs) xss)
