-- | The program.

-- | A function.
-- With two lines.
def f (x: i32) -- the first
      (y: i32) -- the second
      : i32 = -- the result
  -- before everything
  let a = x -- after a
  -- before b
  let b = -- after the sign
    y
  let g -- after the name
    z = z
  in -- after in
     a
     -- before the operator
     + b -- at the end
-- Between declarations.

def branches c =
  if c -- the condition
  then -- yes
    1
  -- before else
  else 2 -- no

def cases x =
  match x -- what
  -- the first case
  case 1 -> 2
  case _ -> -- anything
    -- the second
    3

def loops n =
  loop x = 0 -- start
  -- how often
  for i < n do -- body
    -- inside
    x + i

def arguments =
  f x -- first
    -- before the second
    y
    (\z -> -- function
      z)

def parens = ( -- opening
  x
  -- closing
)

def pipeline =
  xs -- start
  |> map f -- map
  -- then
  |> filter g

type sum =
  -- zero
  #a -- one
  -- two
  | #b i32

def two_on_one_line = x -- one
  -- and more
  + -- two
  y -- three

module m = { -- opening
  -- the only one
  def x = 1 -- one
  -- closing
}

module nothing = {
  -- nothing
}
-- The end.
