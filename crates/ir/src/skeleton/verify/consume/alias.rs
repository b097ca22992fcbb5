//! Which memory a variable may occupy, for the rule of consumption.
//!
//! Memory is named by the variable that was bound when it came into being, its *root*: `let b = copy a` makes a
//! new one, a slice of `b` has that of `b`, and a branch that yields `a` or `b` may have either. Scalars
//! have none. Cells are never overwritten, but the arrays in them are memory, which a ref *holds*: it
//! must not be overwritten while the ref is used, and whoever loads it must not overwrite it.

use crate::skeleton::{Data, Elem, Type, Var};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Root {
    Array(Var),
    /// Whatever the refs in this parameter of the function lead to.
    Cells(Var),
}

#[derive(Clone, PartialEq, Default, Debug)]
pub struct Memory {
    /// What is overwritten when the variable is consumed.
    pub own: BTreeSet<Root>,
    /// What the refs in it lead to.
    pub held: BTreeSet<Root>,
}

impl Memory {
    pub fn of_array(var: Var) -> Memory {
        Memory { own: BTreeSet::from([Root::Array(var)]), held: BTreeSet::new() }
    }

    pub fn join(&mut self, other: &Memory) {
        self.own.extend(&other.own);
        self.held.extend(&other.held);
    }

    /// All of it, held by refs: what a cell made of these fields leads to.
    pub fn stored(&self) -> BTreeSet<Root> {
        self.own.union(&self.held).copied().collect()
    }

    /// A root that is overwritten when this is consumed, and that the other needs.
    pub fn clash(&self, other: &Memory) -> Option<Root> {
        self.own.iter().find(|root| other.own.contains(root) || other.held.contains(root)).copied()
    }
}

/// Whether cells of each data lead to arrays.
pub fn holds_arrays(datas: &[Data]) -> Vec<bool> {
    let mut holds = vec![false; datas.len()];
    loop {
        let before = holds.clone();
        for (i, data) in datas.iter().enumerate() {
            let mut columns = data.constrs.iter().flat_map(|constr| &constr.columns);
            holds[i] = columns.any(|ty| ty.is_array() || has_cells(ty, &before));
        }
        if holds == before {
            return holds;
        }
    }
}

/// Whether refs in a value of this type lead to arrays.
pub fn has_cells(ty: &Type, holds_arrays: &[bool]) -> bool {
    match ty.elem() {
        Some(Elem::Ref(data, _)) => holds_arrays.get(data.0 as usize).copied().unwrap_or(false),
        Some(Elem::Prim(_)) | None => false,
    }
}

/// Whether a value of this type is memory that can be overwritten.
pub fn is_memory(ty: &Type) -> bool {
    ty.is_array() || matches!(ty, Type::Acc(_))
}
