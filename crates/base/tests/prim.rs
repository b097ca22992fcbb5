//! Primitive types, and numbers of 16 bits.

use half::f16;
use norn_base::Prim;
use norn_base::prim::f16_from_f64;

#[test]
fn names_read_back() {
    for prim in Prim::ALL {
        assert_eq!(Prim::from_name(prim.name()), Some(prim));
    }
    assert_eq!(Prim::from_name("i128"), None);
}

#[test]
fn an_f64_is_rounded_to_f16_once() {
    let bits = |x: f64| f16_from_f64(x).to_bits();
    assert_eq!((bits(1.000488281251), bits(1.00048828125), bits(1.000488281249)), (15361, 15360, 15360));
    assert_eq!((bits(65519.999999), bits(65520.0), bits(-65519.999999)), (0x7bff, 0x7c00, 0xfbff));
    // The middle between 0 and the least, and beside it.
    let middle = 2f64.powi(-25);
    assert_eq!((bits(middle), bits(middle * (1.0 + f64::EPSILON)), bits(-middle)), (0, 1, 0x8000));
    assert_eq!((bits(1e300), bits(-1e300), bits(1e-300), bits(f64::INFINITY)), (0x7c00, 0xfc00, 0, 0x7c00));
    assert!(f16_from_f64(f64::NAN).is_nan());
    for half in 0..=u16::MAX {
        let half = f16::from_bits(half);
        assert!(half.is_nan() || f16_from_f64(half.to_f64()).to_bits() == half.to_bits());
    }
}
