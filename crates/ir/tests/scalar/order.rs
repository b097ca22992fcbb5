//! The order of scalars by their ranks.

use norn_ir::scalar::Prim;
use norn_ir::scalar::order::rank;
use norn_ir::scalar::{Scalar, f16_from_f64};

fn ascending(scalars: &[Scalar]) {
    let ranks: Vec<u64> = scalars.iter().map(|scalar| rank(scalar.prim(), scalar.bits())).collect();
    assert!(ranks.is_sorted_by(|x, y| x < y), "{scalars:?} have the ranks {ranks:?}");
}

#[test]
fn numbers_are_ordered_by_value() {
    ascending(&[-128, -1, 0, 127].map(Scalar::I8));
    ascending(&[i32::MIN, -1, 0, 1, i32::MAX].map(Scalar::I32));
    ascending(&[i64::MIN, -1, 0, 1, i64::MAX].map(Scalar::I64));
    ascending(&[0, 1, u64::MAX].map(Scalar::U64));
    ascending(&[false, true].map(Scalar::Bool));
}

#[test]
fn floats_are_ordered_totally() {
    let values = [f64::NEG_INFINITY, -1.5, -0.0, 0.0, 1.5, f64::INFINITY, f64::NAN];
    ascending(&values.map(Scalar::F64));
    ascending(&values.map(|x| Scalar::F32(x as f32)));
    ascending(&values.map(|x| Scalar::F16(f16_from_f64(x))));
    let negative = Scalar::F64(-f64::NAN);
    assert_eq!(rank(Prim::F64, negative.bits()), rank(Prim::F64, f64::NAN.to_bits()));
}
