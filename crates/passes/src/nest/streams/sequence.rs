//! Sequences as loops: a stream that takes one chunk after the other and keeps no arrays takes one element after
//! the other.
//!
//! ```text
//! let s: f32 = stream n (xs) seq (0f32)              let s: f32 = loop (a: f32 = 0f32) for i: i64 < n {
//!   \(k: i64, a: f32, chunk: [k]f32) {        ==>      let chunk: [1]f32 = index xs [i:1i64:1i64]
//!     ..                                                 ..
//!   }                                                  }
//! ```
//!
//! Chunks may be cut anywhere, so they may be of one element (the paper on Futhark, section 4.3): arrays of one element
//! become scalars when the program is simplified, and nothing is stored between them.

use crate::nest::subst::{Names, Subst};
use norn_ir::nest::{
    Atom, Body, ControlExp, DimIndex, Exp, LoopForm, Operator, Param, Stm, StreamForm, Type,
};

/// Makes a loop of the statement if it is such a stream, and says whether it is.
pub fn as_loop(names: &mut Names, stm: &mut Stm) -> bool {
    let Exp::Op(Operator::Stream { width, form: StreamForm::Seq { init }, inputs, lambda }) = &mut stm.exp
    else {
        return false;
    };
    if stm.vars.len() > init.len() {
        return false;
    }
    let one = Atom::i64(1);
    let index = names.fresh("i", Type::i64());
    let size = lambda.params[0];
    let (accs, chunks) = lambda.params[1..].split_at(init.len());
    let mut body = Body::default();
    for (input, chunk) in inputs.iter().zip(chunks) {
        let slice = vec![DimIndex::Slice { start: index.into(), count: one, stride: one }];
        let exp = Exp::index(*input, slice);
        body.stms.push(Stm::new(vec![*chunk], exp, stm.span));
    }
    body.stms.append(&mut lambda.body.stms);
    body.result = std::mem::take(&mut lambda.body.result);
    let subst = Subst::of(&[size], [one]);
    subst.types_of(&mut names.vars, &lambda.params);
    subst.body_and_types(&mut names.vars, &mut body);
    let params = accs.iter().map(|acc| Param::plain(*acc)).zip(init.iter().copied()).collect();
    stm.exp = Exp::Control(ControlExp::Loop { params, form: LoopForm::For(index, *width), body });
    true
}
