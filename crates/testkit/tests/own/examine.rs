//! A spoilt program is noticed.

use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{BinOp, Body, Exp, Prim, ScalarExp};
use norn_testkit::nestfuzz::examine::inputs;
use norn_testkit::nestfuzz::generate::nest_program;
use norn_testkit::nestfuzz::inputs::Inputs;
use norn_testkit::nestfuzz::outcome::{difference, outcomes};

/// Makes the operation with this number another one. Sizes and counters stay, so that the program ends.
fn spoil(body: &mut Body, at: &mut usize) {
    for stm in &mut body.stms {
        if let Exp::Scalar(ScalarExp::Bin(op @ (BinOp::Add | BinOp::Xor | BinOp::Lt | BinOp::Max), prim, ..)) =
            &mut stm.exp
            && *prim != Prim::I64
        {
            let other =
                if prim.is_number() && op.result(*prim) == Some(*prim) { BinOp::Min } else { BinOp::Eq };
            *op = if *at == 0 { other } else { *op };
            *at = at.wrapping_sub(1);
        }
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => spoil(body, at),
            PartMut::Lambda(lambda) => spoil(&mut lambda.body, at),
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }
}

#[test]
fn wrong_programs_are_noticed() {
    let (mut tried, mut noticed) = (0, 0);
    for seed in 0..12 {
        let right = nest_program(seed, 20);
        let inputs = inputs(&right, Inputs::small(seed)).expect("inputs can be made");
        let before = outcomes(&right, 0, &inputs);
        for at in 0..8 {
            let mut wrong = right.clone();
            let fun = wrong.funs.last_mut().expect("there is an entry point");
            spoil(&mut fun.body, &mut { at });
            tried += usize::from(wrong != right);
            noticed += usize::from(difference(&before, &outcomes(&wrong, 0, &inputs)).is_some());
        }
    }
    assert!(noticed * 4 > tried, "{noticed} of {tried} wrong programs are noticed");
}
