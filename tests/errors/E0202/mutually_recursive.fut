type exp = #number i64 | #block [3]statement
type statement = #print exp | #skip
