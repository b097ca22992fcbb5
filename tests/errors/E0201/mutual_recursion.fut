def even (x: i64): bool = if x == 0 then true else odd (x - 1)
def odd (x: i64): bool = if x == 0 then false else even (x - 1)
