-- The steps of an automaton are rows that map states to states. A scan composes them, in registers: it is one launch, though the index of an element is not known.
-- ==
-- entry: states
-- input { "a\"b\\\"c\"d" } output { [0u8, 1u8, 1u8, 2u8, 1u8, 1u8, 0u8, 0u8] }
-- structure run { launches 1 waits 1 sent 0 received 0 }
-- input { "" } output { empty([0]u8) }

-- ==
-- entry: quoted
-- script input { text 1000i64 } auto output

entry text (n: i64) : [n]u8 = tabulate n (\i -> ("ab\"\\c")[i * i % 13 % 5])

-- States: 0 outside of a string, 1 in one, 2 after a backslash there.
def step (c: u8) : [3]u8 =
  if c == '"' then [1, 0, 1] else if c == '\\' then [0, 2, 1] else [0, 1, 1]

def after (a: [3]u8) (b: [3]u8) : [3]u8 = map (\s -> b[i64.u8 s]) a

entry states [n] (s: [n]u8) : [n]u8 =
  map (.[0]) (scan after [0, 1, 2] (map step s))

entry quoted [n] (s: [n]u8) : i64 =
  i64.sum (map (\q -> i64.bool (q != 0)) (states s))
