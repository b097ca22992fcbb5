//! What one asks of an operator when deciding where it runs, whichever it is.

use crate::nest::{Atom, Exp, Lambda, StreamForm, Var};

pub struct Operator<'a> {
    pub width: Atom,
    /// The arrays that it takes element by element, or in chunks.
    pub inputs: &'a [Var],
    /// What it does with each element or chunk.
    pub lambda: Option<&'a Lambda>,
    /// What it combines two values by.
    pub reductions: Vec<&'a Lambda>,
    /// Whether it may run in a grid.
    pub can_be_split: bool,
    /// Whether what a piece yields depends on the pieces before it.
    pub is_ordered: bool,
}

/// The operator that an expression is.
pub fn operator(exp: &Exp) -> Option<Operator<'_>> {
    let whole = |width: &Atom, inputs, lambda| Operator {
        width: *width,
        inputs,
        lambda,
        reductions: Vec::new(),
        can_be_split: true,
        is_ordered: false,
    };
    match exp {
        Exp::Map { width, inputs, lambda } | Exp::Scatter { width, dests: _, inputs, lambda } => {
            Some(whole(width, inputs, Some(lambda)))
        }
        Exp::Filter { width, inputs, lambda } | Exp::Partition { width, inputs, lambda } => {
            Some(Operator { is_ordered: true, ..whole(width, inputs, Some(lambda)) })
        }
        Exp::Sort { width, keys, wanted: _ } => {
            Some(Operator { is_ordered: true, ..whole(width, std::slice::from_ref(keys), None) })
        }
        Exp::Reduce { width, op, inputs } => {
            Some(Operator { reductions: vec![&op.lambda], ..whole(width, inputs, None) })
        }
        Exp::Scan { width, op, inputs } => {
            Some(Operator { reductions: vec![&op.lambda], is_ordered: true, ..whole(width, inputs, None) })
        }
        Exp::Fused { width, inputs, lambda, scans, reductions } => Some(Operator {
            reductions: scans.iter().chain(reductions).map(|op| &op.lambda).collect(),
            is_ordered: !scans.is_empty(),
            ..whole(width, inputs, Some(lambda))
        }),
        Exp::Hist { width, dests: _, op, inputs, lambda } => {
            Some(Operator { reductions: vec![&op.lambda], ..whole(width, inputs, Some(lambda)) })
        }
        Exp::Stream { width, form, inputs, lambda } => {
            let stream = whole(width, inputs, Some(lambda));
            Some(match form {
                StreamForm::Map { any_order: _ } => stream,
                StreamForm::Reduce { any_order: _, op } => Operator { reductions: vec![op], ..stream },
                StreamForm::Seq { init: _ } => Operator { can_be_split: false, is_ordered: true, ..stream },
            })
        }
        Exp::AccStream { width, dests: _, op, inputs, lambda } => Some(Operator {
            reductions: op.iter().map(|op| &op.lambda).collect(),
            can_be_split: op.is_none(),
            ..whole(width, inputs, Some(lambda))
        }),
        Exp::Atom(_)
        | Exp::Un(..)
        | Exp::Bin(..)
        | Exp::Tri(..)
        | Exp::Convert { .. }
        | Exp::If { .. }
        | Exp::Switch { .. }
        | Exp::Loop { .. }
        | Exp::Call { .. }
        | Exp::Const(_)
        | Exp::Check(_)
        | Exp::ArrayLit(_)
        | Exp::Range { .. }
        | Exp::Replicate { .. }
        | Exp::Index { .. }
        | Exp::Update { .. }
        | Exp::Concat { .. }
        | Exp::Reshape { .. }
        | Exp::Rearrange { .. }
        | Exp::Copy(_)
        | Exp::Coerce { .. }
        | Exp::FlatIndex { .. }
        | Exp::FlatUpdate { .. }
        | Exp::Lengths(_)
        | Exp::JoinRows(_)
        | Exp::Segment { .. }
        | Exp::AccWrite { .. }
        | Exp::Region
        | Exp::Alloc { .. }
        | Exp::Null(_)
        | Exp::Tag { .. }
        | Exp::Load { .. }
        | Exp::Workers => None,
    }
}
