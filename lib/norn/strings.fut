-- | Strings, which are arrays of bytes: searching, splitting, numbers as text, UTF-8.
--
-- A text in Norn is an array of type `[n]u8`, as `"this"` is one, and several texts are an irregular
-- array, `[n][?]u8`. So a file with numbers is read in parallel by `map strings.parse_f64
-- (strings.words text)`, and one with lines and fields by maps in maps. Case and spaces are those of
-- ASCII; bytes from 128 on, of which UTF-8 makes all other characters, are left as they are.
--
-- If no cost is stated, it is **Work:** *O(n)*, **Span:** *O(log(n))* for *n* bytes, and constant for
-- single bytes.

-- | Strings and bytes.
module strings = {
  -- | What parsing yields: a value, or nothing where the text is not one.
  type opt 't = #some t | #none

  -- | The value, or another one if there is none.
  def get_or 't (other: t) (x: opt t) : t =
    match x
    case #some y -> y
    case #none -> other

  -- | A space, tabulator, line feed, vertical tabulator, form feed or carriage return?
  def is_space (c: u8) : bool = c == 32 || (c >= 9 && c <= 13)

  -- | A digit?
  def is_digit (c: u8) : bool = c >= '0' && c <= '9'

  -- | A capital letter?
  def is_upper (c: u8) : bool = c >= 'A' && c <= 'Z'

  -- | A small letter?
  def is_lower (c: u8) : bool = c >= 'a' && c <= 'z'

  -- | A letter?
  def is_alpha (c: u8) : bool = is_upper c || is_lower c

  -- | The letter as a capital; other bytes as they are. For texts, `map to_upper`.
  def to_upper (c: u8) : u8 = if is_lower c then c - 32 else c

  -- | The letter as a small one; other bytes as they are. For texts, `map to_lower`.
  def to_lower (c: u8) : u8 = if is_upper c then c + 32 else c

  -- | The text without spaces at both ends.
  def trim [n] (s: [n]u8) : []u8 =
    let inner (i: i64) : bool = !(is_space s[i])
    let first =
      reduce_comm i64.min n (map (\i -> if inner i then i else n) (iota n))
    let last =
      reduce_comm i64.max (-1) (map (\i -> if inner i then i else -1) (iota n))
    in if first > last then s[0:0] else s[first:last + 1]

  -- | The text with bytes put before it until it has `width` bytes.
  def pad_left [n] (width: i64) (c: u8) (s: [n]u8) : []u8 =
    replicate (i64.max 0 (width - n)) c ++ s

  -- | The text with bytes put behind it until it has `width` bytes.
  def pad_right [n] (width: i64) (c: u8) (s: [n]u8) : []u8 =
    s ++ replicate (i64.max 0 (width - n)) c

  -- Is the pattern in the text from here on?
  local def is_at [n] [m] (pattern: [m]u8) (s: [n]u8) (i: i64) : bool =
    i + m <= n
    && (loop (same, k) = (true, 0) while same && k < m do
          (#[unsafe] (s[i + k] == pattern[k]), k + 1)).0

  -- | Does the text begin with this?
  --
  -- **Work:** *O(m)*. **Span:** *O(m)*.
  def starts_with [n] [m] (prefix: [m]u8) (s: [n]u8) : bool = is_at prefix s 0

  -- | Does the text end with this?
  --
  -- **Work:** *O(m)*. **Span:** *O(m)*.
  def ends_with [n] [m] (suffix: [m]u8) (s: [n]u8) : bool =
    n >= m && is_at suffix s (n - m)

  -- | Where the pattern occurs for the first time; -1 if it does not.
  --
  -- **Work:** *O(n ✕ m)*, and *O(n)* as a rule. **Span:** *O(m + log(n))*.
  def find [n] [m] (pattern: [m]u8) (s: [n]u8) : i64 =
    let first =
      reduce_comm i64.min
                  i64.highest
                  (map (\i -> if is_at pattern s i then i else i64.highest)
                       (iota (n + 1)))
    in if first == i64.highest then -1 else first

  -- | Does the pattern occur?
  --
  -- **Work:** *O(n ✕ m)*, and *O(n)* as a rule. **Span:** *O(m + log(n))*.
  def contains [n] [m] (pattern: [m]u8) (s: [n]u8) : bool = find pattern s >= 0

  -- | All places where the pattern occurs, also those that overlap.
  --
  -- **Work:** *O(n ✕ m)*, and *O(n)* as a rule. **Span:** *O(m + log(n))*.
  def find_all [n] [m] (pattern: [m]u8) (s: [n]u8) : []i64 =
    filter (is_at pattern s) (iota (n + 1))

  -- Of places in ascending order those that are at least `m` behind the one before that is kept: one
  -- after the other, in jumps.
  local def apart [k] (m: i64) (places: [k]i64) : [k]bool =
    let (kept, _) =
      loop (kept, end) = (replicate k false, 0) for i < k do
        if places[i] >= end
        then (kept with [i] = true, places[i] + m)
        else (kept, end)
    in kept

  -- | The text with `new` in place of each occurrence of the pattern, which must not be empty;
  -- occurrences that overlap one before them are left. The time depends on the number of occurrences,
  -- which are gone through one after the other if some of them overlap.
  --
  -- **Work:** *O(n ✕ m)*, and *O(n)* as a rule. **Span:** *O(m + log(n))*, if no occurrences overlap.
  def replace [n] [m] [k] (pattern: [m]u8) (new: [k]u8) (s: [n]u8) : []u8 =
    let places = assert (m > 0) (find_all pattern s)
    let count = length places
    let overlap =
      or (map (\i -> i > 0 && places[i] - places[i64.max 0 (i - 1)] < m)
              (indices places))
    let kept =
      if overlap
      then map (.0) (filter (.1) (zip places (apart m places)))
      else sized count places
    let starts = spread n false kept (map (const true) kept)
    -- The last place before or at each byte.
    let before =
      scan i64.max (-1) (map (\i -> if starts[i] then i else -1) (iota n))
    let piece (i: i64) : []u8 =
      if starts[i]
      then new
      else if before[i] >= 0 && i < before[i] + m
      then []
      else s[i:i + 1]
    in irregular.flatten (map piece (iota n))

  -- | The parts of the text between bytes for which `p` holds, which are one more than these.
  def split_at [n] (p: u8 -> bool) (s: [n]u8) : [][?]u8 =
    let places = filter (\i -> p s[i]) (iota n)
    let k = length places
    let start (j: i64) : i64 = if j == 0 then 0 else places[j - 1] + 1
    let end (j: i64) : i64 = if j < k then places[j] else n
    in segment (map (\j -> end j - start j) (iota (k + 1)))
               (filter (\c -> !(p c)) s)

  -- | The parts of the text between separators: `split ',' "a,,b"` is `["a", "", "b"]`.
  def split [n] (separator: u8) (s: [n]u8) : [][?]u8 =
    split_at (== separator) s

  -- | The lines, without the line feeds at their ends. There may be one behind the last line.
  def lines [n] (s: [n]u8) : [][?]u8 =
    if n == 0
    then segment (replicate 0 0) s
    else split '\n' (if s[n - 1] == '\n' then s[:n - 1] else s[:n])

  -- | The words: what is between spaces, as many as there are.
  def words [n] (s: [n]u8) : [][?]u8 =
    let word (i: i64) : bool = !(is_space s[i])
    let starts =
      filter (\i -> word i && (i == 0 || !(word (i - 1)))) (iota n)
    let ends =
      filter (\i -> word i && (i == n - 1 || !(word (i + 1)))) (iota n)
    let k = length starts
    in segment (map2 (\a b -> b - a + 1) (sized k starts) (sized k ends))
               (filter (\c -> !(is_space c)) s)

  -- | The texts one after the other, with a separator between them.
  def join [n] [m] (separator: [m]u8) (parts: [n][?]u8) : []u8 =
    irregular.flatten (map2 (\i s -> if i == 0 then copy s else separator ++ s)
                            (iota n)
                            parts)

  -- | Does the first text come before the second one, or are they equal? Bytes are compared as numbers,
  -- and shorter texts come before longer ones that begin with them.
  --
  -- **Work:** *O(n + m)*. **Span:** *O(n + m)*.
  def leq [n] [m] (a: [n]u8) (b: [m]u8) : bool =
    let k = i64.min n m
    let i =
      loop i = 0 while i < k && #[unsafe] (a[i] == b[i]) do i + 1
    in if i == k then n <= m else a[i] < b[i]

  -- | The texts in the order of `leq`.
  --
  -- **Work:** *O(n ✕ log(n))* comparisons. **Span:** *O(log(n)²)* comparisons.
  def sort_strings [n] (texts: [n][?]u8) : [n][?]u8 =
    map (\i -> copy texts[i]) (sort_by (\i j -> leq texts[i] texts[j]) (iota n))

  -- | The integer that a text is, with or without a sign, and without spaces. Nothing if it is none or
  -- does not fit.
  --
  -- **Work:** *O(n)*. **Span:** *O(n)*.
  def parse_i64 [n] (s: [n]u8) : opt i64 =
    let negative = n > 0 && s[0] == '-'
    let first = i64.bool (n > 0 && (s[0] == '-' || s[0] == '+'))
    -- Negative numbers reach farther, so the sum is one.
    let (value, fits) =
      loop (value, fits) = (0, first < n) for i in first..<n do
        let digit = i64.u8 (#[unsafe] s[i]) - 48
        in ( value * 10 - digit
           , fits
             && digit >= 0
             && digit <= 9
             && value >= -922337203685477580
             && value * 10 - digit <= 0
           )
    in if !fits || (!negative && value == i64.lowest)
       then #none
       else #some (if negative then value else -value)

  -- A sum and a product of two numbers, and what rounding takes from them (Dekker 1971).
  local def exact_sum (a: f64) (b: f64) : (f64, f64) =
    let s = a + b
    let t = s - a
    in (s, (a - (s - t)) + (b - t))
  local def exact_product (a: f64) (b: f64) : (f64, f64) =
    let p = a * b
    in (p, f64.fma a b (-p))

  -- Products of numbers with twice the digits.
  local def times (a: f64, b: f64) (c: f64, d: f64) : (f64, f64) =
    let (p, e) = exact_product a c
    in exact_sum p (e + (a * d + b * c))

  -- A number times a power of ten.
  local def times_power (x: (f64, f64)) (e: i64) : (f64, f64) =
    let (ten, steps) =
      if e < 0 then ((0.1, -5.551115123125783e-18), -e) else ((10, 0), e)
    let (result, _, _) =
      loop (result, power, left) = (x, ten, steps) while left > 0 do
        ( if left % 2 == 1 then times result power else result
        , times power power
        , left / 2
        )
    in result

  -- The number with these decimal digits and this power of ten.
  local def decimal (digits: u64) (e: i64) : f64 =
    let high = f64.u64 (digits u64.>>> 32) * 4294967296
    let low = f64.u64 (digits & 0xffffffff)
    let (x, rest) =
      if digits == 0 || e < -400
      then (0, 0)
      else if e > 400
      then (f64.inf, 0)
      else if e < -250
      then let (a, b) = times_power (exact_sum high low) (-250)
           in times_power (a * 1e-60, b * 1e-60) (e + 310)
      else if e > 290
      then times_power (times_power (exact_sum high low) 290) (e - 290)
      else times_power (exact_sum high low) e
    in if f64.isinf x || f64.isnan x then f64.inf else x + rest

  -- Powers of ten that are exact.
  local def exact_power (e: i64) : f64 =
    loop p = 1 for _i < e do p * 10

  -- | The number that a text is: digits with or without a sign, a point and an exponent, as in
  -- `-1.5e-3`; also `inf` and `nan` in any case. Nothing if it is none. Up to 15 digits and with
  -- exponents up to 22 it is the nearest number; else the last bit may be another.
  --
  -- **Work:** *O(n)*. **Span:** *O(n)*.
  def parse_f64 [n] (s: [n]u8) : opt f64 =
    let negative = n > 0 && s[0] == '-'
    let start = i64.bool (n > 0 && (s[0] == '-' || s[0] == '+'))
    let signed (x: f64) : f64 = if negative then -x else x
    let letters (i: i64) : u8 = if i < n then to_lower s[i] else 0
    let is_word (a: u8) (b: u8) (c: u8) : bool =
      n == start + 3
      && letters start == a
      && letters (start + 1) == b
      && letters (start + 2) == c
    -- Digits after the 19th only count for the exponent.
    let (digits, e, seen, _, i) =
      loop (digits, e, seen, point, i) = (0u64, 0i64, false, false, start)
      while i < n && (is_digit s[i] || (s[i] == '.' && !point)) do
        if s[i] == '.'
        then (digits, e, seen, true, i + 1)
        else if digits < 1000000000000000000
        then ( digits * 10 + u64.u8 (s[i] - 48)
             , if point then e - 1 else e
             , true
             , point
             , i + 1
             )
        else (digits, if point then e else e + 1, true, point, i + 1)
    let has_exponent = i < n && seen && letters i == 'e'
    let exponent: opt i64 =
      if has_exponent then parse_i64 s[i + 1:] else #some 0
    let whole = i == n || has_exponent
    let small =
      digits < 9007199254740992
    in if is_word 'i' 'n' 'f'
       then #some (signed f64.inf)
       else if is_word 'n' 'a' 'n'
       then #some f64.nan
       else if !seen || !whole
       then #none
       else match exponent
            case #none -> #none
            case #some more ->
              let e = e + i64.max (-100000) (i64.min 100000 more)
              let x =
                if small && e >= 0 && e <= 22
                then f64.u64 digits * exact_power e
                else if small && e < 0 && e >= -22
                then f64.u64 digits / exact_power (-e)
                else decimal digits e
              in #some (signed x)

  -- | A number in digits, with a minus sign if it is negative.
  --
  -- **Work:** *O(1)*. **Span:** *O(1)*.
  def format_i64 (x: i64) : []u8 =
    let digit (y: i64) : i64 = i64.abs (y %% 10)
    let count =
      (loop (count, left) = (1, x // 10) while left != 0 do
         (count + 1, left // 10)).0
    let sign = i64.bool (x < 0)
    let (text, _) =
      loop (text, left) = (replicate (sign + count) '-', x) for i < count do
        ( text with [sign + count - 1 - i] = u8.i64 (48 + digit left)
        , left // 10
        )
    in text

  -- | A number in hexadecimal digits, without signs or leading zeros.
  --
  -- **Work:** *O(1)*. **Span:** *O(1)*.
  def format_hex (x: u64) : []u8 =
    let count = i64.max 1 ((67 - i64.i32 (u64.clz x)) / 4)
    in tabulate count (\i ->
      let d = u8.u64 ((x u64.>>> u64.i64 (4 * (count - 1 - i))) & 15)
      in if d < 10 then 48 + d else 87 + d)

  -- | A number with this many digits behind the point, from 0 to 15, of which the last is rounded.
  -- Numbers that have 18 digits or more before and behind the point together are imprecise.
  --
  -- **Work:** *O(1)*. **Span:** *O(1)*.
  def format_fixed (places: i64) (x: f64) : []u8 =
    if f64.isnan x
    then "nan"
    else if f64.isinf x
    then if x < 0 then "-inf" else "inf"
    else let scaled = i64.f64 (f64.round (f64.abs x * exact_power places))
         let digits = format_i64 scaled
         let digits = pad_left (places + 1) '0' digits
         let k = length digits
         let front =
           if x < 0 && scaled != 0
           then "-" ++ digits[:k - places]
           else [] ++ digits[:k - places]
         in if places == 0
            then front
            else front ++ "." ++ digits[k - places:]

  -- How many bytes the character that begins with this byte has; 0 if none does.
  local def width (c: u8) : i64 =
    if c < 0x80
    then 1
    else if c < 0xC2
    then 0
    else if c < 0xE0
    then 2
    else if c < 0xF0
    then 3
    else if c < 0xF5
    then 4
    else 0

  -- The character at a place and its width; the width is 0 if there is none.
  local def character [n] (s: [n]u8) (i: i64) : (u32, i64) =
    let w = width s[i]
    let (code, valid) =
      loop (code, valid) =
             ( if w == 1
               then u32.u8 s[i]
               else u32.u8 s[i] & ((1 << u32.i64 (7 - w)) - 1)
             , w > 0 && i + w <= n
             )
      for k in 1..<i64.max 1 w do
        if valid && #[unsafe] (s[i + k] & 0xC0) == 0x80
        then (code << 6 | u32.u8 (#[unsafe] s[i + k] & 0x3F), true)
        else (code, false)
    -- Not the shortest form, a surrogate, or beyond the last character.
    let refused =
      (w == 3 && code < 0x800)
      || (w == 4 && code < 0x10000)
      || (code >= 0xD800 && code < 0xE000)
      || code > 0x10FFFF
    in if valid && !refused then (code, w) else (0xFFFD, 0)

  -- For each byte the character that begins there and its width, and whether it continues one that
  -- began before.
  local def characters [n] (s: [n]u8) : [n](u32, i64, bool) =
    let here = map (character s) (iota n)
    let within (i: i64) (back: i64) : bool =
      i >= back && here[i64.max 0 (i - back)].1 > back
    in map2 (\i (code, w) -> (code, w, within i 1 || within i 2 || within i 3))
            (iota n)
            here

  -- | The characters of a text in UTF-8. Each byte that is no part of a character becomes U+FFFD.
  def decode_utf8 [n] (s: [n]u8) : []u32 =
    map (.0) (filter (\(_, _, continues) -> !continues) (characters s))

  -- | Is the text in UTF-8?
  def is_utf8 [n] (s: [n]u8) : bool =
    all (\(_, w, continues) -> w > 0 || continues) (characters s)

  -- | Characters as a text in UTF-8. What is no character becomes U+FFFD.
  def encode_utf8 [n] (codes: [n]u32) : []u8 =
    let bytes (c: u32) : []u8 =
      let c = if c > 0x10FFFF || (c >= 0xD800 && c < 0xE000) then 0xFFFD else c
      let w =
        if c < 0x80
        then 1
        else if c < 0x800
        then 2
        else if c < 0x10000
        then 3
        else 4i64
      let part (k: i64) : u8 =
        let bits = c >> u32.i64 (6 * (w - 1 - k))
        in if w == 1
           then u8.u32 c
           else if k > 0
           then u8.u32 (0x80 | (bits & 0x3F))
           else u8.u32 bits | (0xFF << u8.i64 (8 - w))
      in tabulate w part
    in irregular.flatten (map bytes codes)

  -- | How many characters a text in UTF-8 has.
  def count_utf8 [n] (s: [n]u8) : i64 =
    i64.sum (map (\c -> i64.bool ((c & 0xC0) != 0x80)) s)
}
