//! Numbers: how far one reaches, and what it is worth.

use crate::ast::{Lit, Prim};

/// The length of the number that begins at this place.
pub(super) fn scan(text: &str, lo: usize) -> usize {
    let parts = Parts::of(&text[lo..], text[..lo].ends_with('.'));
    parts.digits.len() + parts.suffix.map_or(0, |s| s.name().len())
}

/// Whether a number can be the name of a field: only decimal digits.
pub fn is_field(text: &str) -> bool {
    text.bytes().all(is_digit)
}

/// The value of the number `text`.
pub fn value(text: &str) -> Lit {
    let Parts { digits, suffix, form } = Parts::of(text, false);
    match form {
        Form::Decimal => Lit::Int { value: integer(digits, 10), suffix },
        Form::Hex => Lit::Int { value: integer(&digits[2..], 16), suffix },
        Form::Binary => Lit::Int { value: integer(&digits[2..], 2), suffix },
        Form::Roman => Lit::Int { value: Some(roman(&digits[2..])), suffix },
        Form::Float => {
            // What the form allows, Rust can read; too large a number becomes infinite.
            let value = digits.replace('_', "").parse().unwrap_or(f64::NAN);
            Lit::Float { value, suffix }
        }
        Form::HexFloat => Lit::Float { value: hex_float(&digits[2..]), suffix },
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Form {
    Decimal,
    Hex,
    Binary,
    Roman,
    Float,
    HexFloat,
}

/// A number at the start of a text.
struct Parts<'a> {
    digits: &'a str,
    suffix: Option<Prim>,
    form: Form,
}

impl Parts<'_> {
    /// The longest number that `text` begins with. Right after a dot it is the name of a field: the
    /// `.1` of `t.0.1` belongs to the next one, and there is no suffix that makes it a float.
    fn of(text: &str, after_dot: bool) -> Parts<'_> {
        let (end, form) = form_of(text.as_bytes(), after_dot);
        let (digits, rest) = text.split_at(end);
        let suffix = Prim::ALL.into_iter().find(|prim| {
            let fits = match form {
                Form::Decimal => prim.is_int() || prim.is_float() && !after_dot,
                Form::Hex | Form::Binary | Form::Roman => prim.is_int(),
                Form::Float | Form::HexFloat => prim.is_float(),
            };
            fits && rest.starts_with(prim.name())
        });
        Parts { digits, suffix, form }
    }
}

/// Where the number without its suffix ends.
fn form_of(text: &[u8], after_dot: bool) -> (usize, Form) {
    let mut number = Cursor { text, at: 2 };
    match text {
        [b'0', b'x' | b'X', d, ..] if d.is_ascii_hexdigit() => {
            number.skip_while(is_hex_digit);
            let mut float = number;
            let has_fraction = float.eat(b".") && float.at_digit(16);
            float.skip_while(is_hex_digit);
            if has_fraction && float.eat(b"pP") {
                float.eat(b"+-");
                if float.skip_while(is_digit) > 0 {
                    return (float.at, Form::HexFloat);
                }
            }
            (number.at, Form::Hex)
        }
        [b'0', b'b' | b'B', b'0' | b'1', ..] => {
            number.skip_while(|b| b"01_".contains(&b));
            (number.at, Form::Binary)
        }
        [b'0', b'r' | b'R', d, ..] if b"IVXLCDM".contains(d) => {
            number.skip_while(|b| b"IVXLCDM_".contains(&b));
            (number.at, Form::Roman)
        }
        _ => {
            number.at = 0;
            number.skip_while(is_digit);
            let whole = number.at;
            if after_dot {
                return (whole, Form::Decimal);
            }
            let mut fraction = number;
            if fraction.eat(b".") && fraction.at_digit(10) {
                fraction.skip_while(is_digit);
                number = fraction;
            }
            let mut exponent = number;
            if exponent.eat(b"eE") {
                exponent.eat(b"+-");
                if exponent.skip_while(|b| b.is_ascii_digit()) > 0 {
                    number = exponent;
                }
            }
            (number.at, if number.at == whole { Form::Decimal } else { Form::Float })
        }
    }
}

#[derive(Clone, Copy)]
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn at_digit(&self, radix: u32) -> bool {
        self.text.get(self.at).is_some_and(|b| char::from(*b).is_digit(radix))
    }

    fn eat(&mut self, any_of: &[u8]) -> bool {
        let eats = self.text.get(self.at).is_some_and(|b| any_of.contains(b));
        self.at += usize::from(eats);
        eats
    }

    fn skip_while(&mut self, holds: impl Fn(u8) -> bool) -> usize {
        let count = self.text[self.at..].iter().take_while(|&&b| holds(b)).count();
        self.at += count;
        count
    }
}

fn is_digit(b: u8) -> bool {
    b.is_ascii_digit() || b == b'_'
}

fn is_hex_digit(b: u8) -> bool {
    b.is_ascii_hexdigit() || b == b'_'
}

/// None on overflow.
fn integer(digits: &str, radix: u32) -> Option<u128> {
    let mut digits = digits.chars().filter_map(|c| c.to_digit(radix));
    digits.try_fold(0u128, |n, d| n.checked_mul(radix.into())?.checked_add(d.into()))
}

/// Each letter counts, negatively if it stands before a greater one.
fn roman(digits: &str) -> u128 {
    let worth = |letter| match letter {
        'I' => 1,
        'V' => 5,
        'X' => 10,
        'L' => 50,
        'C' => 100,
        'D' => 500,
        'M' => 1000,
        _ => 0,
    };
    let letters: Vec<i128> = digits.chars().filter(|c| *c != '_').map(worth).collect();
    let counts = letters.iter().enumerate().map(|(i, &letter)| {
        let before_greater = letters.get(i + 1).is_some_and(|next| *next > letter);
        if before_greater { -letter } else { letter }
    });
    counts.sum::<i128>().max(0) as u128
}

/// The value of `1.8p-3`. Digits beyond those that an f64 can hold only round.
fn hex_float(text: &str) -> f64 {
    let text = text.replace('_', "");
    let (mantissa, exponent) = text.split_once(['p', 'P']).unwrap_or((&text, "0"));
    let fraction_digits = mantissa.split_once('.').map_or(0, |(_, f)| f.len());
    let mut scale = saturating_exponent(exponent) - 4 * fraction_digits as i64;
    let mut bits: u128 = 0;
    for digit in mantissa.chars().filter_map(|c| c.to_digit(16)) {
        if bits >> 120 == 0 {
            bits = bits << 4 | u128::from(digit);
        } else {
            bits |= u128::from(digit != 0);
            scale += 4;
        }
    }
    let mut value = bits as f64;
    // In steps: 2^scale alone may be out of range where the product is not.
    while scale != 0 && value != 0.0 && value.is_finite() {
        let step = scale.clamp(-1000, 1000);
        value *= 2f64.powi(step as i32);
        scale -= step;
    }
    value
}

/// An exponent so large that it does not fit makes the number infinite or zero all the same.
fn saturating_exponent(text: &str) -> i64 {
    const HUGE: i64 = 1 << 40;
    let digits = text.trim_start_matches(['+', '-']);
    let size = digits.bytes().fold(0i64, |n, d| (n * 10 + i64::from(d - b'0')).min(HUGE));
    if text.starts_with('-') { -size } else { size }
}
