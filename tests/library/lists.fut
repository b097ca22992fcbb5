-- Values of recursive types that go from one entry point to another, and functions in them.
type rec list = #nil | #cons i64 list

-- | The numbers below n.
entry build (n: i64) : list = loop l = #nil for i < n do #cons (n - 1 - i) l

entry total (l: list) : i64 =
  (loop (l, s) = (l, 0i64)
   while (match l case #nil -> false case #cons _ _ -> true) do
     match l
     case #nil -> (l, s)
     case #cons x rest -> (rest, s + x)).1

entry rest (l: list) : list =
  match l case #nil -> #nil case #cons _ rest -> rest
entry push (x: i64) (l: list) : list = #cons x l

def is_empty (l: list) : bool =
  match l case #nil -> true case #cons _ _ -> false

def reversed (l: list) (onto: list) : list =
  (loop (l, r) = (l, onto)
   while !(is_empty l) do
     match l
     case #nil -> (l, r)
     case #cons x rest -> (rest, #cons x r)).1

entry append (a: list) (b: list) : list = reversed (reversed a #nil) b
entry longer (a: list) (b: list) : list = if total a < total b then b else a

-- Cells that are of no use after the call.
entry scratch (l: list) : i64 = total (longer (reversed l l) l)

entry many (n: i64) : [n]list =
  map (\i -> loop l = #nil for j < i do #cons j l) (iota n)
entry totals [n] (ls: [n]list) : [n]i64 = map total ls
entry pushed [n] (x: i64) (ls: [n]list) : [n]list = map (push x) ls
entry with_first [n] (ls: *[n]list) (l: list) : *[n]list = ls with [0] = l
entry counted (l: list) (k: i32) : (list, i32) = (l, k + 1)

-- | Fails where it finds a number that is negative, after it has made some cells.
entry checked (l: list) : list =
  (loop (l, r) = (l, #nil : list)
   while !(is_empty l) do
     match l
     case #nil -> (l, r)
     case #cons x rest -> (rest, #cons (assert (x >= 0) x) r)).1

type rec rose = #leaf f64 ([]u8) | #rose i32 ([]rose) ([][]f32)

entry roses (n: i64) : rose =
  loop r = #leaf 3 [1, 2, 3] for i < n do
    #rose (i32.i64 i)
          (replicate (i + 2) r)
          (map (\j -> map f32.i64 (iota (i + j))) (iota 1))

entry leaves (r: rose) : i64 =
  match r case #leaf _ _ -> 1 case #rose _ rs _ -> i64.sum (map leaves rs)
entry bytes (r: rose) : []u8 =
  match r case #leaf _ bs -> bs case #rose _ _ _ -> []
entry children (r: rose) : []rose =
  match r case #leaf _ _ -> [] case #rose _ rs _ -> rs
entry weight (r: rose) : f32 =
  match r case #leaf _ _ -> 0 case #rose _ _ xss -> f32.sum (map f32.sum xss)

-- Functions are part of values of recursive types alone.
type rec steps = #done | #step (i64 -> i64) steps

entry no_steps : steps = #done
entry add_step (k: i64) (rest: steps) : steps = #step (\x -> x + k) rest
entry scale_step [n] (ks: [n]i64) (rest: steps) : steps =
  #step (\x -> x * i64.sum ks) rest
entry run (steps: steps) (x: i64) : i64 =
  match steps case #done -> x case #step f rest -> run rest (f x)
