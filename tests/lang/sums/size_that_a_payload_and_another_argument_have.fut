-- A payload that is not there has no size: the size is that of the other argument, whichever comes first.
-- ==
-- entry: after before in_a_pair in_a_lambda returned
-- input { 5i64 } output { 15i64 }
-- input { 0i64 } output { 0i64 }
type~ opt [n] = #none | #some ([n]i64)

def both [n] (x: opt [n]) (ys: [n]i64) : i64 =
  match x
  case #none -> n + i64.sum ys
  case #some xs -> i64.sum xs

def other [n] (ys: [n]i64) (x: opt [n]) : i64 = both x ys

def pair [n] (x: opt [n], ys: [n]i64) : i64 = both x ys

def none (k: i64) : opt [k] = #none

entry after (k: i64) : i64 = both #none (iota k)

entry before (k: i64) : i64 = other (iota k) #none

entry in_a_pair (k: i64) : i64 = pair (#none, iota k)

entry in_a_lambda (k: i64) : i64 =
  let f [n] (x: opt [n]) (ys: [n]i64) = both x ys + 0 * n
  in f #none (iota k)

entry returned (k: i64) : i64 = both (none k) (iota k)
