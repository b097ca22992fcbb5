-- | Strings; the expected values are Python's.
import "/norn/strings"

-- ==
-- entry: changed
-- input { empty([0]u8) }
-- output { empty([0]u8) empty([0]u8) empty([0]u8) }
-- input { "a" }
-- output { "A" "a" "a" }
-- input { "  Hello, World 12  " }
-- output { "  HELLO, WORLD 12  " "  hello, world 12  " "Hello, World 12" }
-- input { [9u8, 32u8, 10u8] }
-- output { [9u8, 32u8, 10u8] [9u8, 32u8, 10u8] empty([0]u8) }
-- input { "x " }
-- output { "X " "x " "x" }
-- input { [32u8, 195u8, 169u8, 32u8, 90u8] }
-- output { [32u8, 195u8, 169u8, 32u8, 90u8] [32u8, 195u8, 169u8, 32u8, 122u8] [195u8, 169u8, 32u8, 90u8] }
entry changed [n] (s: [n]u8) : ([n]u8, [n]u8, []u8) =
  (map strings.to_upper s, map strings.to_lower s, strings.trim s)

-- ==
-- entry: found
-- input { "a" empty([0]u8) }
-- output { -1i64 empty([0]i64) false false false }
-- input { empty([0]u8) "ab" }
-- output { 0i64 [0i64, 1i64, 2i64] true true true }
-- input { "ab" "ab" }
-- output { 0i64 [0i64] true true true }
-- input { "aa" "aaaa" }
-- output { 0i64 [0i64, 1i64, 2i64] true true true }
-- input { "na" "banana" }
-- output { 2i64 [2i64, 4i64] false true true }
-- input { "x" "banana" }
-- output { -1i64 empty([0]i64) false false false }
-- input { "banana!" "banana" }
-- output { -1i64 empty([0]i64) false false false }
entry found [m] [n]
            (pattern: [m]u8)
            (s: [n]u8) : (i64, []i64, bool, bool, bool) =
  strings.(( find pattern s
           , find_all pattern s
           , starts_with pattern s
           , ends_with pattern s
           , contains pattern s
           ))

-- ==
-- entry: replaced
-- input { "a" empty([0]u8) empty([0]u8) }
-- output { empty([0]u8) }
-- input { "a" "bb" "banana" }
-- output { "bbbnbbnbb" }
-- input { "ana" "x" "banana" }
-- output { "bxna" }
-- input { "aa" "b" "aaaaa" }
-- output { "bba" }
-- input { "x" "y" "abc" }
-- output { "abc" }
-- input { "abc" empty([0]u8) "abcabcab" }
-- output { "ab" }
-- input { empty([0]u8) "a" "b" } error: assert
entry replaced [m] [k] [n] (pattern: [m]u8) (new: [k]u8) (s: [n]u8) : []u8 =
  strings.replace pattern new s

-- ==
-- entry: cut
-- input { empty([0]u8) }
-- output { [empty([0]u8)] empty([0][?]u8) empty([0][?]u8) empty([0]u8) }
-- input { "a" }
-- output { ["a"] ["a"] ["a"] "a" }
-- input { "," }
-- output { [empty([0]u8), empty([0]u8)] [","] [","] "--" }
-- input { "a,,b" }
-- output { ["a", empty([0]u8), "b"] ["a,,b"] ["a,,b"] "a----b" }
-- input { "one two,three" }
-- output { ["one two", "three"] ["one", "two,three"] ["one two,three"] "one two--three" }
-- input { [32u8, 32u8, 120u8, 32u8, 32u8, 121u8, 9u8, 122u8, 122u8, 32u8, 10u8] }
-- output { [[32u8, 32u8, 120u8, 32u8, 32u8, 121u8, 9u8, 122u8, 122u8, 32u8, 10u8]] ["x", "y", "zz"] [[32u8, 32u8, 120u8, 32u8, 32u8, 121u8, 9u8, 122u8, 122u8, 32u8]] [32u8, 32u8, 120u8, 32u8, 32u8, 121u8, 9u8, 122u8, 122u8, 32u8, 10u8] }
-- input { [97u8, 10u8, 98u8, 10u8] }
-- output { [[97u8, 10u8, 98u8, 10u8]] ["a", "b"] ["a", "b"] [97u8, 10u8, 98u8, 10u8] }
-- input { [10u8] }
-- output { [[10u8]] empty([0][?]u8) [empty([0]u8)] [10u8] }
-- input { [97u8, 10u8, 10u8, 98u8] }
-- output { [[97u8, 10u8, 10u8, 98u8]] ["a", "b"] ["a", empty([0]u8), "b"] [97u8, 10u8, 10u8, 98u8] }
entry cut [n] (s: [n]u8) : ([][?]u8, [][?]u8, [][?]u8, []u8) =
  strings.((split ',' s, words s, lines s, join "--" (split ',' s)))

-- ==
-- entry: integers
-- input { ["0", "-0", "+7", "42", "-17", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809", empty([0]u8), "-", "1a", "12345678901234567890123", "00012", "--3"] }
-- output { [0i64, 0i64, 7i64, 42i64, -17i64, 9223372036854775807i64, -9223372036854775808i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 12i64, 0i64] [true, true, true, true, true, true, true, false, false, false, false, false, false, true, false] }
entry integers [n] (texts: [n][?]u8) : ([n]i64, [n]bool) =
  unzip (map (\s ->
    match strings.parse_i64 s
    case #some x -> (x, true)
    case #none -> (0, false)) texts)

-- ==
-- entry: floats
-- input { ["0", "-1.5", "3.14159", ".5", "5.", "1e3", "1E-3", "+2.5e+10", "1e22", "123456789012345678", "1e308", "-1.7976931348623157e308", "1e309", "2.5e-300", "4.9e-324", "1e-400", "inf", "-INF", "0.1", "1234567.875", ".", "e5", empty([0]u8), "1e", "1.2.3", "12x", "nanx", "--1", "0.000001", "6.02214076e23", "9007199254740993", "-3.523344703336752e-22", "-2.10353007153653e-28", "-8551.274266649145", "-8117399.161206349", "-88.40021504505864", "-5.706036383286765e-26", "-1.3270863267522826e-27", "-51867.399974595", "-1.5096162171497208e+21", "1.3090738838615934e+29", "-5535220707.85971", "1.6599380892081463e-28", "1.5420589723499735e-06", "-9.008213732204571e-17", "-9.068346387644875e+23", "-7.336503671167898e-05", "-7.114898332851249e-24", "14182.737929346878", "6.322527182400628e-20", "-793888.5751128173", "2.778269378523681e-08", "-805138848010533.2", "-8.744220500533537e-28", "2.3801918634710773", "0.00036079994636357184"] }
-- output { [0.0, -1.5, 3.14159, 0.5, 5.0, 1000.0, 0.001, 25000000000.0, 1e+22, 1.2345678901234568e+17, 1e+308, -1.7976931348623157e+308, f64.inf, 2.5e-300, 5e-324, 0.0, f64.inf, -f64.inf, 0.1, 1234567.875, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1e-06, 6.02214076e+23, 9007199254740992.0, -3.523344703336752e-22, -2.10353007153653e-28, -8551.274266649145, -8117399.161206349, -88.40021504505864, -5.706036383286765e-26, -1.3270863267522826e-27, -51867.399974595, -1.5096162171497208e+21, 1.3090738838615934e+29, -5535220707.85971, 1.6599380892081463e-28, 1.5420589723499735e-06, -9.008213732204571e-17, -9.068346387644875e+23, -7.336503671167898e-05, -7.114898332851249e-24, 14182.737929346878, 6.322527182400628e-20, -793888.5751128173, 2.778269378523681e-08, -805138848010533.2, -8.744220500533537e-28, 2.3801918634710773, 0.00036079994636357184] [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true] }
entry floats [n] (texts: [n][?]u8) : ([n]f64, [n]bool) =
  unzip (map (\s ->
    match strings.parse_f64 s
    case #some x -> (x, true)
    case #none -> (0, false)) texts)

-- | The largest relative difference between what was parsed and what it should be.
-- ==
-- entry: precise
-- input { ["-1.5", "3.14159", ".5", "5.", "1e3", "1E-3", "+2.5e+10", "1e22", "123456789012345678", "1e308", "-1.7976931348623157e308", "0.1", "1234567.875", "0.000001", "6.02214076e23", "9007199254740993", "-3.523344703336752e-22", "-2.10353007153653e-28", "-8551.274266649145", "-8117399.161206349", "-88.40021504505864", "-5.706036383286765e-26", "-1.3270863267522826e-27", "-51867.399974595", "-1.5096162171497208e+21", "1.3090738838615934e+29", "-5535220707.85971", "1.6599380892081463e-28", "1.5420589723499735e-06", "-9.008213732204571e-17", "-9.068346387644875e+23", "-7.336503671167898e-05", "-7.114898332851249e-24", "14182.737929346878", "6.322527182400628e-20", "-793888.5751128173", "2.778269378523681e-08", "-805138848010533.2", "-8.744220500533537e-28", "2.3801918634710773", "0.00036079994636357184"] [-1.5, 3.14159, 0.5, 5.0, 1000.0, 0.001, 25000000000.0, 1e+22, 1.2345678901234568e+17, 1e+308, -1.7976931348623157e+308, 0.1, 1234567.875, 1e-06, 6.02214076e+23, 9007199254740992.0, -3.523344703336752e-22, -2.10353007153653e-28, -8551.274266649145, -8117399.161206349, -88.40021504505864, -5.706036383286765e-26, -1.3270863267522826e-27, -51867.399974595, -1.5096162171497208e+21, 1.3090738838615934e+29, -5535220707.85971, 1.6599380892081463e-28, 1.5420589723499735e-06, -9.008213732204571e-17, -9.068346387644875e+23, -7.336503671167898e-05, -7.114898332851249e-24, 14182.737929346878, 6.322527182400628e-20, -793888.5751128173, 2.778269378523681e-08, -805138848010533.2, -8.744220500533537e-28, 2.3801918634710773, 0.00036079994636357184] }
-- output { true }
entry precise [n] (texts: [n][?]u8) (xs: [n]f64) : bool =
  and (map2 (\s x ->
    f64.abs (strings.get_or 1e9 (strings.parse_f64 s) - x)
    <= 1.2e-16 * f64.abs x) texts xs)

-- ==
-- entry: formatted
-- input { [0i64, 7i64, -7i64, 10i64, -100i64, 999i64, 1000i64, 9223372036854775807i64, -9223372036854775808i64] }
-- output { ["0", "7", "-7", "10", "-100", "999", "1000", "9223372036854775807", "-9223372036854775808"] ["0", "7", "fffffffffffffff9", "a", "ffffffffffffff9c", "3e7", "3e8", "7fffffffffffffff", "8000000000000000"] }
entry formatted [n] (xs: [n]i64) : ([n][?]u8, [n][?]u8) =
  (map strings.format_i64 xs, map (\x -> strings.format_hex (u64.i64 x)) xs)

-- ==
-- entry: with_places
-- input { 0i64 [0.0, 1.25, -3.1415926, 99.9996, -0.0001, 1234567.5, 0.04] }
-- output { ["0", "1", "-3", "100", "0", "1234568", "0"] }
-- input { 1i64 [0.0, 1.25, -3.1415926, 99.9996, -0.0001, 1234567.5, 0.04] }
-- output { ["0.0", "1.2", "-3.1", "100.0", "0.0", "1234567.5", "0.0"] }
-- input { 3i64 [0.0, 1.25, -3.1415926, 99.9996, -0.0001, 1234567.5, 0.04] }
-- output { ["0.000", "1.250", "-3.142", "100.000", "0.000", "1234567.500", "0.040"] }
-- input { 2i64 [f64.inf, -f64.inf, f64.nan] }
-- output { ["inf", "-inf", "nan"] }
entry with_places [n] (places: i64) (xs: [n]f64) : [n][?]u8 =
  map (strings.format_fixed places) xs

-- ==
-- entry: sorted
-- input { ["pear", "apple", "", "app", "zoo", "apple"] } output { [empty([0]u8), "app", "apple", "apple", "pear", "zoo"] }
-- input { empty([0][?]u8) } output { empty([0][?]u8) }
entry sorted [n] (texts: [n][?]u8) : [n][?]u8 = strings.sort_strings texts

-- ==
-- entry: unicode
-- input { empty([0]u8) }
-- output { empty([0]u32) true empty([0]u8) }
-- input { "abc" }
-- output { [97u32, 98u32, 99u32] true "abc" }
-- input { [97u8, 195u8, 169u8, 226u8, 130u8, 172u8, 240u8, 159u8, 152u8, 128u8, 122u8] }
-- output { [97u32, 233u32, 8364u32, 128512u32, 122u32] true [97u8, 195u8, 169u8, 226u8, 130u8, 172u8, 240u8, 159u8, 152u8, 128u8, 122u8] }
-- input { [255u8, 65u8] }
-- output { [65533u32, 65u32] false [239u8, 191u8, 189u8, 65u8] }
-- input { [226u8, 130u8] }
-- output { [65533u32, 65533u32] false [239u8, 191u8, 189u8, 239u8, 191u8, 189u8] }
-- input { [192u8, 128u8] }
-- output { [65533u32, 65533u32] false [239u8, 191u8, 189u8, 239u8, 191u8, 189u8] }
-- input { [237u8, 160u8, 128u8] }
-- output { [65533u32, 65533u32, 65533u32] false [239u8, 191u8, 189u8, 239u8, 191u8, 189u8, 239u8, 191u8, 189u8] }
-- input { [223u8, 191u8, 224u8, 160u8, 128u8, 239u8, 191u8, 191u8, 240u8, 144u8, 128u8, 128u8, 244u8, 143u8, 191u8, 191u8] }
-- output { [2047u32, 2048u32, 65535u32, 65536u32, 1114111u32] true [223u8, 191u8, 224u8, 160u8, 128u8, 239u8, 191u8, 191u8, 240u8, 144u8, 128u8, 128u8, 244u8, 143u8, 191u8, 191u8] }
-- input { [244u8, 144u8, 128u8, 128u8] }
-- output { [65533u32, 65533u32, 65533u32, 65533u32] false [239u8, 191u8, 189u8, 239u8, 191u8, 189u8, 239u8, 191u8, 189u8, 239u8, 191u8, 189u8] }
-- input { [226u8, 130u8, 172u8, 130u8] }
-- output { [8364u32, 65533u32] false [226u8, 130u8, 172u8, 239u8, 191u8, 189u8] }
entry unicode [n] (s: [n]u8) : ([]u32, bool, []u8) =
  let codes = strings.decode_utf8 s
  in (codes, strings.is_utf8 s, strings.encode_utf8 codes)

-- | A table: lines of fields of numbers, all read in parallel.
-- ==
-- entry: table
-- input { [49u8, 44u8, 50u8, 46u8, 53u8, 10u8, 45u8, 51u8, 10u8, 52u8, 44u8, 53u8, 44u8, 54u8, 10u8] } output { [3.5, -3.0, 15.0] 4i64 }
entry table [n] (s: [n]u8) : ([]f64, i64) =
  let field (f: []u8) : f64 = strings.get_or f64.nan (strings.parse_f64 f)
  in ( map (\line -> f64.sum (map field (strings.split ',' line)))
           (strings.lines s)
     , strings.count_utf8 "a€😀!"
     )
