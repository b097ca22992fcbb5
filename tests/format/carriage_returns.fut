def windows = 1


-- a comment  
def text = f
  1
