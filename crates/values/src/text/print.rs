//! Values to text: every scalar with its suffix, every float in the fewest digits that read back.

use crate::data::{Element, on_data};
use crate::value::{Value, sized_type};
use half::f16;
use std::fmt::{self, Write};

/// Appends a value, without a line break.
pub fn print_value(value: &Value, out: &mut String) {
    write_value(value, out).expect("a string can be written to");
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_value(self, f)
    }
}

fn write_value(value: &Value, out: &mut impl Write) -> fmt::Result {
    if value.is_empty() {
        return write!(out, "empty({})", sized_type(value.shape(), value.prim()));
    }
    on_data!(value.data(), elements => write_rows(value.shape(), elements, out))
}

/// The recursion is as deep as the value has dimensions, which are few.
fn write_rows<T: Print>(shape: &[usize], elements: &[T], out: &mut impl Write) -> fmt::Result {
    let Some((&count, inner)) = shape.split_first() else {
        return elements.iter().try_for_each(|x| x.print(out));
    };
    out.write_char('[')?;
    for (i, row) in elements.chunks_exact(elements.len() / count).enumerate() {
        if i > 0 {
            out.write_str(", ")?;
        }
        write_rows(inner, row, out)?;
    }
    out.write_char(']')
}

trait Print: Element {
    fn print(self, out: &mut impl Write) -> fmt::Result;
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Print for $ty {
            fn print(self, out: &mut impl Write) -> fmt::Result {
                write!(out, concat!("{}", stringify!($ty)), self)
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

impl Print for bool {
    fn print(self, out: &mut impl Write) -> fmt::Result {
        out.write_str(if self { "true" } else { "false" })
    }
}

macro_rules! floats {
    ($($ty:ty, |$x:ident| $digits:expr;)*) => {$(
        impl Print for $ty {
            fn print(self, out: &mut impl Write) -> fmt::Result {
                if self.is_nan() {
                    return out.write_str(concat!(stringify!($ty), ".nan"));
                }
                if self.is_infinite() {
                    let sign = if self.is_sign_negative() { "-" } else { "" };
                    return write!(out, concat!("{}", stringify!($ty), ".inf"), sign);
                }
                let $x = self;
                // `Debug` gives the fewest digits that read back, and an exponent where it is shorter.
                write!(out, concat!("{:?}", stringify!($ty)), $digits)
            }
        }
    )*};
}

floats! {
    f16, |x| shortest(x);
    f32, |x| x;
    f64, |x| x;
}

/// The f64 of the fewest digits among those that round to `x`. Five digits always suffice.
fn shortest(x: f16) -> f64 {
    let exact = x.to_f64();
    let rounded = |digits: usize| format!("{exact:.digits$e}").parse().unwrap_or(exact);
    (0..5).map(rounded).find(|&short| norn_base::prim::f16_from_f64(short) == x).unwrap_or(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar<T: Element>(x: T) -> String {
        Value::scalar(x).to_string()
    }

    #[test]
    fn scalars_have_suffixes() {
        assert_eq!(scalar(-1i8), "-1i8");
        assert_eq!(scalar(u64::MAX), "18446744073709551615u64");
        assert_eq!(scalar(true), "true");
        assert_eq!(scalar(1.0f32), "1.0f32");
        assert_eq!(scalar(0.1f32), "0.1f32");
        assert_eq!(scalar(-0.0f64), "-0.0f64");
        assert_eq!(scalar(1e300), "1e300f64");
        assert_eq!(scalar(f64::MIN_POSITIVE), "2.2250738585072014e-308f64");
        assert_eq!(scalar(f32::NAN), "f32.nan");
        assert_eq!(scalar(f64::NEG_INFINITY), "-f64.inf");
        assert_eq!(scalar(f16::INFINITY), "f16.inf");
    }

    #[test]
    fn every_f16_reads_back_in_few_digits() {
        assert_eq!(scalar(f16::from_f32(0.1)), "0.1f16");
        assert_eq!(scalar(f16::MAX), "65500.0f16");
        for bits in 0..=u16::MAX {
            let value = Value::scalar(f16::from_bits(bits));
            let read = crate::read_value(value.to_string().as_bytes(), None).unwrap();
            let is_nan = f16::from_bits(bits).is_nan();
            assert!(read.is_identical(&value) || is_nan, "{value}");
        }
    }

    #[test]
    fn arrays_are_nested_brackets() {
        let value = Value::array(vec![2, 1, 2], vec![1i32, 2, 3, 4]).unwrap();
        assert_eq!(value.to_string(), "[[[1i32, 2i32]], [[3i32, 4i32]]]");
        let deep = Value::array(vec![1; 255], vec![true]).unwrap().to_string();
        assert_eq!(deep, "[".repeat(255) + "true" + &"]".repeat(255));
    }

    #[test]
    fn empty_arrays_keep_their_shape() {
        let value = Value::array(vec![3, 0], Vec::<f16>::new()).unwrap();
        assert_eq!(value.to_string(), "empty([3][0]f16)");
    }
}
