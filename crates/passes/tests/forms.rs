//! The polynomials that bounds are proved with.

use norn_ir::nest::Var;
use norn_passes::nest::bounds::form::Form;

#[test]
fn forms_are_a_ring() {
    let [x, y, z] = [0, 1, 2].map(|i| Form::var(Var(i)));
    let sum = x.plus(&y).and_then(|sum| sum.plus_constant(3)).expect("small");
    let product = sum.times(&z).expect("small");
    let expanded = x.times(&z).and_then(|a| a.plus(&y.times(&z)?)?.plus_scaled(&z, 3)).expect("small");
    assert_eq!(product, expanded);
    assert_eq!(sum.minus(&sum), Some(Form::constant(0)));
    // (x + y + 3) with x := 2 z - y is 2 z + 3.
    let value = z.scaled(2).and_then(|z| z.minus(&y)).expect("small");
    assert_eq!(sum.with(Var(0), &value), z.scaled(2).and_then(|z| z.plus_constant(3)));
    assert_eq!(product.times(&product), None);
}
