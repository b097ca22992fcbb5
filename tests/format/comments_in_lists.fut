def trailing_commas = [
  -- the first
  alpha, -- alpha
  -- before beta
  beta, -- beta
  gamma, -- gamma
  -- the end
]
def leading_commas =
  { a = 1 -- one
  -- before b
  , b = 2
  , -- before c
    c = 3
  }
def numbers = [1, -- one
  2, 3, -- two, three
  -- four
  4]
def tuple = (x -- first
  , y)
def nothing = [
  -- nothing
]
type record = { -- fields
  x: i32, -- horizontal

  -- and
  y: i32 -- vertical
}
def f (-- unused
  _: i32, y: i32 -- used
  ) = y
def index = a[i, -- row
  j]
