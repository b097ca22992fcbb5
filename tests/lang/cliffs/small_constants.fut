-- A small constant that is computed from numbers in the program is as good as a literal: as the neutral element of a scan, as weights, and as a size.

-- Steps of an automaton are composed: three states, and what a character makes of each.
-- ==
-- entry: states states_by_constant states_by_module
-- input { [1u8, 0u8, 2u8, 5u8, 1u8] } output { [1u8, 1u8, 0u8, 2u8, 0u8] } structure run { launches 1 waits 1 sent 0 received 0 }
-- input { empty([0]u8) } output { empty([0]u8) }
def step (c: u8) (s: i64) : u8 =
  if c == 0 then u8.i64 s else u8.i64 ((s + i64.u8 c) % 3)

entry states [n] (cs: [n]u8) : [n]u8 =
  let compose (f: [3]u8) (g: [3]u8) : [3]u8 = map (\s -> g[i64.u8 s]) f
  in map (.[0]) (scan compose [0, 1, 2] (map (\c -> tabulate 3 (step c)) cs))

def count = 3i64
def unchanged = tabulate count u8.i64

entry states_by_constant [n] (cs: [n]u8) : [n]u8 =
  let compose (f: [count]u8) (g: [count]u8) : [count]u8 =
    map (\s -> g[i64.u8 s]) f
  in map (.[0])
         (scan compose unchanged (map (\c -> tabulate count (step c)) cs))

module automaton (M: {val count : i64 val step : u8 -> i64 -> u8}) = {
  type steps = [M.count]u8
  def compose (f: steps) (g: steps) : steps = map (\s -> g[i64.u8 s]) f
  def unchanged : steps = tabulate M.count u8.i64
  def run [n] (cs: [n]u8) : [n]u8 =
    map (\f -> f[0])
        (scan compose unchanged (map (\c -> tabulate M.count (M.step c)) cs))
}

module by_module = automaton {
  def count = 3i64
  def step = step
}

entry states_by_module [n] (cs: [n]u8) : [n]u8 = by_module.run cs
