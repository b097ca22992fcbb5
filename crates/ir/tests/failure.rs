//! Messages of failures.

use norn_ir::failure::{CheckKind, message};
use norn_ir::scalar::Prim;

#[test]
fn messages_are_sentences_with_the_operands() {
    let say = |kind: CheckKind, operands: &[i64]| {
        let words: Vec<u64> = operands.iter().map(|x| *x as u64).collect();
        message(&kind, &words)
    };
    assert_eq!(say(CheckKind::Index, &[-1, 3]), "Index -1 is out of bounds for a dimension of length 3.");
    assert_eq!(
        say(CheckKind::Slice, &[2, 3, 1, 4]),
        "The slice 2:5 is out of bounds for a dimension of length 4."
    );
    assert_eq!(
        say(CheckKind::Range(Prim::U8), &[1, 1, 200]),
        "The range 1..1..200 is invalid: its step is 0."
    );
    assert_eq!(message(&CheckKind::Exponent(Prim::I8), &[0xff]).split(' ').nth(2), Some("-1"));
    assert_eq!(say(CheckKind::Size, &[]), "The size is 0, but 0 was expected.");
}
