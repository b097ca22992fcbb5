def both [n]: {rows: [0][n]bool, some: []i64} = {rows = [], some = filter (> 1) (iota 3)}
