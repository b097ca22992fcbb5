def rows : [3][?]i32 = [[1], [2, 3], []]

def second : []i32 = rows[1]
