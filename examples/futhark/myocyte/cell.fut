-- | The size of a heart muscle cell, its surroundings, and what the parts of its model share.
--
-- Time is in milliseconds, voltage in millivolts, currents are in μA/μF, concentrations in mmol/l and volumes in litres.

def faraday : f32 = 96485

-- | RT/F at 37 degrees Celsius.
def thermal : f32 = 8314 * 310 / 96485

-- | In farad.
def capacity : f32 = 1.381e-10

def volume : f32 = f32.pi * 10.25 * 10.25 * 100 * 1e-15

def cytosol : f32 = 0.65 * volume

def store : f32 = 0.035 * volume

def under_membrane : f32 = 0.02 * volume

def cleft : f32 = 0.000539 * volume

-- | How fast calcium and sodium get from the cleft to the space under the membrane, and on into the cytosol, in l/ms.
def ca_from_cleft : f32 = 8.2413e-13

def ca_to_cytosol : f32 = 3.7243e-12

def na_from_cleft : f32 = 1.8313e-14

def na_to_cytosol : f32 = 1.6386e-12

-- | Concentrations outside and those inside that do not change.
def na_out : f32 = 140

def k_out : f32 = 5.4

def ca_out : f32 = 1.8

def k_in : f32 = 135

def magnesium : f32 = 1

-- | How fast something binds to what is free, less how fast it parts from what is bound.
def bind (amount: f32) (free: f32) (bound: f32) (on: f32) (off: f32) : f32 =
  on * amount * free - off * bound
