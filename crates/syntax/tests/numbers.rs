//! Numbers: where they end, and their values.

use norn_base::FileId;
use norn_syntax::ast::{Lit, Prim};
use norn_syntax::lexer::number::value;
use norn_syntax::lexer::{TokenKind, lex};

fn int(value: u128, suffix: Option<Prim>) -> Lit {
    Lit::Int { value: Some(value), suffix }
}

fn float(value: f64, suffix: Option<Prim>) -> Lit {
    Lit::Float { value, suffix }
}

#[test]
fn integers_in_every_base() {
    assert_eq!(value("1_000"), int(1000, None));
    assert_eq!(value("0xFF_ffu16"), int(0xffff, Some(Prim::U16)));
    assert_eq!(value("0b1010i8"), int(10, Some(Prim::I8)));
    assert_eq!(value("0rXIV"), int(14, None));
    assert_eq!(value("0rMCMXCIVi32"), int(1994, Some(Prim::I32)));
    assert_eq!(value("0x1f32"), int(0x1f32, None));
    assert_eq!(value("7f32"), int(7, Some(Prim::F32)));
    assert_eq!(value(&"9".repeat(50)), Lit::Int { value: None, suffix: None });
}

#[test]
fn floats() {
    assert_eq!(value("1.5"), float(1.5, None));
    assert_eq!(value("1e-3f64"), float(1e-3, Some(Prim::F64)));
    assert_eq!(value("2_0.5e+1f16"), float(205.0, Some(Prim::F16)));
    assert_eq!(value("1e999"), float(f64::INFINITY, None));
    assert_eq!(value("0x1.8p1"), float(3.0, None));
    assert_eq!(value("0xF.FFp-4f32"), float(0.999755859375, Some(Prim::F32)));
    assert_eq!(value("0x0.0000000000001p-1022"), float(f64::from_bits(1), None));
    assert_eq!(value("0x1.0p99999999999999999999"), float(f64::INFINITY, None));
    assert_eq!(value("0x1.0p-99999999999999999999"), float(0.0, None));
}

#[test]
fn numbers_end_where_they_should() {
    let taken = |text: &str, after_dot| {
        let text = if after_dot { format!("x.{text}") } else { text.into() };
        let tokens = lex(FileId(0), &text).tokens;
        let number = tokens.iter().find(|token| token.kind == TokenKind::Number).unwrap();
        (number.hi - number.lo) as usize
    };
    assert_eq!(taken("1..2", false), "1".len());
    assert_eq!(taken("1.5..2", false), "1.5".len());
    assert_eq!(taken("0.1", true), "0".len());
    assert_eq!(taken("0f32", true), "0".len());
    assert_eq!(taken("0x1.8p3f32+1", false), "0x1.8p3f32".len());
    assert_eq!(taken("0x1.field", false), "0x1".len());
    assert_eq!(taken("1e5+2", false), "1e5".len());
    assert_eq!(taken("1.foo", false), "1".len());
    assert_eq!(taken("0xs", false), "0".len());
    assert_eq!(taken("1i33", false), "1".len());
    assert_eq!(taken("1.5i32", false), "1.5".len());
}
