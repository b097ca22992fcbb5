//! Values as the parts that cross to compiled code, there and back.

use norn_interp::{Elements, Parts, Value};
use norn_ir::nest::Elem;
use norn_ir::nest::Prim;
use norn_ir::nest::iface::Column;
use norn_values::Data as Host;

#[test]
fn parts_go_there_and_back() {
    let column = |irregular: &[bool]| Column { elem: Elem::Prim(Prim::I32), irregular: irregular.to_vec() };
    let parts = |dims: &[Option<usize>], offsets: &[&[i64]], elements: &[i32]| Parts {
        dims: dims.to_vec(),
        offsets: offsets.iter().map(|level| level.to_vec()).collect(),
        elements: Elements::Prim(Host::I32(elements.to_vec())),
    };
    for (pattern, parts) in [
        (&[false, false][..], parts(&[Some(2), Some(2)], &[], &[1, 2, 3, 4])),
        (&[false, true], parts(&[Some(3), None], &[&[0, 1, 1, 3]], &[1, 2, 3])),
        (&[false, true], parts(&[Some(0), None], &[&[0]], &[])),
        (
            &[false, false, true, false, true],
            parts(
                &[Some(1), Some(2), None, Some(2), None],
                &[&[0, 1, 3], &[0, 1, 1, 2, 2, 2, 5]],
                &[1, 2, 3, 4, 5],
            ),
        ),
        (&[false, true, true], parts(&[Some(2), None, None], &[&[0, 0, 2], &[0, 2, 3]], &[1, 2, 3])),
    ] {
        let value = Value::from_parts(parts.clone(), None);
        assert_eq!(value.to_parts(&column(pattern)), Some(parts), "{value:?}");
    }
    let rows = Value::from_parts(parts(&[Some(2), None], &[&[0, 1, 3]], &[1, 2, 3]), None);
    assert_eq!(
        rows.index_outer(1).and_then(|row| row.index_outer(1)),
        Some(Value::Scalar(norn_ir::nest::Scalar::I32(3)))
    );
    // A regular array is one whose rows happen to be of one length.
    let regular = Value::from_parts(parts(&[Some(2), Some(1)], &[], &[1, 2]), None);
    let irregular = parts(&[Some(2), None], &[&[0, 1, 2]], &[1, 2]);
    assert_eq!(regular.to_parts(&column(&[false, true])), Some(irregular));
    assert_eq!(regular.to_parts(&column(&[false])), None);
}
