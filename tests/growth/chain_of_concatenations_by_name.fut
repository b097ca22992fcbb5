-- As a chain of `++`, with a name for each step.
-- growth: 8 16 32
entry main (n: i64) : i64 =
  let xs0 = iota n
-- repeat
  let xs{i} = xs{i-1} ++ map (+ {i}) (iota {i})
-- end
  in length xs{n}
