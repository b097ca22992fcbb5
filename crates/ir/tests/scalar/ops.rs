//! The tables of operators.

use norn_ir::scalar::{BinOp, Prim, TriOp, UnOp};

#[test]
fn names_lead_back_to_their_operators() {
    assert!(UnOp::ALL.iter().all(|op| UnOp::from_name(op.name()) == Some(*op)));
    assert!(BinOp::ALL.iter().all(|op| BinOp::from_name(op.name()) == Some(*op)));
    assert!(TriOp::ALL.iter().all(|op| TriOp::from_name(op.name()) == Some(*op)));
}

#[test]
fn every_operator_exists_at_some_type() {
    assert!(UnOp::ALL.iter().all(|op| Prim::ALL.iter().any(|p| op.result(*p).is_some())));
    assert!(BinOp::ALL.iter().all(|op| Prim::ALL.iter().any(|p| op.result(*p).is_some())));
    assert!(TriOp::ALL.iter().all(|op| Prim::ALL.iter().any(|p| op.result(*p).is_some())));
}
