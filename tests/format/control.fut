def one_line c = if c then 1 else 2
def two_lines c = if c then 1
 else 2
def chain x =
  if x == 0 then 'a' else if x == 1 then 'b'
  else if x == 2 then
    let y = x
    in f y
  else
    'd'

def long_condition x y = if x > 100 && y > 100 && x + y < 1000 && x * y > 12345 && x != y then x else y

def nested a b = if a then if b then 1 else 2
  else 3

def cases x = match x case #a -> 1
  case #b y -> y
  case #c (y, _) ->
    let z = y
    in z

  -- The rest.
  case _ -> 0

def one_line_match x = match x case true -> 1 case false -> 0

def for_loop n = loop acc = 0 for i < n do acc + i
def body_below n = loop acc = 0 for i < n do
  acc + i
def for_below n =
  loop (acc, i) = (0, 1)
  for j < n
  do (acc + j, i)
def for_in xs =
  loop acc = 0 for (x, y) in zip xs xs do
     let z = x + y
     in acc + z
def while_loop =
  loop x = 1 while x < 1000 do x * 2
def implicit x = loop (x) for _i < 10 do x + 1
def init_below x =
  loop y =
    f x
  for i < 10 do
    y + i
