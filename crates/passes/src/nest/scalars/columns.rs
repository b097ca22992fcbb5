//! Operators over small rows of which only elements are used: they take these, from columns.
//!
//! ```text
//! map n (ps) \(p: [2]f32) {                   let xs: [n]f32 = index ps [0 ..< n, 0]
//!   let x: f32 = index p [0i64]               let ys: [n]f32 = index ps [0 ..< n, 1]
//!   let y: f32 = index p [1i64]        ==>    map n (xs, ys) \(x: f32, y: f32) {
//!   ..                                          ..
//! ```
//!
//! Columns are views, so nothing moves. Whoever looks at the inputs of an operator knows more of them. Refuses maps that yield such
//! elements: these would be copies of columns, one by one.

use super::{Scalars, beside, sizes, small};
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{ArrayExp, Atom, Body, Dim, DimIndex, Exp, Lambda, Operator, Scalar, Stm, Var};
use std::collections::BTreeMap;

impl Scalars<'_> {
    /// The columns come before the statement.
    pub fn take_columns(&mut self, stm: &mut Stm, out: &mut Vec<Stm>) {
        let like = beside(stm, Vec::new(), Exp::atom(Atom::i64(0)));
        let is_map = matches!(stm.exp, Exp::Op(Operator::Map { .. }));
        let Exp::Op(
            Operator::Map { width, inputs, lambda }
            | Operator::Fused { width, inputs, lambda, .. }
            | Operator::Filter { width, inputs, lambda }
            | Operator::Partition { width, inputs, lambda }
            | Operator::Scatter { width, inputs, lambda, .. }
            | Operator::Hist { width, inputs, lambda, .. },
        ) = &mut stm.exp
        else {
            return;
        };
        if inputs.len() != lambda.params.len() {
            return;
        }
        let (all, params) = (std::mem::take(inputs), std::mem::take(&mut lambda.params));
        for (input, param) in all.into_iter().zip(params) {
            let yields = |stm: &Stm| {
                element(stm, param).is_some() && lambda.body.result.contains(&Atom::Var(stm.vars[0]))
            };
            let only_moves = is_map && lambda.body.stms.iter().any(yields);
            match self.elements_used(input, param, lambda).filter(|_| !only_moves) {
                None => {
                    inputs.push(input);
                    lambda.params.push(param);
                }
                Some(mut elements) => {
                    let ty = self.names.ty(input).clone();
                    for (number, element) in &mut elements {
                        let name = self.names.name(input);
                        let column = self.names.fresh(&name, ty.with_dims(vec![Dim::Size(*width)]));
                        let slice = vec![DimIndex::whole(*width), DimIndex::Fix(Atom::i64(*number))];
                        out.push(beside(&like, vec![column], Exp::index(input, slice)));
                        *element = self.names.fresh(&self.names.name(param), ty.with_dims(Vec::new()));
                        inputs.push(column);
                        lambda.params.push(*element);
                    }
                    replace(&mut lambda.body, param, &elements);
                }
            }
        }
    }

    /// Which elements of the rows of an input are used, if nothing else is; what for is not known yet.
    fn elements_used(&self, input: Var, row: Var, lambda: &Lambda) -> Option<BTreeMap<i64, Var>> {
        let sizes = sizes(self.names.ty(row)).filter(|sizes| sizes.len() == 1)?;
        small(self.names.ty(row)).filter(|_| self.names.ty(input).rank() == 2)?;
        let mut used = BTreeMap::new();
        let only = uses(&lambda.body, row, &mut used) && used.keys().all(|at| (0..sizes[0]).contains(at));
        (only && !used.is_empty()).then_some(used)
    }
}

/// The elements of an array that a body takes. Whether it does nothing else with the array.
fn uses(body: &Body, array: Var, used: &mut BTreeMap<i64, Var>) -> bool {
    let mut only = !body.result.contains(&Atom::Var(array));
    for stm in &body.stms {
        if let Some(number) = element(stm, array) {
            used.insert(number, array);
            continue;
        }
        stm.for_each_part(&mut |part| match part {
            Part::Atom(Atom::Var(var)) | Part::Var(var) => only &= *var != array,
            Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
            Part::Body(body) => only &= uses(body, array, used),
            Part::Lambda(lambda) => only &= uses(&lambda.body, array, used),
        });
    }
    only
}

/// The number of the element that a statement takes of an array.
fn element(stm: &Stm, array: Var) -> Option<i64> {
    match &stm.exp {
        Exp::Array(ArrayExp::Index { array: from, slice }) if *from == array => match slice[..] {
            [DimIndex::Fix(Atom::Const(Scalar::I64(number)))] => Some(number),
            _ => None,
        },
        _ => None,
    }
}

fn replace(body: &mut Body, array: Var, elements: &BTreeMap<i64, Var>) {
    for stm in &mut body.stms {
        if let Some(var) = element(stm, array).and_then(|number| elements.get(&number)) {
            stm.exp = Exp::atom((*var).into());
            continue;
        }
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => replace(body, array, elements),
            PartMut::Lambda(lambda) => replace(&mut lambda.body, array, elements),
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }
}
