-- Where a loop carries an array of sums, the payloads that are not there keep having no size.
-- ==
-- input { 2i64 } output { [2i64, 2i64] }
type^ number = #small i64 | #large ([3]bool)

def value (x: number) : i64 =
  match x
  case #small i -> i
  case #large bits -> i64.sum (map i64.bool bits)

entry main (n: i64) : [2]i64 =
  let numbers: [2]number =
    loop numbers = replicate 2 (#small n : number)
    for _i < 2i32 do
      reverse numbers
  in map value numbers
