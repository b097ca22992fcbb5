//! Irregular results whose row lengths are cheap to compute before the rows are: from the lengths of input rows, or by some
//! scalar operations.
//!
//! ```text
//! map n (xss) \(k: i64, xs: [k]f32) { let ys: [k]f32 = map k (xs) .. in ys }      rows as long as those of xss
//! ```
//!
//! The lengths are added up first, and the rows are computed where they belong. The statements that compute a length are
//! done twice.

use super::outs::Out;
use crate::imp_gen::repr::{Array, Part, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, LoopForm, Prim};
use norn_ir::nest::walk::Part as ExpPart;
use norn_ir::nest::{
    ArrayExp, Atom, Body, Check, ControlExp, Dim, DimIndex, Exp as NestExp, Lambda, Stm, Var,
};
use rustc_hash::FxHashSet;

const I64: Elem = Elem::Prim(Prim::I64);

/// More statements are not done twice. So many scalar operations still take less time than to keep a row by itself until all lengths are known.
const LIMIT: usize = 32;

impl Gen<'_> {
    /// The output for a result of the lambda with irregular rows, if their lengths can be computed first.
    pub fn shaped_out(
        &mut self,
        var: Var,
        result: Atom,
        inputs: &[Var],
        lambda: &Lambda,
        width: &Exp,
        operator: &str,
    ) -> Option<Out> {
        let ty = self.ty(var);
        let dims = ty.dims();
        if dims.get(1) != Some(&Dim::Irregular) || dims[2..].contains(&Dim::Irregular) {
            return None;
        }
        let row = self.ty(result.var()?).dims();
        let length = row.first()?.atom()?;
        let slice = self.length_slice(lambda, length)?;

        let site = self.operator_site(operator);
        let entries = self.code.atom("entries", width.clone().add(1));
        let offsets = self.new_part("offsets", Prim::I64, &[entries], site);
        let total = self.code.bind("total", Exp::i64(0));
        self.code.store(I64, offsets.ptr.clone(), 0, Exp::i64(0));
        self.each(0, width.clone(), LoopForm::Plain, &mut |this, i| {
            let args = this.rows_at(inputs, &i);
            let mut length = Exp::i64(0);
            this.apply(&slice, args, &[], &mut |this| length = this.scalar(slice.body.result[0]));
            // What a check would refuse is not added.
            this.add_length(total, length.max(0));
            this.code.store(I64, offsets.ptr.clone(), i.add(1), total);
        });
        let prim = prim_of(ty.elem().expect("imp_gen: an output of no values"));
        let sizes = self.sizes(&dims[1..]);
        let inner: Vec<Exp> = sizes[1..].iter().flatten().cloned().collect();
        let name = self.name(var);
        let data: Part = self.new_elements(name, prim, &total.into(), &inner, site);
        let lead = self.row_major_lead(std::slice::from_ref(width));
        let offsets = vec![offsets];
        Some(Out::Shaped(Array { prim, lead, row_major_from: 0, tail: sizes, offsets, data, counted: None }))
    }

    /// The lambda reduced to what computes this size, if that is a few scalar operations.
    fn length_slice(&self, lambda: &Lambda, length: Atom) -> Option<Lambda> {
        let mut needed: FxHashSet<Var> = length.var().into_iter().collect();
        let mut stms: Vec<Stm> = Vec::new();
        let mut cost = 0;
        for stm in lambda.body.stms.iter().rev() {
            if !stm.vars.iter().any(|var| needed.contains(var)) {
                continue;
            }
            cost += self.scalar_operations(stm)?;
            if cost > LIMIT {
                return None;
            }
            needs_of(stm, &mut needed);
            stms.push(stm.clone());
        }
        stms.reverse();
        Some(Lambda { params: lambda.params.clone(), body: Body { stms, result: vec![length] } })
    }

    /// How many scalar operations a statement is, if it is nothing else.
    fn scalar_operations(&self, stm: &Stm) -> Option<usize> {
        let of_body =
            |body: &Body| body.stms.iter().map(|stm| self.scalar_operations(stm)).sum::<Option<usize>>();
        match &stm.exp {
            NestExp::Control(ControlExp::If { then, els, .. }) => {
                let are_scalars = stm.vars.iter().all(|var| self.ty(*var).rank() == 0);
                are_scalars.then_some(1 + of_body(then)? + of_body(els)?)
            }
            exp => is_of_elements(exp).then_some(1),
        }
    }
}

/// What a statement uses, in its branches, too: variables and certificates.
fn needs_of(stm: &Stm, needed: &mut FxHashSet<Var>) {
    needed.extend(&stm.certs);
    stm.for_each_part(&mut |part| match part {
        ExpPart::Atom(Atom::Var(var)) | ExpPart::Var(var) => {
            needed.insert(*var);
        }
        ExpPart::Body(body) => {
            needed.extend(body.result.iter().filter_map(|atom| atom.var()));
            body.stms.iter().for_each(|stm| needs_of(stm, needed));
        }
        ExpPart::Atom(Atom::Const(_)) | ExpPart::Binder(_) | ExpPart::Lambda(_) => {}
    });
}

/// Scalars from scalars, elements of arrays, and checks of scalars. Branches are for `scalar_operations` to look into.
fn is_of_elements(exp: &NestExp) -> bool {
    match exp {
        NestExp::Scalar(_) => true,
        NestExp::Array(ArrayExp::Index { array: _, slice }) => slice.iter().all(|dim| match dim {
            DimIndex::Fix(_) => true,
            DimIndex::Slice { .. } => false,
        }),
        NestExp::Control(ControlExp::Check(check)) => match check {
            Check::Shape { .. } | Check::Segments { .. } => false,
            Check::Index { .. }
            | Check::Slice { .. }
            | Check::Size { .. }
            | Check::NonNegative(_)
            | Check::NonZero(..)
            | Check::Exponent(..)
            | Check::Range { .. }
            | Check::Flat { .. }
            | Check::Assert { .. }
            | Check::Fail { .. } => true,
        },
        NestExp::Control(
            ControlExp::If { .. }
            | ControlExp::Switch { .. }
            | ControlExp::Loop { .. }
            | ControlExp::Call { .. }
            | ControlExp::Const(_),
        )
        | NestExp::Array(
            ArrayExp::ArrayLit(_)
            | ArrayExp::Range { .. }
            | ArrayExp::Replicate { .. }
            | ArrayExp::Update { .. }
            | ArrayExp::Reshape { .. }
            | ArrayExp::Rearrange { .. }
            | ArrayExp::Concat { .. }
            | ArrayExp::Copy(_)
            | ArrayExp::Coerce { .. }
            | ArrayExp::FlatIndex { .. }
            | ArrayExp::FlatUpdate { .. }
            | ArrayExp::Lengths(_)
            | ArrayExp::Ends(_)
            | ArrayExp::JoinRows(_)
            | ArrayExp::Segment { .. }
            | ArrayExp::AccWrite { .. },
        )
        | NestExp::Op(_)
        | NestExp::Cell(_) => false,
    }
}
