-- | Of a definition.
--   Indented.
def a = 1

module m = { -- | Of a definition in a module.
  def b = 2
  -- | Of another,
     -- badly indented.
  local def c = 3
}

module type t = {
  -- | Of a specification.
  val x : i32

  -- | Of a type.
  type t
}

local
-- | After a keyword.
def d = 4
