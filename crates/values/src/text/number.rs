//! Scalars of the text format: numbers, special floats and booleans.
//!
//! [`scan_scalar`] finds where a scalar ends and what form it has; [`Scalar::parse`] then makes an
//! element of a given type of it, without allocation in the common case.

use super::scan::{ends_word, found_at};
use crate::data::Element;
use crate::error::{ErrorKind, ReadError};
use half::f16;
use norn_base::Prim;
use norn_base::prim::f16_from_f64;
use std::borrow::Cow;

/// A scalar of the text, not yet of a type.
#[derive(Clone, Copy)]
pub(super) struct Literal<'a> {
    form: Form<'a>,
    suffix: Option<Prim>,
    /// Where the text goes on.
    end: usize,
}

/// What was written.
#[derive(Clone, Copy)]
pub(super) enum Form<'a> {
    /// Digits of an integer and underscores.
    Integer {
        negative: bool,
        radix: u64,
        digits: &'a [u8],
    },
    /// All of a decimal float: sign, digits and underscores, point, exponent.
    Float(&'a [u8]),
    /// Infinity or NaN of the type in the suffix.
    Special(f64),
    Bool(bool),
}

impl Literal<'_> {
    /// The type it has where nothing is expected.
    pub fn own_type(&self) -> Prim {
        match self.form {
            Form::Bool(_) => Prim::Bool,
            Form::Integer { .. } => self.suffix.unwrap_or(Prim::I32),
            Form::Float(_) | Form::Special(_) => self.suffix.unwrap_or(Prim::F64),
        }
    }
}

/// The scalar at `at`, if there is a complete one.
pub(super) fn scan_scalar(bytes: &[u8], at: usize) -> Option<Literal<'_>> {
    let first = *bytes.get(at)?;
    let negative = first == b'-';
    let start = if negative || first == b'+' { at + 1 } else { at };
    let literal = match bytes.get(start)? {
        b'0'..=b'9' => scan_number(bytes, at, start, negative)?,
        b'f' if !bytes[start..].starts_with(b"false") => scan_special(bytes, start, negative)?,
        b't' | b'f' if start == at => scan_bool(bytes, at)?,
        _ => return None,
    };
    ends_word(bytes, literal.end).then_some(literal)
}

fn scan_bool(bytes: &[u8], at: usize) -> Option<Literal<'static>> {
    let (word, truth) = if bytes[at] == b't' { ("true", true) } else { ("false", false) };
    let found = bytes[at..].starts_with(word.as_bytes());
    found.then_some(Literal { form: Form::Bool(truth), suffix: None, end: at + word.len() })
}

/// A number whose sign is at `at` (or absent) and whose first digit is at `start`.
fn scan_number(bytes: &[u8], at: usize, start: usize, negative: bool) -> Option<Literal<'_>> {
    let radix = match bytes.get(start + 1) {
        Some(b'x' | b'X') if bytes[start] == b'0' => 16,
        Some(b'b' | b'B') if bytes[start] == b'0' => 2,
        _ => 10,
    };
    let (start, mut end) = match radix {
        16 => (start + 2, skip_digits(bytes, start + 2, u8::is_ascii_hexdigit)?),
        2 => (start + 2, skip_digits(bytes, start + 2, |byte| matches!(byte, b'0' | b'1'))?),
        _ => (start, skip_digits(bytes, start, u8::is_ascii_digit)?),
    };
    let mut form = Form::Integer { negative, radix, digits: &bytes[start..end] };
    if radix == 10 {
        let integer_end = end;
        if bytes.get(end) == Some(&b'.') {
            end = skip_digits(bytes, end + 1, u8::is_ascii_digit)?;
        }
        if let Some(b'e' | b'E') = bytes.get(end) {
            let sign = matches!(bytes.get(end + 1), Some(b'-' | b'+'));
            end = skip_digits(bytes, end + 1 + usize::from(sign), u8::is_ascii_digit)?;
        }
        if end > integer_end {
            form = Form::Float(&bytes[at..end]);
        }
    }
    let suffix = scan_suffix(&bytes[end..]);
    end += suffix.map_or(0, |prim| prim.name().len());
    Some(Literal { form, suffix, end })
}

/// The end of a digit followed by digits and underscores.
fn skip_digits(bytes: &[u8], at: usize, is_digit: impl Fn(&u8) -> bool) -> Option<usize> {
    if !bytes.get(at).is_some_and(&is_digit) {
        return None;
    }
    let rest = &bytes[at..];
    let length = rest.iter().position(|byte| !is_digit(byte) && *byte != b'_').unwrap_or(rest.len());
    Some(at + length)
}

/// The numeric type whose name `rest` begins with.
fn scan_suffix(rest: &[u8]) -> Option<Prim> {
    match rest {
        [b'i', b'8', ..] => Some(Prim::I8),
        [b'i', b'1', b'6', ..] => Some(Prim::I16),
        [b'i', b'3', b'2', ..] => Some(Prim::I32),
        [b'i', b'6', b'4', ..] => Some(Prim::I64),
        [b'u', b'8', ..] => Some(Prim::U8),
        [b'u', b'1', b'6', ..] => Some(Prim::U16),
        [b'u', b'3', b'2', ..] => Some(Prim::U32),
        [b'u', b'6', b'4', ..] => Some(Prim::U64),
        [b'f', b'1', b'6', ..] => Some(Prim::F16),
        [b'f', b'3', b'2', ..] => Some(Prim::F32),
        [b'f', b'6', b'4', ..] => Some(Prim::F64),
        _ => None,
    }
}

fn scan_special(bytes: &[u8], start: usize, negative: bool) -> Option<Literal<'static>> {
    let suffix = scan_suffix(&bytes[start..]).filter(|prim| prim.is_float())?;
    let end = start + 7;
    let magnitude = match bytes.get(start + 3..end)? {
        b".nan" => f64::NAN,
        b".inf" => f64::INFINITY,
        _ => return None,
    };
    let number = if negative { -magnitude } else { magnitude };
    Some(Literal { form: Form::Special(number), suffix: Some(suffix), end })
}

/// An element that can be read from text.
pub(super) trait Scalar: Element {
    /// The element at `at`, and where the text goes on.
    fn parse(bytes: &[u8], at: usize) -> Result<(Self, usize), ReadError> {
        let literal = scan_scalar(bytes, at);
        if let Some(literal) = literal
            && literal.suffix.is_none_or(|suffix| suffix == Self::PRIM)
            && let Some(element) = Self::from_form(literal.form, literal.suffix.is_some())
        {
            return Ok((element, literal.end));
        }
        let kind = match literal {
            Some(Literal { form: Form::Integer { .. }, suffix, .. })
                if Self::PRIM.is_int() && suffix.is_none_or(|suffix| suffix == Self::PRIM) =>
            {
                return Err(ReadError::new(
                    at,
                    ErrorKind::OutOfRange,
                    range(Self::PRIM),
                    found_at(bytes, at),
                ));
            }
            Some(_) => ErrorKind::Type,
            None if at < bytes.len() => ErrorKind::Syntax,
            None => ErrorKind::Truncated,
        };
        Err(ReadError::new(at, kind, format!("a value of type {}", Self::PRIM), found_at(bytes, at)))
    }

    /// The element that the text stands for, where that is possible at this type. Whether the type is a part of the text.
    fn from_form(form: Form<'_>, is_typed: bool) -> Option<Self>;
}

impl Scalar for bool {
    fn from_form(form: Form<'_>, _: bool) -> Option<bool> {
        if let Form::Bool(truth) = form { Some(truth) } else { None }
    }
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Scalar for $ty {
            #[inline]
            fn from_form(form: Form<'_>, is_typed: bool) -> Option<$ty> {
                let Form::Integer { negative, radix, digits } = form else { return None };
                let mut magnitude = 0u64;
                for &digit in digits {
                    if digit != b'_' {
                        magnitude = magnitude.checked_mul(radix)?.checked_add(digit_value(digit))?;
                    }
                }
                if negative {
                    let negated = <$ty>::try_from(0i128 - i128::from(magnitude)).ok();
                    // `-1u16` is what it is in programs.
                    let unsigned = || (is_typed && <$ty>::MIN == 0).then(|| <$ty>::try_from(magnitude).ok()).flatten();
                    return negated.or_else(|| unsigned().map(<$ty>::wrapping_neg));
                }
                // Hexadecimal and binary numbers are bits: `0xff` is an i8, too.
                let fits = if radix == 10 { <$ty>::try_from(magnitude).is_ok() } else { magnitude >> (<$ty>::BITS - 1) <= 1 };
                fits.then_some(magnitude as $ty)
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

/// What the integers of a type are.
fn range(prim: Prim) -> String {
    let (low, high) = match (prim.is_signed(), prim.bits()) {
        (true, bits) => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        (false, bits) => (0, (1i128 << bits) - 1),
    };
    format!("a value of type {prim}, from {low} to {high}")
}

/// The value of a digit in any radix up to 16.
fn digit_value(digit: u8) -> u64 {
    u64::from(if digit.is_ascii_digit() { digit - b'0' } else { (digit | 0x20) - b'a' + 10 })
}

macro_rules! floats {
    ($($ty:ty, $parsed:ty, |$x:ident| $rounded:expr, |$wide:ident| $narrow:expr;)*) => {$(
        impl Scalar for $ty {
            #[inline]
            fn from_form(form: Form<'_>, _: bool) -> Option<$ty> {
                match form {
                    Form::Float(text) => {
                        let $x: $parsed = parse_decimal(text)?;
                        Some($rounded)
                    }
                    Form::Integer { negative, radix: 10, digits } => {
                        let $x: $parsed = parse_decimal(digits)?;
                        let magnitude = $rounded;
                        Some(if negative { -magnitude } else { magnitude })
                    }
                    Form::Integer { negative, radix, digits } => {
                        let $wide = parse_bits(digits, radix)?;
                        let magnitude = $narrow;
                        Some(if negative { -magnitude } else { magnitude })
                    }
                    Form::Special($wide) => Some($narrow),
                    Form::Bool(_) => None,
                }
            }
        }
    )*};
}

// An f16 is rounded twice, to f64 and then to f16. The two differ from one rounding only for text
// within a 2^-53rd part of the middle between two f16; Futhark rounds twice as well.
floats! {
    f16, f64, |x| f16_from_f64(x), |wide| f16_from_f64(wide);
    f32, f32, |x| x, |wide| wide as f32;
    f64, f64, |x| x, |wide| wide;
}

fn parse_decimal<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    let text = if text.contains(&b'_') {
        Cow::Owned(text.iter().copied().filter(|&byte| byte != b'_').collect())
    } else {
        Cow::Borrowed(text)
    };
    std::str::from_utf8(&text).ok()?.parse().ok()
}

/// A hexadecimal or binary number that a float holds exactly; none is written to be rounded.
fn parse_bits(digits: &[u8], radix: u64) -> Option<f64> {
    let mut number = 0u64;
    for &digit in digits.iter().filter(|&&digit| digit != b'_') {
        number = number.checked_mul(radix)?.checked_add(digit_value(digit))?;
    }
    (number <= 1 << f64::MANTISSA_DIGITS).then_some(number as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse<T: Scalar>(text: &str) -> Option<T> {
        let (element, end) = T::parse(text.as_bytes(), 0).ok()?;
        assert_eq!(end, text.len(), "{text}");
        Some(element)
    }

    #[test]
    fn a_number_without_suffix_fits_every_numeric_type() {
        assert_eq!(parse("42"), Some(42i8));
        assert_eq!(parse("42"), Some(42u64));
        assert_eq!(parse("42"), Some(42f32));
        assert_eq!(parse("42"), Some(f16::from_f32(42.0)));
        assert_eq!(parse::<bool>("42"), None);
        assert_eq!(parse::<i32>("4.0"), None);
        assert_eq!(parse::<i32>("4e1"), None);
    }

    #[test]
    fn a_suffix_fits_its_type_only() {
        assert_eq!(parse("-5i16"), Some(-5i16));
        assert_eq!(parse::<i32>("-5i16"), None);
        assert_eq!(parse("5f32"), Some(5f32));
        assert_eq!(parse::<f64>("5f32"), None);
        assert_eq!(parse::<i32>("1e5i32"), None);
    }

    #[test]
    fn radix_sign_and_underscores() {
        assert_eq!(parse("0xfF_0"), Some(0xff0i32));
        assert_eq!(parse("-0x10i8"), Some(-16i8));
        assert_eq!(parse("-0x10u8"), Some(0xf0u8));
        assert_eq!(parse("0b1_01i64"), Some(5i64));
        assert_eq!(parse("+1_000"), Some(1000i32));
        assert_eq!(parse("0x1f32"), Some(0x1f32i32));
        assert_eq!(parse("123_.456"), Some(123.456f64));
        assert_eq!(parse("-1_0.2_5e-0_1"), Some(-1.025f64));
        assert_eq!(parse("0x10"), Some(16f32));
        assert_eq!(parse("-0b11f64"), Some(-3f64));
        assert_eq!(parse::<f64>("0xffffffffffffffff"), None);
    }

    #[test]
    fn integers_do_not_wrap_around() {
        assert_eq!(parse::<i8>("255i8"), None);
        assert_eq!(parse("0xffffffff"), Some(-1i32));
        assert_eq!(parse::<u16>("-1"), None);
        assert_eq!(parse("-1u16"), Some(u16::MAX));
        assert_eq!(parse::<i8>("-129i8"), None);
        assert_eq!(parse::<i64>("18446744073709551617"), None);
        assert_eq!(parse("-9223372036854775808"), Some(i64::MIN));
    }

    #[test]
    fn floats_are_rounded_once() {
        // In the middle between two f32 but for the last digit, which an f64 does not hold.
        assert_eq!(parse("1.00000005960464477540f32"), Some(1.0000001f32));
        assert_eq!(parse("1e400f32"), Some(f32::INFINITY));
        assert_eq!(parse("70000f16"), Some(f16::INFINITY));
        assert!(parse::<f64>("-0").unwrap().is_sign_negative());
    }

    #[test]
    fn special_floats_and_booleans() {
        assert_eq!(parse("-f32.inf"), Some(f32::NEG_INFINITY));
        assert_eq!(parse("f16.inf"), Some(f16::INFINITY));
        assert!(parse::<f64>("f64.nan").unwrap().is_nan());
        assert_eq!(parse::<f32>("f64.nan"), None);
        assert_eq!(parse("true"), Some(true));
        assert_eq!(parse("false"), Some(false));
        assert_eq!(parse::<f32>("true"), None);
    }

    #[test]
    fn words_end_where_they_should() {
        for text in [
            "", "-", "+", "--1", "1a", "0x", "0xg", "0b2", "1.", ".5", "1e", "1e+", "1.5.5", "1i33", "i32",
            "f32", "f32.", "f32.nano", "truely", "1_i32_", "_1", "1f", "1'", "1é", "-true", "0x1.8p3",
        ] {
            assert!(scan_scalar(text.as_bytes(), 0).is_none(), "{text}");
        }
    }

    #[test]
    fn the_form_decides_the_type_where_none_is_expected() {
        let own_type = |text: &'static str| scan_scalar(text.as_bytes(), 0).unwrap().own_type();
        assert_eq!(own_type("1"), Prim::I32);
        assert_eq!(own_type("1.0"), Prim::F64);
        assert_eq!(own_type("1e3"), Prim::F64);
        assert_eq!(own_type("1f16"), Prim::F16);
        assert_eq!(own_type("f32.nan"), Prim::F32);
        assert_eq!(own_type("true"), Prim::Bool);
    }
}
