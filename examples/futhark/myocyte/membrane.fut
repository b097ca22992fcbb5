-- | The membrane of a heart muscle cell, its store of calcium and what binds ions, after Shannon, Wang, Puglisi, Weber and
-- Bers (2004).

import "cell"

-- | `x / (1 - exp (-x))`, also at 0.
def rise (x: f32) : f32 =
  if f32.abs x < 0.01 then 1 + x / 2 + x * x / 12 else x / (1 - f32.exp (-x))

-- | Goes from 0 to 1 around a voltage.
def onset (middle: f32) (width: f32) (v: f32) : f32 =
  1 / (1 + f32.exp ((middle - v) / width))

def approach (goal: f32) (time: f32) (now: f32) : f32 = (goal - now) / time

def equilibrium (charge: f32) (outside: f32) (inside: f32) : f32 =
  thermal / charge * f32.log (outside / inside)

-- | The current of an open channel (Goldman, Hodgkin and Katz).
def through_channel (charge: f32)
                    (permeability: f32)
                    (activity: f32)
                    (outside: f32)
                    (inside: f32)
                    (v: f32) : f32 =
  let u = charge * v / thermal
  in charge
     * permeability
     * faraday
     * activity
     * (inside * rise u - outside * rise (-u))

-- | How fast the three gates of the sodium channel open and close.
def sodium_gates (v: f32) (m: f32) (h: f32) (j: f32) : (f32, f32, f32) =
  let move opening closing gate = opening * (1 - gate) - closing * gate
  let late = v >= -40
  let m' = move (3.2 * rise (0.1 * (v + 47.13))) (0.08 * f32.exp (-v / 11)) m
  let h' =
    if late
    then move 0 (onset (-10.66) 11.1 v / 0.13) h
    else move (0.135 * f32.exp (-(80 + v) / 6.8))
              (3.56 * f32.exp (0.079 * v) + 3.1e5 * f32.exp (0.35 * v))
              h
  let j' =
    if late
    then move 0 (0.3 * f32.exp (-2.535e-7 * v) * onset (-32) 10 v) j
    else move (-(1.2714e5 * f32.exp (0.2444 * v)
                 + 3.474e-5 * f32.exp (-0.04391 * v))
               * (v + 37.78)
               / (1 + f32.exp (0.311 * (v + 79.23))))
              (0.1212
               * f32.exp (-0.01052 * v)
               / (1 + f32.exp (-0.1378 * (v + 40.14))))
              j
  in (m', h', j')

-- | What passes the membrane in one of the two places beside it.
type currents =
  { sodium: f32
  , potassium: f32
  , chloride: f32
  , ca_channel: f32
  , ca_pump: f32
  , ca_leak: f32
  , exchanger: f32
  }

-- | Sodium and calcium of the place, what part of the membrane it is, and how far the calcium channels there are open.
def currents_at (part: f32)
                (na: f32)
                (ca: f32)
                (v: f32)
                (na_open: f32)
                (ks_open: f32)
                (ca_open: f32)
                (na_in: f32) : currents =
  let e_na = equilibrium 1 na_out na
  let e_ks =
    equilibrium 1 (k_out + 0.01833 * na_out) (k_in + 0.01833 * na_in)
  let e_cl = equilibrium 1 15 150
  -- The pump that moves sodium out and potassium in.
  let sigma = (f32.exp (na_out / 67.3) - 1) / 7
  let by_voltage =
    1
    / (1
       + 0.1245 * f32.exp (-0.1 * v / thermal)
       + 0.0365 * sigma * f32.exp (-v / thermal))
  let pump =
    1.90719 * by_voltage * k_out / (1 + (11 / na) ** 4) / (k_out + 1.5)
  -- The exchanger of three sodium ions for one of calcium.
  let cube (x: f32) = x * x * x
  let inwards = f32.exp (0.35 * v / thermal) * cube na * ca_out
  let back = f32.exp (-0.65 * v / thermal)
  let outwards = back * cube na_out * ca
  let occupied =
    3.59e-3 * cube na_out * (1 + cube (na / 12.29))
    + cube 87.5 * ca * (1 + ca / 3.59e-3)
    + 1.3 * cube na
    + cube na * ca_out
    + cube na_out * ca
  let exchanger =
    9
    * (inwards - outwards)
    / (1 + cube (0.256e-3 / ca))
    / (occupied * (1 + 0.27 * back))
  -- The slow potassium channel needs calcium.
  let ks =
    0.07
    * (0.057 + 0.19 * onset (-7.2) 0.6 (f32.log10 ca - 3))
    * ks_open
    * (v - e_ks)
  let to_the (x: f32) = x ** 1.6
  in { sodium =
         part
         * ((16 * na_open + 0.297e-3) * (v - e_na) + 3 * pump + 3 * exchanger)
         + ca_open * through_channel 1 1.5e-8 0.75 na_out na v
     , potassium =
         part * (ks - 2 * pump)
         + ca_open * through_channel 1 2.7e-7 0.75 k_out k_in v
     , chloride = part * 0.109625 / (1 + 0.1 / ca) * (v - e_cl)
     , ca_channel = ca_open * through_channel 2 5.4e-4 0.341 ca_out ca v
     , ca_pump = part * 0.0673 * to_the ca / (to_the 0.5e-3 + to_the ca)
     , ca_leak = part * 2.513e-4 * (v - equilibrium 2 ca_out ca)
     , exchanger = part * exchanger
     }

def calcium (i: currents) : f32 =
  i.ca_channel + i.ca_pump + i.ca_leak - 2 * i.exchanger

-- | A stimulus of five milliseconds, twice a second.
def stimulus (time: f32) : f32 = if time % 500 < 5 then 9.5 else 0

-- | The rates of change of membrane, store and buffers.
def membrane (time: f32) (y: [42]f32) : *[42]f32 =
  let (m, h, j) = (y[0], y[1], y[2])
  let (d, f, closed_cleft, closed_rest) = (y[3], y[4], y[5], y[6])
  let (xtos, ytos, rtos, xtof, ytof) = (y[7], y[8], y[9], y[10], y[11])
  let (xkr, xks) = (y[12], y[13])
  let (resting, channels_open, inactivated) = (y[14], y[15], y[16])
  let (na_bound_cleft, na_bound_rest) = (y[17], y[18])
  let (troponin, troponin_ca, troponin_mg) = (y[19], y[20], y[21])
  let (myosin_ca, myosin_mg, at_store) = (y[22], y[23], y[24])
  let (low_cleft, low_rest, high_cleft, high_rest) =
    (y[25], y[26], y[27], y[28])
  let (in_store, ca_store) = (y[29], y[30])
  let (na_cleft, na_rest, na_in) = (y[31], y[32], y[33])
  let (ca_cleft, ca_rest, ca_in, v) = (y[34], y[35], y[36], y[37])
  -- Currents.
  let at part na ca ca_open =
    currents_at part na ca v (m * m * m * h * j) (xks * xks) ca_open na_in
  let ca_open part closed = part * 0.45 * d * f * (1 - closed)
  let cleft' = at 0.11 na_cleft ca_cleft (ca_open 0.9 closed_cleft)
  let rest' = at 0.89 na_rest ca_rest (ca_open 0.1 closed_rest)
  let e_k = equilibrium 1 k_out k_in
  let inward =
    let opening = 1.02 / (1 + f32.exp (0.2385 * (v - e_k - 59.215)))
    let closing =
      (0.49124 * f32.exp (0.08032 * (v - e_k + 5.476))
       + f32.exp (0.06175 * (v - e_k - 594.31)))
      / (1 + f32.exp (-0.5143 * (v - e_k + 4.753)))
    in 0.9 * opening / (opening + closing)
  let potassium =
    (v - e_k)
    * (0.03 * xkr * (1 - onset (-33) 22.4 v)
       + 0.001 * onset (7.488 * 5.98) 5.98 v
       + 0.06 * xtos * (ytos + 0.5 * rtos)
       + 0.02 * xtof * ytof
       + inward)
  let chloride = 9e-3 * (v - equilibrium 1 15 150)
  let total (i: currents) = i.sodium + i.potassium + i.chloride + calcium i
  -- Gates.
  let (m', h', j') = sodium_gates v m h j
  let d_goal = onset (-14.5) 6 v
  let f_goal = 1 - onset (-35.06) 3.6 v + 0.6 * onset 50 20 v
  let bell = (0.0337 * (v + 14.5)) ** 2
  let x_goal = onset (-3) 15 v
  let y_goal = 1 - onset (-33.5) 10 v
  let slow = 1 - onset (-60) 10 v
  let kr_rate =
    1.38e-3 / 0.123 * rise (0.123 * (v + 7))
    + 6.1e-4 / 0.145 * rise (-0.145 * (v + 10))
  let ks_rate =
    7.19e-5 / 0.148 * rise (0.148 * (v + 30))
    + 1.31e-4 / 0.0687 * rise (-0.0687 * (v + 30))
  let close ca closed = 1.7 * ca * (1 - closed) - 11.9e-3 * closed
  -- The channels of the store open and become inactive with the calcium in the cleft, the more so the fuller the store is.
  let full = 15 - 14 / (1 + (0.45 / ca_store) ** 2.5)
  let opens = 10 / full * ca_cleft * ca_cleft
  let inactivates = 0.5 * full * ca_cleft
  let shut = 1 - resting - channels_open - inactivated
  let opening = opens * resting - 0.06 * channels_open
  let inactivation = inactivates * channels_open - 0.005 * inactivated
  let shutting = 0.06 * inactivated - opens * shut
  let recovery = 0.005 * shut - inactivates * resting
  let release = 25 * channels_open * (ca_store - ca_cleft)
  let leak = 5.348e-6 * (ca_store - ca_cleft)
  let uptake =
    let forward = (ca_in / 0.246e-3) ** 1.787
    let backward = (ca_store / 1.7) ** 1.787
    in 2.86e-4 * (forward - backward) / (1 + forward + backward)
  -- Buffers.
  let na_bound_cleft' =
    bind na_cleft (7.561 - na_bound_cleft) na_bound_cleft 1e-4 1e-3
  let na_bound_rest' =
    bind na_rest (1.65 - na_bound_rest) na_bound_rest 1e-4 1e-3
  let troponin' = bind ca_in (0.07 - troponin) troponin 32.7 19.6e-3
  let troponin_free = 0.14 - troponin_ca - troponin_mg
  let troponin_ca' = bind ca_in troponin_free troponin_ca 2.37 0.032e-3
  let troponin_mg' = bind magnesium troponin_free troponin_mg 3e-3 3.33e-3
  let myosin_free = 0.14 - myosin_ca - myosin_mg
  let myosin_ca' = bind ca_in myosin_free myosin_ca 13.8 0.46e-3
  let myosin_mg' = bind magnesium myosin_free myosin_mg 0.0157 0.057e-3
  let at_store' = bind ca_in (0.0171 - at_store) at_store 100 0.06
  let at_membrane amount place ca bound off =
    bind ca (amount * cytosol / place - bound) bound 100 off
  let low_cleft' = at_membrane 4.62e-4 cleft ca_cleft low_cleft 1.3
  let low_rest' = at_membrane 37.38e-3 under_membrane ca_rest low_rest 1.3
  let high_cleft' = at_membrane 1.65e-4 cleft ca_cleft high_cleft 0.03
  let high_rest' = at_membrane 13.35e-3 under_membrane ca_rest high_rest 0.03
  let in_store' =
    bind ca_store (0.14 * cytosol / store - in_store) in_store 100 65
  -- Ions.
  let into place charge current =
    -current * capacity / (place * charge * faraday)
  let passed way =
    1000 * into cytosol 2 (way cleft' + way rest')
  in [ m'
     , h'
     , j'
     , approach d_goal (d_goal / (0.21 * rise ((v + 14.5) / 6))) d
     , approach f_goal (1 / (0.0197 * f32.exp (-bell) + 0.02)) f
     , close ca_cleft closed_cleft
     , close ca_rest closed_rest
     , approach x_goal (9 * (1 - x_goal) + 0.5) xtos
     , approach y_goal (3000 * slow + 30) ytos
     , approach y_goal (2800 * slow + 220) rtos
     , approach x_goal (3.5 * f32.exp (-((v / 30) ** 2)) + 1.5) xtof
     , approach y_goal (20 * y_goal + 20) ytof
     , approach (onset (-50) 7.5 v) (1 / kr_rate) xkr
     , approach (onset 1.5 16.7 v) (1 / ks_rate) xks
     , recovery - opening
     , opening - inactivation
     , inactivation - shutting
     , na_bound_cleft'
     , na_bound_rest'
     , troponin'
     , troponin_ca'
     , troponin_mg'
     , myosin_ca'
     , myosin_mg'
     , at_store'
     , low_cleft'
     , low_rest'
     , high_cleft'
     , high_rest'
     , in_store'
     , (uptake - leak) * cytosol / store - release - in_store'
     , into cleft 1 cleft'.sodium
       + na_from_cleft / cleft * (na_rest - na_cleft)
       - na_bound_cleft'
     , into under_membrane 1 rest'.sodium
       + na_from_cleft / under_membrane * (na_cleft - na_rest)
       + na_to_cytosol / under_membrane * (na_in - na_rest)
       - na_bound_rest'
     , na_to_cytosol / cytosol * (na_rest - na_in)
     , into cleft 2 (calcium cleft')
       + ca_from_cleft / cleft * (ca_rest - ca_cleft)
       + (release * store + leak * cytosol) / cleft
       - low_cleft'
       - high_cleft'
     , into under_membrane 2 (calcium rest')
       + ca_from_cleft / under_membrane * (ca_cleft - ca_rest)
       + ca_to_cytosol / under_membrane * (ca_in - ca_rest)
       - low_rest'
       - high_rest'
     , ca_to_cytosol / cytosol * (ca_rest - ca_in)
       - uptake
       - (troponin' + troponin_ca' + myosin_ca' + at_store')
     , stimulus time - total cleft' - total rest' - potassium - chloride
     , passed (.ca_channel)
     , passed (.ca_pump)
     , passed (.ca_leak)
     , passed (\i -> -2 * i.exchanger)
     ]
