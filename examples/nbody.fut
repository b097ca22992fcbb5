-- Bodies that attract one another, moved forward in small steps of time.
-- ==
-- entry: energy_drift
-- input { 3i64 10i64 0.001 } output { 0.0 }

-- | A vector in space, and what can be done with it.
module vector = {
  type t = {x: f64, y: f64, z: f64}

  def zero : t = {x = 0, y = 0, z = 0}

  def add (a: t) (b: t) : t = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}

  def scale (k: f64) (a: t) : t = {x = k * a.x, y = k * a.y, z = k * a.z}

  def sub (a: t) (b: t) : t = add a (scale (-1) b)

  def dot (a: t) (b: t) : f64 = a.x * b.x + a.y * b.y + a.z * b.z

  def sum [n] (vs: [n]t) : t = reduce_comm add zero vs
}

type body = {position: vector.t, velocity: vector.t, mass: f64}

-- Keeps the force finite where two bodies meet, and that of a body on itself zero.
def softening : f64 = 1e-9

def acceleration (on: body) (by: body) : vector.t =
  let way = by.position `vector.sub` on.position
  let square = vector.dot way way + softening
  in vector.scale (by.mass / (square * f64.sqrt square)) way

def accelerations [n] (bodies: [n]body) : [n]vector.t =
  map (\on -> vector.sum (map (acceleration on) bodies)) bodies

-- | One step of the leapfrog method.
def step [n] (dt: f64) (bodies: [n]body) : [n]body =
  let kick (now: [n]body) : [n]body =
    map2 (\b a ->
            b with velocity = vector.add b.velocity (vector.scale (dt / 2) a))
         now
         (accelerations now)
  let drift (b: body) : body =
    b with position = vector.add b.position (vector.scale dt b.velocity)
  in kick (map drift (kick bodies))

def energy [n] (bodies: [n]body) : f64 =
  let kinetic (b: body) = b.mass * vector.dot b.velocity b.velocity / 2
  let potential (i: i64) (j: i64) =
    if i >= j
    then 0
    else let way = bodies[i].position `vector.sub` bodies[j].position
         in -bodies[i].mass
            * bodies[j].mass
            / f64.sqrt (vector.dot way way + softening)
  in f64.sum (map kinetic bodies)
     + f64.sum (flatten (tabulate_2d n n potential))

def circle (n: i64) : [n]body =
  tabulate n (\i ->
                let angle = 2 * f64.pi * f64.i64 i / f64.i64 n
                in { position = {x = f64.cos angle, y = f64.sin angle, z = 0}
                   , velocity = {x = -f64.sin angle, y = f64.cos angle, z = 0.1}
                   , mass = 1 / f64.i64 n
                   })

-- | How much the total energy of `n` bodies changes in so many steps, in relation to what it was.
entry energy_drift (n: i64) (steps: i64) (dt: f64) : f64 =
  let before = circle n
  let after = loop bodies = before for _i < steps do step dt bodies
  in f64.abs ((energy after - energy before) / energy before)
