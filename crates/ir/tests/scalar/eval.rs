//! Examples of what operators compute, at the edges of their types.

use norn_ir::scalar::eval::*;
use norn_ir::scalar::{BinOp, Prim, Scalar, TriOp, UnOp, f16};

#[test]
fn operators_exist_where_their_tables_say() {
    for prim in Prim::ALL {
        for op in UnOp::ALL {
            assert_eq!(un_op(op, prim).is_some(), op.result(prim).is_some(), "{op:?} {prim:?}");
        }
        for op in BinOp::ALL {
            assert_eq!(bin_op(op, prim).is_some(), op.result(prim).is_some(), "{op:?} {prim:?}");
        }
        for op in TriOp::ALL {
            assert_eq!(tri_op(op, prim).is_some(), op.result(prim).is_some(), "{op:?} {prim:?}");
        }
    }
}

#[test]
fn results_are_words_of_their_types() {
    let numbers = [0, 1, -1, 2, 7, -8, 127, -128, 255, i32::MIN as i128, i64::MIN as i128, u64::MAX as i128];
    for prim in Prim::ALL {
        let scalars: Vec<Scalar> = numbers.iter().map(|x| Scalar::from_int(prim, *x)).collect();
        for x in &scalars {
            for to in Prim::ALL {
                assert_eq!(convert(*x, to).prim(), to);
            }
            for op in UnOp::ALL {
                assert_eq!(eval_un(op, *x).map(Scalar::prim), op.result(prim), "{op:?} {x:?}");
            }
            for op in BinOp::ALL {
                for y in &scalars {
                    let y = convert(*y, op.second(prim));
                    let found = eval_bin(op, *x, y).map(Scalar::prim);
                    assert_eq!(found, op.result(prim), "{op:?} {x:?} {y:?}");
                }
            }
            for op in TriOp::ALL {
                for y in &scalars {
                    assert_eq!(eval_tri(op, *x, *y, *x).map(Scalar::prim), op.result(prim));
                }
            }
        }
    }
}

fn i32s(op: BinOp, x: i32, y: i32) -> i32 {
    match eval_bin(op, Scalar::I32(x), Scalar::I32(y)) {
        Some(Scalar::I32(z)) => z,
        other => panic!("{op:?}: {other:?}"),
    }
}

#[test]
fn quotients_round_down_and_towards_zero() {
    for (x, y, div, modulo, quot, rem) in [
        (7, 2, 3, 1, 3, 1),
        (-7, 2, -4, 1, -3, -1),
        (7, -2, -4, -1, -3, 1),
        (-7, -2, 3, -1, 3, -1),
        (6, -2, -3, 0, -3, 0),
        (5, 0, 0, 5, 0, 5),
        (i32::MIN, -1, i32::MIN, 0, i32::MIN, 0),
    ] {
        assert_eq!((i32s(BinOp::Div, x, y), i32s(BinOp::Mod, x, y)), (div, modulo), "{x} / {y}");
        assert_eq!((i32s(BinOp::Quot, x, y), i32s(BinOp::Rem, x, y)), (quot, rem), "{x} // {y}");
    }
    assert_eq!(eval_bin(BinOp::Div, Scalar::U8(255), Scalar::U8(2)), Some(Scalar::U8(127)));
    assert_eq!(eval_bin(BinOp::Mod, Scalar::F32(-7.0), Scalar::F32(2.0)), Some(Scalar::F32(-1.0)));
}

#[test]
fn powers_wrap_around() {
    assert_eq!(i32s(BinOp::Pow, 3, 4), 81);
    assert_eq!(i32s(BinOp::Pow, 2, 33), 0);
    assert_eq!(i32s(BinOp::Pow, -1, i32::MAX), -1);
    assert_eq!(i32s(BinOp::Pow, 0, 0), 1);
    assert_eq!(i32s(BinOp::Pow, 2, -1), 0);
}

#[test]
fn shifts_beyond_the_width_empty_the_number() {
    assert_eq!((i32s(BinOp::Shl, 1, 31), i32s(BinOp::Shl, 1, 32), i32s(BinOp::Shl, 1, -1)), (i32::MIN, 0, 0));
    assert_eq!((i32s(BinOp::Lshr, -1, 31), i32s(BinOp::Lshr, -1, 32)), (1, 0));
    assert_eq!((i32s(BinOp::Ashr, -8, 1), i32s(BinOp::Ashr, -8, 99), i32s(BinOp::Ashr, 8, 99)), (-4, -1, 0));
    assert_eq!(eval_bin(BinOp::Ashr, Scalar::U8(0x80), Scalar::U8(1)), Some(Scalar::U8(0xc0)));
}

#[test]
fn high_halves_of_products() {
    let hi = |x: Scalar, y: Scalar| eval_bin(BinOp::MulHi, x, y);
    assert_eq!(hi(Scalar::U64(u64::MAX), Scalar::U64(u64::MAX)), Some(Scalar::U64(u64::MAX - 1)));
    assert_eq!(hi(Scalar::I64(-1), Scalar::I64(2)), Some(Scalar::I64(-1)));
    assert_eq!(hi(Scalar::I8(100), Scalar::I8(100)), Some(Scalar::I8(39)));
    let mad = eval_tri(TriOp::MadHi, Scalar::U8(16), Scalar::U8(16), Scalar::U8(255));
    assert_eq!(mad, Some(Scalar::U8(0)));
}

#[test]
fn bits_are_counted_within_the_width() {
    let i32_of = |op, x| eval_un(op, x);
    assert_eq!(i32_of(UnOp::Popc, Scalar::I8(-1)), Some(Scalar::I32(8)));
    assert_eq!(i32_of(UnOp::Clz, Scalar::I8(1)), Some(Scalar::I32(7)));
    assert_eq!(i32_of(UnOp::Clz, Scalar::U16(0)), Some(Scalar::I32(16)));
    assert_eq!(i32_of(UnOp::Ctz, Scalar::U16(0)), Some(Scalar::I32(16)));
    assert_eq!(i32_of(UnOp::Ctz, Scalar::I64(8)), Some(Scalar::I32(3)));
}

#[test]
fn a_nan_yields_to_the_other_operand() {
    let (one, nan) = (Scalar::F64(1.0), Scalar::F64(f64::NAN));
    for op in [BinOp::Min, BinOp::Max] {
        assert_eq!(eval_bin(op, one, nan), Some(one));
        assert_eq!(eval_bin(op, nan, one), Some(one));
    }
    assert_eq!(eval_un(UnOp::Sgn, nan), Some(nan));
    for op in [BinOp::Lt, BinOp::Le, BinOp::Eq] {
        assert_eq!(eval_bin(op, nan, nan), Some(Scalar::Bool(false)));
    }
}

#[test]
fn rounding_takes_ties_to_even() {
    for (x, y) in [(0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, -0.0), (-3.5, -4.0)] {
        assert_eq!(eval_un(UnOp::Round, Scalar::F32(x)), Some(Scalar::F32(y)));
    }
}

#[test]
fn half_turns_are_exact_at_quarters() {
    let f = |op, x| match eval_un(op, Scalar::F64(x)) {
        Some(Scalar::F64(y)) => y,
        other => panic!("{other:?}"),
    };
    for k in -8i32..=8 {
        let x = k as f64 / 2.0;
        let (sin, cos) = ([0.0, 1.0, 0.0, -1.0], [1.0, 0.0, -1.0, 0.0]);
        let quarter = k.rem_euclid(4) as usize;
        assert_eq!((f(UnOp::Sinpi, x), f(UnOp::Cospi, x)), (sin[quarter], cos[quarter]), "at {x}");
        let y = x + 0.17;
        assert!((f(UnOp::Sinpi, y) - (y * std::f64::consts::PI).sin()).abs() < 1e-14);
        assert!((f(UnOp::Cospi, y) - (y * std::f64::consts::PI).cos()).abs() < 1e-14);
    }
}

#[test]
fn neighbours_of_halves() {
    let next = |x: f32, y: f32| match eval_bin(
        BinOp::Nextafter,
        Scalar::F16(f16::from_f32(x)),
        Scalar::F16(f16::from_f32(y)),
    ) {
        Some(Scalar::F16(z)) => z,
        other => panic!("{other:?}"),
    };
    assert_eq!(next(1.0, 2.0).to_bits(), f16::ONE.to_bits() + 1);
    assert_eq!(next(1.0, -2.0).to_bits(), f16::ONE.to_bits() - 1);
    assert_eq!(next(-1.0, 0.0).to_bits(), f16::NEG_ONE.to_bits() - 1);
    assert_eq!(next(0.0, -1.0).to_bits(), 0x8001);
    assert_eq!(next(65504.0, f32::INFINITY), f16::INFINITY);
    assert_eq!(next(3.0, 3.0).to_f32(), 3.0);
    assert!(next(f32::NAN, 3.0).is_nan() && next(3.0, f32::NAN).is_nan());
}

#[test]
fn conversions_keep_low_bits() {
    for (from, to) in [
        (Scalar::I8(-1), Scalar::U16(255)),
        (Scalar::I8(-1), Scalar::I16(-1)),
        (Scalar::U8(255), Scalar::I16(255)),
        (Scalar::I32(-1), Scalar::I64(-1)),
        (Scalar::I32(-1), Scalar::U64(0xffff_ffff)),
        (Scalar::I64(0x1_0000_0001), Scalar::I32(1)),
        (Scalar::F64(-3.5), Scalar::U32(4294967293)),
        (Scalar::F64(3e9), Scalar::I32(3e9 as u32 as i32)),
        (Scalar::F32(f32::NAN), Scalar::I32(0)),
        (Scalar::F32(f32::INFINITY), Scalar::I64(0)),
        (Scalar::F64(1e19), Scalar::U64(10_000_000_000_000_000_000)),
        (Scalar::F64(f64::NAN), Scalar::Bool(true)),
        (Scalar::F64(-0.0), Scalar::Bool(false)),
        (Scalar::Bool(true), Scalar::F32(1.0)),
        (Scalar::U64(u64::MAX), Scalar::F32(18446744073709551616.0)),
        (Scalar::I64(-7), Scalar::F16(f16::from_f32(-7.0))),
        (Scalar::I64(1 << 40), Scalar::F16(f16::INFINITY)),
    ] {
        assert_eq!(convert(from, to.prim()), to, "{from:?}");
    }
}
