-- | Random numbers. The first two entry points have the known answers that come with Random123; the others were computed
-- with an implementation in Python.
import "/norn/random"

-- ==
-- entry: philox_blocks
-- input { 0u32 0u32 0u64 0u64 }
-- output { 16242730742183356629u64 11169168799798111308u64 }
-- input { 4294967295u32 4294967295u32 18446744073709551615u64 18446744073709551615u64 }
-- output { 4740103540206151533u64 7878011797965096902u64 }
-- input { 2752067618u32 698298832u32 247824715720788526u64 9629550131187509896u64 }
-- output { 10735962399924092425u64 2599261574057288736u64 }
entry philox_blocks (k0: u32)
                    (k1: u32)
                    (stream: u64)
                    (position: u64) : (u64, u64) =
  philox.block (k0, k1) stream position

-- ==
-- entry: threefry_blocks
-- input { 0u64 0u64 0u64 0u64 }
-- output { 14030652003081164901u64 8034964082011408461u64 }
-- input { 18446744073709551615u64 18446744073709551615u64 18446744073709551615u64 18446744073709551615u64 }
-- output { 16153488019559360378u64 15016746978262092648u64 }
-- input { 11820040416388919760u64 589684135938649225u64 1376283091369227076u64 2611923443488327891u64 }
-- output { 2755214720294128369u64 6250577789015102758u64 }
entry threefry_blocks (k0: u64)
                      (k1: u64)
                      (stream: u64)
                      (position: u64) : (u64, u64) =
  threefry.block (k0, k1) stream position

-- | One generator, used for one draw after the other.
-- ==
-- entry: in_turn
-- input { 42i64 5i64 }
-- output { [8643895580192075859u64, 6287785766076502189u64, 6033254488940945703u64, 8380643633896839790u64, 12143778050234647077u64] }
entry in_turn (s: i64) (n: i64) : [n]u64 =
  let (xs, _) =
    loop (xs, r) = (replicate n 0, random.seed s) for i < n do
      let (r, x) = random.bits r
      in (xs with [i] = x, r)
  in xs

-- | A stream for each element.
-- ==
-- entry: streams
-- input { 42i64 3i64 4i64 }
-- output { [14537649149229552855u64, 4254648777146080458u64, 13956226599491514630u64, 8691401276786076015u64] }
entry streams (s: i64) (at: i64) (n: i64) : [n]u64 =
  map (\r -> (random.bits r).1)
      (random.split_rng n (random.skip at (random.seed s)))

-- ==
-- entry: uniforms
-- input { 42i64 0i64 }
-- output { empty([0]f64) empty([0]f64) }
-- input { 42i64 1i64 }
-- output { [0.5439761072710371] [0.5439761072710371] }
-- input { 42i64 5i64 }
-- output { [0.5439761072710371, 0.4674164606499761, 0.44343739537260307, 0.16011483505974689, 0.08793159607230816] [0.5439761072710371, 0.15626805621432216, 0.7389171631454058, 0.8781257952885175, 0.5769769435561583] }
entry uniforms (s: i64) (n: i64) : ([n]f64, [n]f64) =
  let r = random.seed s
  in ((random.uniform_array n r).1, (random.many n random.uniform r).1)

-- ==
-- entry: single
-- input { 42i64 3i64 }
-- output { [0.5439760684967041f32, 0.4674164056777954f32, 0.4434373378753662f32] }
entry single (s: i64) (n: i64) : [n]f32 =
  (random_f32.uniform_array n (random_f32.seed s)).1

-- ==
-- entry: normals
-- input { 42i64 1i64 }
-- output { [-1.2269932702906166] [-1.2269932702906166] }
-- input { 42i64 2i64 }
-- output { [-1.2269932702906166, 0.2547698248840107] [-1.2269932702906166, -0.5093465488984256] }
-- input { 42i64 5i64 }
-- output { [-1.2269932702906166, 0.2547698248840107, 0.5794087282523857, 0.914459819042986, 0.07960228107411461] [-1.2269932702906166, -0.5093465488984256, -1.288623359912188, -1.0571464292165331, 0.06955696415792036] }
entry normals (s: i64) (n: i64) : ([n]f64, [n]f64) =
  let r = random.seed s
  in ((random.normal_array n r).1, (random.many n random.normal r).1)

-- | Large bounds reject numbers, and draw others.
-- ==
-- entry: integers
-- input { 42i64 1i64 12i64 }
-- output { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] }
-- input { 42i64 6i64 12i64 }
-- output { [3i64, 0i64, 4i64, 5i64, 3i64, 5i64, 2i64, 2i64, 5i64, 5i64, 1i64, 0i64] }
-- input { 42i64 1000000007i64 12i64 }
-- output { [543976111i64, 156268057i64, 738917168i64, 878125801i64, 576976947i64, 844620583i64, 430925192i64, 354664217i64, 940041660i64, 976259009i64, 255428187i64, 105730305i64] }
-- input { 42i64 6917529027641081856i64 12i64 }
-- output { [3762970512390598052i64, 1080988814955622443i64, 5111480925080545539i64, 2325330971744228738i64, 3991254755329355338i64, 1963647703986256096i64, 2980937506154023458i64, 2453400001104687800i64, 1849272579344288931i64, 6753299986623433787i64, 6378005385924187655i64, 731392454231843414i64] }
-- input { 42i64 0i64 1i64 } error: assert
entry integers (s: i64) (below: i64) (n: i64) : [n]i64 =
  (random.many n (random.below below) (random.seed s)).1

-- | A permutation has each number once, and few stay at their places.
-- ==
-- entry: permuted
-- input { 42i64 0i64 } output { true true }
-- input { 42i64 1i64 } output { true true }
-- input { 42i64 1000i64 } output { true true }
entry permuted (s: i64) (n: i64) : (bool, bool) =
  let (_, is) = random.permutation n (random.seed s)
  in ( sort is == iota n
     , i64.sum (map2 (\i j -> i64.bool (i == j)) is (iota n)) < 8
     )

-- ==
-- entry: sampled
-- input { 42i64 3i64 [5, 6, 7, 8] } output { true 3i64 }
-- input { 42i64 4i64 [5, 6, 7, 8] } output { true 4i64 }
-- input { 42i64 0i64 empty([0]i32) } output { true 0i64 }
-- input { 42i64 2i64 [5] } error: out of bounds
entry sampled [n] (s: i64) (k: i64) (xs: [n]i32) : (bool, i64) =
  let (_, ys) = random.sample k xs (random.seed s)
  let sorted = sort ys
  in (and (map (\i -> i == 0 || sorted[i - 1] < sorted[i]) (iota k)), k)

-- | The first moments of all distributions, of 100,000 numbers: mean and variance, each divided by what it should be.
-- ==
-- entry: moments
-- compiled input { 7i64 100000i64 } output { [true, true, true, true, true, true, true, true, true] }
entry moments (s: i64) (n: i64) : [9]bool =
  let r = random.seed s
  let close (limit: f64) (mean: f64) (variance: f64) (xs: [n]f64) : bool =
    let m = f64.sum xs / f64.i64 n
    let v = f64.sum (map (\x -> (x - m) ** 2) xs) / f64.i64 n
    in f64.abs (m - mean) < limit * f64.sqrt variance
       && f64.abs (v - variance) < 4 * limit * variance
  let draw (f: random.rng -> (random.rng, f64)) : [n]f64 = (random.many n f r).1
  let draw_int (f: random.rng -> (random.rng, i64)) : [n]f64 =
    map f64.i64 (random.many n f r).1
  in [ close 0.01 0.5 (1 / 12) (draw random.uniform)
     , close 0.01 0 1 (draw random.normal)
     , close 0.01 1 1 (draw random.exponential)
     , close 0.01 0.5 0.5 (draw (random.gamma 0.5))
     , close 0.01 7 7 (draw (random.gamma 7))
     , close 0.01 (2 / 5) (6 / 150) (draw (random.beta 2 3))
     , close 0.01 3 3 (draw_int (random.poisson 3))
     , close 0.01 70 70 (draw_int (random.poisson 70))
     , close 0.01 5.5 (99 / 12) (draw_int (random.int 1 10))
     ]

-- | Weights decide how often an index is chosen.
-- ==
-- entry: weighted
-- compiled input { 7i64 100000i64 [0.0, 1.0, 3.0, 0.0, 6.0, 0.0] } output { [0.0, 0.1, 0.3, 0.0, 0.6, 0.0] 0i64 }
entry weighted [m] (s: i64) (n: i64) (weights: [m]f64) : ([m]f64, i64) =
  let (_, is) = random.choice n weights (random.seed s)
  let counts = hist (+) 0 m is (replicate n 1i64)
  in ( map (\c -> f64.round (f64.i64 c * 100 / f64.i64 n) / 100) counts
     , counts[0] + counts[3] + counts[5]
     )
