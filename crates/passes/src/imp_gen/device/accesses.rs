//! What the body of a kernel reads, by the indices of its space, however that is written.
//!
//! ```text
//! let xs: [m]f32 = index xss [i]
//! let x: f32 = index xs [k]              a load of xss at [i, k]
//! ```

use crate::imp_gen::state::Gen;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{ArrayExp, Atom, Body, DimIndex, Exp, Stm, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// A scalar of an array from outside of the kernel, at an index for each dimension.
pub struct Load {
    pub var: Var,
    pub array: Var,
    pub at: Vec<Atom>,
}

impl Gen<'_> {
    /// The loads of these statements, and all other statements. Views that only loads go through are neither.
    pub fn loads(&self, stms: &[Stm]) -> (Vec<Load>, Vec<Stm>) {
        let mut views: FxHashMap<Var, (Var, Vec<Atom>)> = FxHashMap::default();
        let (mut loads, mut rest) = (Vec::new(), Vec::new());
        let mut of_views: Vec<Stm> = Vec::new();
        for stm in stms {
            let view = match (&stm.exp, &stm.vars[..]) {
                (Exp::Array(ArrayExp::Index { array, slice }), [var]) => {
                    fixed(slice).map(|indices| (*var, *array, indices))
                }
                _ => None,
            };
            let Some((var, array, indices)) = view else {
                rest.push(stm.clone());
                continue;
            };
            let (of, mut at) = views.get(&array).cloned().unwrap_or((array, Vec::new()));
            at.extend(indices);
            if self.ty(var).is_scalar() {
                loads.push(Load { var, array: of, at });
            } else {
                views.insert(var, (of, at));
                of_views.push(stm.clone());
            }
        }
        // A view that something else looks at is made.
        let mut used = FxHashSet::default();
        rest.iter().for_each(|stm| mentioned_in(stm, &mut used));
        let mut made = Vec::new();
        for stm in of_views.into_iter().rev() {
            if stm.vars.iter().any(|var| used.contains(var)) {
                mentioned_in(&stm, &mut used);
                made.push(stm);
            }
        }
        made.reverse();
        made.extend(rest);
        (loads, made)
    }
}

fn fixed(slice: &[DimIndex]) -> Option<Vec<Atom>> {
    let index = |dim: &DimIndex| match dim {
        DimIndex::Fix(index) => Some(*index),
        DimIndex::Slice { .. } => None,
    };
    slice.iter().map(index).collect()
}

/// The statements that do not depend on a variable, and those that do.
pub fn split_by_dependence(stms: &[Stm], on: Var) -> (Vec<Stm>, Vec<Stm>) {
    let mut varying: FxHashSet<Var> = FxHashSet::default();
    varying.insert(on);
    stms.iter().cloned().partition(|stm| {
        let mut used = FxHashSet::default();
        mentioned_in(stm, &mut used);
        used.extend(&stm.certs);
        let depends = used.iter().any(|var| varying.contains(var));
        if depends {
            varying.extend(&stm.vars);
        }
        !depends
    })
}

fn mentioned_in(stm: &Stm, used: &mut FxHashSet<Var>) {
    stm.for_each_part(&mut |part| mentioned_in_part(part, used));
}

fn mentioned_in_part(part: Part, used: &mut FxHashSet<Var>) {
    match part {
        Part::Atom(atom) => used.extend(atom.var()),
        Part::Var(var) => {
            used.insert(*var);
        }
        Part::Binder(_) => {}
        Part::Body(body) => mentioned_in_body(body, used),
        Part::Lambda(lambda) => mentioned_in_body(&lambda.body, used),
    }
}

fn mentioned_in_body(body: &Body, used: &mut FxHashSet<Var>) {
    body.stms.iter().for_each(|stm| mentioned_in(stm, used));
    used.extend(body.result.iter().filter_map(|atom| atom.var()));
}
