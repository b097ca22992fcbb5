-- | What every program sees without asking for it.
--
-- Each file opened here is a chapter of the library; a reader new to it should start with `soacs`
-- and `array`. The operators on numbers and truth values (`+`, `==`, `&&` and so on), `sort` and
-- `sort_by_key` are part of the language and defined nowhere.

open import "functional"
open import "zip"
open import "soacs"
open import "array"
open import "numeric"
open import "stream"
open import "irregular"
open import "sort"
open import "nesl"
open import "ad"

-- | The nearest single-precision number.
def r32 (x: i32) : f32 = f32.i32 x

-- | A single-precision number without its fraction.
def t32 (x: f32) : i32 = i32.f32 x

-- | The same number in double precision.
def r64 (x: i32) : f64 = f64.i32 x

-- | A double-precision number without its fraction.
def t64 (x: f64) : i32 = i32.f64 x

-- | Logical negation: the operator `!` as a function.
def not (x: bool) : bool = !x

-- | The argument, hidden from the compiler, which therefore does not fuse what computes it with
-- what uses it. The attribute `#[opaque]` does the same.
def opaque 't (x: t) : t = #[opaque] x

-- | The argument, which is printed when the program gets here. The attribute `#[trace]` does the
-- same, and can be given a tag to print beside it.
def trace 't (x: t) : t = #[trace(trace)] x

-- | The argument; an interactive run pauses here. The attribute `#[break]` does the same.
def break 't (x: t) : t = #[break] x
