//! Values in the comments of programs, and what programs give.

use norn_ir::imp::{Elem, Prim, Prog, Scalar};

pub fn parse(name: &str, text: &str) -> Prog {
    let prog = norn_ir::imp::parse::parse(text).unwrap_or_else(|error| panic!("{name}:{error}"));
    let violations: Vec<String> = norn_ir::imp::verify::verify(&prog).iter().map(|v| v.to_string()).collect();
    assert!(violations.is_empty(), "{name}:\n{}", violations.join("\n"));
    prog
}

/// Values with commas between them.
pub fn values(text: &str) -> Vec<&str> {
    let mut values = Vec::new();
    let (mut start, mut depth) = (0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                values.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    values.push(text[start..].trim());
    values.retain(|value| !value.is_empty());
    values
}

pub fn elements(array: &str) -> Vec<&str> {
    let inside = array.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    values(inside.unwrap_or_else(|| panic!("{array} is no array")))
}

pub fn prim_of(elem: Elem) -> Prim {
    match elem {
        Elem::Prim(prim) => prim,
        Elem::Any | Elem::Block | Elem::Region => panic!("pointers to pointers cannot be given"),
    }
}

pub fn scalar(prim: Prim, text: &str) -> Scalar {
    match text {
        "true" => Scalar::Bool(true),
        "false" => Scalar::Bool(false),
        _ if prim.is_float() => {
            Scalar::from_float(prim, text.parse().unwrap_or_else(|_| panic!("{text} is no number")))
        }
        _ => Scalar::from_int(prim, text.parse().unwrap_or_else(|_| panic!("{text} is no number"))),
    }
}

/// The scalar of a word in hexadecimal digits.
pub fn word_of(prim: Prim, word: &str) -> Option<Scalar> {
    let word = u64::from_str_radix(word, 16).ok()?;
    let mask = u64::MAX >> (64 - 8 * prim.size());
    Scalar::from_bits(prim, word & mask)
}

pub fn readable(prim: Prim, word: &str) -> String {
    word_of(prim, word).map_or(word.to_string(), |scalar| scalar.to_string())
}

pub fn same(prim: Prim, found: &str, expected: &str) -> bool {
    word_of(prim, found).is_some_and(|found| same_scalars(found, scalar(prim, expected)))
}

/// Floats may differ in their last digits.
pub fn same_scalars(found: Scalar, expected: Scalar) -> bool {
    let number = |scalar: Scalar| match scalar {
        Scalar::F16(x) => Some((x.to_f64(), 1e-3)),
        Scalar::F32(x) => Some((x as f64, 1e-5)),
        Scalar::F64(x) => Some((x, 1e-8)),
        _ => None,
    };
    match (number(found), number(expected)) {
        (Some((x, close)), Some((y, _))) => {
            x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= close * y.abs().max(1.0)
        }
        _ => found == expected,
    }
}
