type operation = {priority: i64, run: i64 -> i64}
