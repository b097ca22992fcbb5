

-- First.



def a = 1
def b = 2



def c =

  let x = 1


  let y = 2
  -- Directly before.
  let z = 3


  -- After an empty line.

  let w = 4

  in x


module m = {

  def d = 1


  def e = 2

}
