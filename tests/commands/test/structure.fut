-- ==
-- input { [1, 2] } output { [2, 3] }
-- structure { Map 2 }
-- structure { Screma 1 }
-- structure nowhere { map 1 }
-- structure gpu { SegMap 1 }
def main (xs: []i32) = map (+ 1) xs
