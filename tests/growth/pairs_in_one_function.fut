-- The same in one function, where types are inferred.
-- growth: 8 16 32
-- refused from 16: E0802
entry main (x: i64) : i64 =
  let y0 = x
-- repeat
  let y{i} = (y{i-1}, y{i-1})
-- end
  let _z = y{n}
  in x
