-- | What the machine can do with each number type, one module per type.
--
-- Every definition here gives an overloaded intrinsic one type. There is no way to abstract over
-- the type and still use the intrinsic, so the blocks repeat one another line by line; whatever can
-- be said once for all types is said in `numeric.fut`, which completes these modules and is the
-- only file that should import this one.

-- | Operations on `i8`.
module prim_i8 = {
  type t = i8

  def i8 (x: i8) : t = intrinsics.to_i8 x
  def i16 (x: i16) : t = intrinsics.to_i8 x
  def i32 (x: i32) : t = intrinsics.to_i8 x
  def i64 (x: i64) : t = intrinsics.to_i8 x
  def u8 (x: u8) : t = intrinsics.to_i8 x
  def u16 (x: u16) : t = intrinsics.to_i8 x
  def u32 (x: u32) : t = intrinsics.to_i8 x
  def u64 (x: u64) : t = intrinsics.to_i8 x
  def f16 (x: f16) : t = intrinsics.to_i8 x
  def f32 (x: f32) : t = intrinsics.to_i8 x
  def f64 (x: f64) : t = intrinsics.to_i8 x
  def bool (x: bool) : t = intrinsics.to_i8 x
  def to_i32 (x: t) : i32 = intrinsics.to_i32 x
  def to_i64 (x: t) : i64 = intrinsics.to_i64 x

  def num_bits : i32 = 8
  def highest : t = 127
  def lowest : t = !highest

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = intrinsics.ashr x y
  def (>>>) (x: t) (y: t) : t = intrinsics.lshr x y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.abs x
  def sgn (x: t) : t = intrinsics.sgn x
  def max (x: t) (y: t) : t = intrinsics.max x y
  def min (x: t) (y: t) : t = intrinsics.min x y
  def mul_hi (x: t) (y: t) : t = intrinsics.mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.mad_hi a b c
  def popc (x: t) : i32 = intrinsics.popc x
  def clz (x: t) : i32 = intrinsics.clz x
  def ctz (x: t) : i32 = intrinsics.ctz x
}

-- | Operations on `i16`.
module prim_i16 = {
  type t = i16

  def i8 (x: i8) : t = intrinsics.to_i16 x
  def i16 (x: i16) : t = intrinsics.to_i16 x
  def i32 (x: i32) : t = intrinsics.to_i16 x
  def i64 (x: i64) : t = intrinsics.to_i16 x
  def u8 (x: u8) : t = intrinsics.to_i16 x
  def u16 (x: u16) : t = intrinsics.to_i16 x
  def u32 (x: u32) : t = intrinsics.to_i16 x
  def u64 (x: u64) : t = intrinsics.to_i16 x
  def f16 (x: f16) : t = intrinsics.to_i16 x
  def f32 (x: f32) : t = intrinsics.to_i16 x
  def f64 (x: f64) : t = intrinsics.to_i16 x
  def bool (x: bool) : t = intrinsics.to_i16 x
  def to_i32 (x: t) : i32 = intrinsics.to_i32 x
  def to_i64 (x: t) : i64 = intrinsics.to_i64 x

  def num_bits : i32 = 16
  def highest : t = 32767
  def lowest : t = !highest

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = intrinsics.ashr x y
  def (>>>) (x: t) (y: t) : t = intrinsics.lshr x y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.abs x
  def sgn (x: t) : t = intrinsics.sgn x
  def max (x: t) (y: t) : t = intrinsics.max x y
  def min (x: t) (y: t) : t = intrinsics.min x y
  def mul_hi (x: t) (y: t) : t = intrinsics.mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.mad_hi a b c
  def popc (x: t) : i32 = intrinsics.popc x
  def clz (x: t) : i32 = intrinsics.clz x
  def ctz (x: t) : i32 = intrinsics.ctz x
}

-- | Operations on `i32`.
module prim_i32 = {
  type t = i32

  def i8 (x: i8) : t = intrinsics.to_i32 x
  def i16 (x: i16) : t = intrinsics.to_i32 x
  def i32 (x: i32) : t = intrinsics.to_i32 x
  def i64 (x: i64) : t = intrinsics.to_i32 x
  def u8 (x: u8) : t = intrinsics.to_i32 x
  def u16 (x: u16) : t = intrinsics.to_i32 x
  def u32 (x: u32) : t = intrinsics.to_i32 x
  def u64 (x: u64) : t = intrinsics.to_i32 x
  def f16 (x: f16) : t = intrinsics.to_i32 x
  def f32 (x: f32) : t = intrinsics.to_i32 x
  def f64 (x: f64) : t = intrinsics.to_i32 x
  def bool (x: bool) : t = intrinsics.to_i32 x
  def to_i32 (x: t) : i32 = intrinsics.to_i32 x
  def to_i64 (x: t) : i64 = intrinsics.to_i64 x

  def num_bits : i32 = 32
  def highest : t = 2147483647
  def lowest : t = !highest

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = intrinsics.ashr x y
  def (>>>) (x: t) (y: t) : t = intrinsics.lshr x y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.abs x
  def sgn (x: t) : t = intrinsics.sgn x
  def max (x: t) (y: t) : t = intrinsics.max x y
  def min (x: t) (y: t) : t = intrinsics.min x y
  def mul_hi (x: t) (y: t) : t = intrinsics.mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.mad_hi a b c
  def popc (x: t) : i32 = intrinsics.popc x
  def clz (x: t) : i32 = intrinsics.clz x
  def ctz (x: t) : i32 = intrinsics.ctz x
}

-- | Operations on `i64`.
module prim_i64 = {
  type t = i64

  def i8 (x: i8) : t = intrinsics.to_i64 x
  def i16 (x: i16) : t = intrinsics.to_i64 x
  def i32 (x: i32) : t = intrinsics.to_i64 x
  def i64 (x: i64) : t = intrinsics.to_i64 x
  def u8 (x: u8) : t = intrinsics.to_i64 x
  def u16 (x: u16) : t = intrinsics.to_i64 x
  def u32 (x: u32) : t = intrinsics.to_i64 x
  def u64 (x: u64) : t = intrinsics.to_i64 x
  def f16 (x: f16) : t = intrinsics.to_i64 x
  def f32 (x: f32) : t = intrinsics.to_i64 x
  def f64 (x: f64) : t = intrinsics.to_i64 x
  def bool (x: bool) : t = intrinsics.to_i64 x
  def to_i32 (x: t) : i32 = intrinsics.to_i32 x
  def to_i64 (x: t) : i64 = intrinsics.to_i64 x

  def num_bits : i32 = 64
  def highest : t = 9223372036854775807
  def lowest : t = !highest

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = intrinsics.ashr x y
  def (>>>) (x: t) (y: t) : t = intrinsics.lshr x y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.abs x
  def sgn (x: t) : t = intrinsics.sgn x
  def max (x: t) (y: t) : t = intrinsics.max x y
  def min (x: t) (y: t) : t = intrinsics.min x y
  def mul_hi (x: t) (y: t) : t = intrinsics.mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.mad_hi a b c
  def popc (x: t) : i32 = intrinsics.popc x
  def clz (x: t) : i32 = intrinsics.clz x
  def ctz (x: t) : i32 = intrinsics.ctz x
}

-- | Operations on `u8`.
module prim_u8 = {
  type t = u8

  def i8 (x: i8) : t = intrinsics.to_u8 x
  def i16 (x: i16) : t = intrinsics.to_u8 x
  def i32 (x: i32) : t = intrinsics.to_u8 x
  def i64 (x: i64) : t = intrinsics.to_u8 x
  def u8 (x: u8) : t = intrinsics.to_u8 x
  def u16 (x: u16) : t = intrinsics.to_u8 x
  def u32 (x: u32) : t = intrinsics.to_u8 x
  def u64 (x: u64) : t = intrinsics.to_u8 x
  def f16 (x: f16) : t = intrinsics.to_u8 x
  def f32 (x: f32) : t = intrinsics.to_u8 x
  def f64 (x: f64) : t = intrinsics.to_u8 x
  def bool (x: bool) : t = intrinsics.to_u8 x
  def to_i32 (x: t) : i32 = intrinsics.to_i32 x
  def to_i64 (x: t) : i64 = intrinsics.to_i64 x

  def num_bits : i32 = 8
  def highest : t = 255
  def lowest : t = !highest

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = intrinsics.ashr x y
  def (>>>) (x: t) (y: t) : t = intrinsics.lshr x y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.abs x
  def sgn (x: t) : t = intrinsics.sgn x
  def max (x: t) (y: t) : t = intrinsics.max x y
  def min (x: t) (y: t) : t = intrinsics.min x y
  def mul_hi (x: t) (y: t) : t = intrinsics.mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.mad_hi a b c
  def popc (x: t) : i32 = intrinsics.popc x
  def clz (x: t) : i32 = intrinsics.clz x
  def ctz (x: t) : i32 = intrinsics.ctz x
}

-- | Operations on `u16`.
module prim_u16 = {
  type t = u16

  def i8 (x: i8) : t = intrinsics.to_u16 x
  def i16 (x: i16) : t = intrinsics.to_u16 x
  def i32 (x: i32) : t = intrinsics.to_u16 x
  def i64 (x: i64) : t = intrinsics.to_u16 x
  def u8 (x: u8) : t = intrinsics.to_u16 x
  def u16 (x: u16) : t = intrinsics.to_u16 x
  def u32 (x: u32) : t = intrinsics.to_u16 x
  def u64 (x: u64) : t = intrinsics.to_u16 x
  def f16 (x: f16) : t = intrinsics.to_u16 x
  def f32 (x: f32) : t = intrinsics.to_u16 x
  def f64 (x: f64) : t = intrinsics.to_u16 x
  def bool (x: bool) : t = intrinsics.to_u16 x
  def to_i32 (x: t) : i32 = intrinsics.to_i32 x
  def to_i64 (x: t) : i64 = intrinsics.to_i64 x

  def num_bits : i32 = 16
  def highest : t = 65535
  def lowest : t = !highest

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = intrinsics.ashr x y
  def (>>>) (x: t) (y: t) : t = intrinsics.lshr x y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.abs x
  def sgn (x: t) : t = intrinsics.sgn x
  def max (x: t) (y: t) : t = intrinsics.max x y
  def min (x: t) (y: t) : t = intrinsics.min x y
  def mul_hi (x: t) (y: t) : t = intrinsics.mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.mad_hi a b c
  def popc (x: t) : i32 = intrinsics.popc x
  def clz (x: t) : i32 = intrinsics.clz x
  def ctz (x: t) : i32 = intrinsics.ctz x
}

-- | Operations on `u32`.
module prim_u32 = {
  type t = u32

  def i8 (x: i8) : t = intrinsics.to_u32 x
  def i16 (x: i16) : t = intrinsics.to_u32 x
  def i32 (x: i32) : t = intrinsics.to_u32 x
  def i64 (x: i64) : t = intrinsics.to_u32 x
  def u8 (x: u8) : t = intrinsics.to_u32 x
  def u16 (x: u16) : t = intrinsics.to_u32 x
  def u32 (x: u32) : t = intrinsics.to_u32 x
  def u64 (x: u64) : t = intrinsics.to_u32 x
  def f16 (x: f16) : t = intrinsics.to_u32 x
  def f32 (x: f32) : t = intrinsics.to_u32 x
  def f64 (x: f64) : t = intrinsics.to_u32 x
  def bool (x: bool) : t = intrinsics.to_u32 x
  def to_i32 (x: t) : i32 = intrinsics.to_i32 x
  def to_i64 (x: t) : i64 = intrinsics.to_i64 x

  def num_bits : i32 = 32
  def highest : t = 4294967295
  def lowest : t = !highest

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = intrinsics.ashr x y
  def (>>>) (x: t) (y: t) : t = intrinsics.lshr x y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.abs x
  def sgn (x: t) : t = intrinsics.sgn x
  def max (x: t) (y: t) : t = intrinsics.max x y
  def min (x: t) (y: t) : t = intrinsics.min x y
  def mul_hi (x: t) (y: t) : t = intrinsics.mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.mad_hi a b c
  def popc (x: t) : i32 = intrinsics.popc x
  def clz (x: t) : i32 = intrinsics.clz x
  def ctz (x: t) : i32 = intrinsics.ctz x
}

-- | Operations on `u64`.
module prim_u64 = {
  type t = u64

  def i8 (x: i8) : t = intrinsics.to_u64 x
  def i16 (x: i16) : t = intrinsics.to_u64 x
  def i32 (x: i32) : t = intrinsics.to_u64 x
  def i64 (x: i64) : t = intrinsics.to_u64 x
  def u8 (x: u8) : t = intrinsics.to_u64 x
  def u16 (x: u16) : t = intrinsics.to_u64 x
  def u32 (x: u32) : t = intrinsics.to_u64 x
  def u64 (x: u64) : t = intrinsics.to_u64 x
  def f16 (x: f16) : t = intrinsics.to_u64 x
  def f32 (x: f32) : t = intrinsics.to_u64 x
  def f64 (x: f64) : t = intrinsics.to_u64 x
  def bool (x: bool) : t = intrinsics.to_u64 x
  def to_i32 (x: t) : i32 = intrinsics.to_i32 x
  def to_i64 (x: t) : i64 = intrinsics.to_i64 x

  def num_bits : i32 = 64
  def highest : t = 18446744073709551615
  def lowest : t = !highest

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = intrinsics.ashr x y
  def (>>>) (x: t) (y: t) : t = intrinsics.lshr x y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.abs x
  def sgn (x: t) : t = intrinsics.sgn x
  def max (x: t) (y: t) : t = intrinsics.max x y
  def min (x: t) (y: t) : t = intrinsics.min x y
  def mul_hi (x: t) (y: t) : t = intrinsics.mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.mad_hi a b c
  def popc (x: t) : i32 = intrinsics.popc x
  def clz (x: t) : i32 = intrinsics.clz x
  def ctz (x: t) : i32 = intrinsics.ctz x
}

-- | Operations on `f16`.
module prim_f16 = {
  type t = f16
  type int_t = u16

  def i8 (x: i8) : t = intrinsics.to_f16 x
  def i16 (x: i16) : t = intrinsics.to_f16 x
  def i32 (x: i32) : t = intrinsics.to_f16 x
  def i64 (x: i64) : t = intrinsics.to_f16 x
  def u8 (x: u8) : t = intrinsics.to_f16 x
  def u16 (x: u16) : t = intrinsics.to_f16 x
  def u32 (x: u32) : t = intrinsics.to_f16 x
  def u64 (x: u64) : t = intrinsics.to_f16 x
  def f16 (x: f16) : t = intrinsics.to_f16 x
  def f32 (x: f32) : t = intrinsics.to_f16 x
  def f64 (x: f64) : t = intrinsics.to_f16 x
  def bool (x: bool) : t = intrinsics.to_f16 x
  def to_i64 (x: t) : i64 = intrinsics.to_i64 x
  def to_f64 (x: t) : f64 = intrinsics.to_f64 x
  def to_bits (x: t) : int_t = intrinsics.f16_to_bits x
  def from_bits (x: int_t) : t = intrinsics.f16_from_bits x

  def num_bits : i32 = 16
  def epsilon : t = 9.765625e-4
  def pi : t = 3.141592653589793238462643
  def e : t = 2.718281828459045235360287

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y

  def inf : t = 1 / 0
  def nan : t = 0 / 0
  def highest : t = inf
  def lowest : t = -inf

  def neg (x: t) : t = -x
  def abs (x: t) : t = intrinsics.abs x
  def sgn (x: t) : t = intrinsics.sgn x
  def max (x: t) (y: t) : t = intrinsics.max x y
  def min (x: t) (y: t) : t = intrinsics.min x y

  def sqrt (x: t) : t = intrinsics.sqrt x
  def rsqrt (x: t) : t = intrinsics.rsqrt x
  def cbrt (x: t) : t = intrinsics.cbrt x
  def exp (x: t) : t = intrinsics.exp x
  def log (x: t) : t = intrinsics.log x
  def log2 (x: t) : t = intrinsics.log2 x
  def log10 (x: t) : t = intrinsics.log10 x
  def log1p (x: t) : t = intrinsics.log1p x
  def sin (x: t) : t = intrinsics.sin x
  def cos (x: t) : t = intrinsics.cos x
  def tan (x: t) : t = intrinsics.tan x
  def asin (x: t) : t = intrinsics.asin x
  def acos (x: t) : t = intrinsics.acos x
  def atan (x: t) : t = intrinsics.atan x
  def sinpi (x: t) : t = intrinsics.sinpi x
  def cospi (x: t) : t = intrinsics.cospi x
  def tanpi (x: t) : t = intrinsics.tanpi x
  def asinpi (x: t) : t = intrinsics.asinpi x
  def acospi (x: t) : t = intrinsics.acospi x
  def atanpi (x: t) : t = intrinsics.atanpi x
  def sinh (x: t) : t = intrinsics.sinh x
  def cosh (x: t) : t = intrinsics.cosh x
  def tanh (x: t) : t = intrinsics.tanh x
  def asinh (x: t) : t = intrinsics.asinh x
  def acosh (x: t) : t = intrinsics.acosh x
  def atanh (x: t) : t = intrinsics.atanh x
  def gamma (x: t) : t = intrinsics.gamma x
  def lgamma (x: t) : t = intrinsics.lgamma x
  def erf (x: t) : t = intrinsics.erf x
  def erfc (x: t) : t = intrinsics.erfc x
  def ceil (x: t) : t = intrinsics.ceil x
  def floor (x: t) : t = intrinsics.floor x
  def trunc (x: t) : t = intrinsics.trunc x
  def round (x: t) : t = intrinsics.round x
  def atan2 (x: t) (y: t) : t = intrinsics.atan2 x y
  def atan2pi (x: t) (y: t) : t = intrinsics.atan2pi x y
  def hypot (x: t) (y: t) : t = intrinsics.hypot x y
  def nextafter (x: t) (y: t) : t = intrinsics.nextafter x y
  def copysign (x: t) (y: t) : t = intrinsics.copysign x y
  def ldexp (x: t) (y: i32) : t = intrinsics.ldexp x y
  def lerp (a: t) (b: t) (c: t) : t = intrinsics.lerp a b c
  def mad (a: t) (b: t) (c: t) : t = intrinsics.mad a b c
  def fma (a: t) (b: t) (c: t) : t = intrinsics.fma a b c
  def isnan (x: t) : bool = intrinsics.isnan x
  def isinf (x: t) : bool = intrinsics.isinf x
}

-- | Operations on `f32`.
module prim_f32 = {
  type t = f32
  type int_t = u32

  def i8 (x: i8) : t = intrinsics.to_f32 x
  def i16 (x: i16) : t = intrinsics.to_f32 x
  def i32 (x: i32) : t = intrinsics.to_f32 x
  def i64 (x: i64) : t = intrinsics.to_f32 x
  def u8 (x: u8) : t = intrinsics.to_f32 x
  def u16 (x: u16) : t = intrinsics.to_f32 x
  def u32 (x: u32) : t = intrinsics.to_f32 x
  def u64 (x: u64) : t = intrinsics.to_f32 x
  def f16 (x: f16) : t = intrinsics.to_f32 x
  def f32 (x: f32) : t = intrinsics.to_f32 x
  def f64 (x: f64) : t = intrinsics.to_f32 x
  def bool (x: bool) : t = intrinsics.to_f32 x
  def to_i64 (x: t) : i64 = intrinsics.to_i64 x
  def to_f64 (x: t) : f64 = intrinsics.to_f64 x
  def to_bits (x: t) : int_t = intrinsics.f32_to_bits x
  def from_bits (x: int_t) : t = intrinsics.f32_from_bits x

  def num_bits : i32 = 32
  def epsilon : t = 1.1920929e-7
  def pi : t = 3.141592653589793238462643
  def e : t = 2.718281828459045235360287

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y

  def inf : t = 1 / 0
  def nan : t = 0 / 0
  def highest : t = inf
  def lowest : t = -inf

  def neg (x: t) : t = -x
  def abs (x: t) : t = intrinsics.abs x
  def sgn (x: t) : t = intrinsics.sgn x
  def max (x: t) (y: t) : t = intrinsics.max x y
  def min (x: t) (y: t) : t = intrinsics.min x y

  def sqrt (x: t) : t = intrinsics.sqrt x
  def rsqrt (x: t) : t = intrinsics.rsqrt x
  def cbrt (x: t) : t = intrinsics.cbrt x
  def exp (x: t) : t = intrinsics.exp x
  def log (x: t) : t = intrinsics.log x
  def log2 (x: t) : t = intrinsics.log2 x
  def log10 (x: t) : t = intrinsics.log10 x
  def log1p (x: t) : t = intrinsics.log1p x
  def sin (x: t) : t = intrinsics.sin x
  def cos (x: t) : t = intrinsics.cos x
  def tan (x: t) : t = intrinsics.tan x
  def asin (x: t) : t = intrinsics.asin x
  def acos (x: t) : t = intrinsics.acos x
  def atan (x: t) : t = intrinsics.atan x
  def sinpi (x: t) : t = intrinsics.sinpi x
  def cospi (x: t) : t = intrinsics.cospi x
  def tanpi (x: t) : t = intrinsics.tanpi x
  def asinpi (x: t) : t = intrinsics.asinpi x
  def acospi (x: t) : t = intrinsics.acospi x
  def atanpi (x: t) : t = intrinsics.atanpi x
  def sinh (x: t) : t = intrinsics.sinh x
  def cosh (x: t) : t = intrinsics.cosh x
  def tanh (x: t) : t = intrinsics.tanh x
  def asinh (x: t) : t = intrinsics.asinh x
  def acosh (x: t) : t = intrinsics.acosh x
  def atanh (x: t) : t = intrinsics.atanh x
  def gamma (x: t) : t = intrinsics.gamma x
  def lgamma (x: t) : t = intrinsics.lgamma x
  def erf (x: t) : t = intrinsics.erf x
  def erfc (x: t) : t = intrinsics.erfc x
  def ceil (x: t) : t = intrinsics.ceil x
  def floor (x: t) : t = intrinsics.floor x
  def trunc (x: t) : t = intrinsics.trunc x
  def round (x: t) : t = intrinsics.round x
  def atan2 (x: t) (y: t) : t = intrinsics.atan2 x y
  def atan2pi (x: t) (y: t) : t = intrinsics.atan2pi x y
  def hypot (x: t) (y: t) : t = intrinsics.hypot x y
  def nextafter (x: t) (y: t) : t = intrinsics.nextafter x y
  def copysign (x: t) (y: t) : t = intrinsics.copysign x y
  def ldexp (x: t) (y: i32) : t = intrinsics.ldexp x y
  def lerp (a: t) (b: t) (c: t) : t = intrinsics.lerp a b c
  def mad (a: t) (b: t) (c: t) : t = intrinsics.mad a b c
  def fma (a: t) (b: t) (c: t) : t = intrinsics.fma a b c
  def isnan (x: t) : bool = intrinsics.isnan x
  def isinf (x: t) : bool = intrinsics.isinf x
}

-- | Operations on `f64`.
module prim_f64 = {
  type t = f64
  type int_t = u64

  def i8 (x: i8) : t = intrinsics.to_f64 x
  def i16 (x: i16) : t = intrinsics.to_f64 x
  def i32 (x: i32) : t = intrinsics.to_f64 x
  def i64 (x: i64) : t = intrinsics.to_f64 x
  def u8 (x: u8) : t = intrinsics.to_f64 x
  def u16 (x: u16) : t = intrinsics.to_f64 x
  def u32 (x: u32) : t = intrinsics.to_f64 x
  def u64 (x: u64) : t = intrinsics.to_f64 x
  def f16 (x: f16) : t = intrinsics.to_f64 x
  def f32 (x: f32) : t = intrinsics.to_f64 x
  def f64 (x: f64) : t = intrinsics.to_f64 x
  def bool (x: bool) : t = intrinsics.to_f64 x
  def to_i64 (x: t) : i64 = intrinsics.to_i64 x
  def to_f64 (x: t) : f64 = intrinsics.to_f64 x
  def to_bits (x: t) : int_t = intrinsics.f64_to_bits x
  def from_bits (x: int_t) : t = intrinsics.f64_from_bits x

  def num_bits : i32 = 64
  def epsilon : t = 2.220446049250313e-16
  def pi : t = 3.141592653589793238462643
  def e : t = 2.718281828459045235360287

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y

  def inf : t = 1 / 0
  def nan : t = 0 / 0
  def highest : t = inf
  def lowest : t = -inf

  def neg (x: t) : t = -x
  def abs (x: t) : t = intrinsics.abs x
  def sgn (x: t) : t = intrinsics.sgn x
  def max (x: t) (y: t) : t = intrinsics.max x y
  def min (x: t) (y: t) : t = intrinsics.min x y

  def sqrt (x: t) : t = intrinsics.sqrt x
  def rsqrt (x: t) : t = intrinsics.rsqrt x
  def cbrt (x: t) : t = intrinsics.cbrt x
  def exp (x: t) : t = intrinsics.exp x
  def log (x: t) : t = intrinsics.log x
  def log2 (x: t) : t = intrinsics.log2 x
  def log10 (x: t) : t = intrinsics.log10 x
  def log1p (x: t) : t = intrinsics.log1p x
  def sin (x: t) : t = intrinsics.sin x
  def cos (x: t) : t = intrinsics.cos x
  def tan (x: t) : t = intrinsics.tan x
  def asin (x: t) : t = intrinsics.asin x
  def acos (x: t) : t = intrinsics.acos x
  def atan (x: t) : t = intrinsics.atan x
  def sinpi (x: t) : t = intrinsics.sinpi x
  def cospi (x: t) : t = intrinsics.cospi x
  def tanpi (x: t) : t = intrinsics.tanpi x
  def asinpi (x: t) : t = intrinsics.asinpi x
  def acospi (x: t) : t = intrinsics.acospi x
  def atanpi (x: t) : t = intrinsics.atanpi x
  def sinh (x: t) : t = intrinsics.sinh x
  def cosh (x: t) : t = intrinsics.cosh x
  def tanh (x: t) : t = intrinsics.tanh x
  def asinh (x: t) : t = intrinsics.asinh x
  def acosh (x: t) : t = intrinsics.acosh x
  def atanh (x: t) : t = intrinsics.atanh x
  def gamma (x: t) : t = intrinsics.gamma x
  def lgamma (x: t) : t = intrinsics.lgamma x
  def erf (x: t) : t = intrinsics.erf x
  def erfc (x: t) : t = intrinsics.erfc x
  def ceil (x: t) : t = intrinsics.ceil x
  def floor (x: t) : t = intrinsics.floor x
  def trunc (x: t) : t = intrinsics.trunc x
  def round (x: t) : t = intrinsics.round x
  def atan2 (x: t) (y: t) : t = intrinsics.atan2 x y
  def atan2pi (x: t) (y: t) : t = intrinsics.atan2pi x y
  def hypot (x: t) (y: t) : t = intrinsics.hypot x y
  def nextafter (x: t) (y: t) : t = intrinsics.nextafter x y
  def copysign (x: t) (y: t) : t = intrinsics.copysign x y
  def ldexp (x: t) (y: i32) : t = intrinsics.ldexp x y
  def lerp (a: t) (b: t) (c: t) : t = intrinsics.lerp a b c
  def mad (a: t) (b: t) (c: t) : t = intrinsics.mad a b c
  def fma (a: t) (b: t) (c: t) : t = intrinsics.fma a b c
  def isnan (x: t) : bool = intrinsics.isnan x
  def isinf (x: t) : bool = intrinsics.isinf x
}
