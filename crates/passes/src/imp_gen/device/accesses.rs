//! What the body of a kernel reads, by the indices of its space, however that is written.
//!
//! ```text
//! let xs: [m]f32 = index xss [i]
//! let x: f32 = index xs [k]              a load of xss at [i, k]
//! ```

use crate::imp_gen::owners::uses_of_stm;
use crate::imp_gen::repr::Repr;
use crate::imp_gen::state::Gen;
use norn_ir::imp;
use norn_ir::nest::{ArrayExp, Atom, Dim, DimIndex, Exp, Stm, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// A scalar of an array from outside of the kernel, at an index for each dimension.
pub struct Load {
    pub var: Var,
    pub array: Var,
    pub at: Vec<Atom>,
}

/// A part of an array: the indices that are known, and the dimensions that are left, in the order of the view.
#[derive(Clone)]
struct View {
    array: Var,
    at: Vec<Option<Atom>>,
    left: Vec<usize>,
}

impl Gen<'_> {
    /// The loads of the statements of a body with these results, and all other statements. Views that only loads go through are neither.
    pub fn loads(&self, stms: &[Stm], result: &[Atom]) -> (Vec<Load>, Vec<Stm>) {
        let mut views: FxHashMap<Var, View> = FxHashMap::default();
        let (mut loads, mut rest) = (Vec::new(), Vec::new());
        let mut of_views: Vec<Stm> = Vec::new();
        // Elements of ranges from 0 on are their indices.
        let mut counters: FxHashMap<Var, Atom> = FxHashMap::default();
        for stm in stms {
            let view = match (&stm.exp, &stm.vars[..]) {
                (Exp::Array(ArrayExp::Index { array, slice }), [var]) => {
                    self.fixed(*array, slice).map(|indices| {
                        let mut view = self.view(&views, *array);
                        let (looked_at, mut left) = (view.left.split_off(0), Vec::new());
                        for (number, dim) in looked_at.into_iter().enumerate() {
                            let Some(index) = indices.get(number).copied().flatten() else {
                                left.push(dim);
                                continue;
                            };
                            let counted = index.var().and_then(|var| counters.get(&var));
                            view.at[dim] = Some(counted.copied().unwrap_or(index));
                        }
                        (*var, View { left, ..view })
                    })
                }
                (Exp::Array(ArrayExp::Rearrange { array, perm }), [var]) => {
                    let mut view = self.view(&views, *array);
                    let left = view.left.clone();
                    perm.iter().enumerate().for_each(|(to, from)| view.left[to] = left[*from]);
                    Some((*var, view))
                }
                _ => None,
            };
            let Some((var, view)) = view else {
                rest.push(stm.clone());
                continue;
            };
            match view.at.iter().copied().collect::<Option<Vec<Atom>>>() {
                Some(at) if self.counts_from_zero(view.array) => {
                    counters.insert(var, at[0]);
                    of_views.push(stm.clone());
                }
                Some(at) => loads.push(Load { var, array: view.array, at }),
                None => {
                    views.insert(var, view);
                    of_views.push(stm.clone());
                }
            }
        }
        // A view that something else looks at is made.
        let mut used: FxHashSet<Var> = result.iter().filter_map(|atom| atom.var()).collect();
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

    fn counts_from_zero(&self, array: Var) -> bool {
        let Some(Repr::Array(array)) = self.env.get(&array) else { return false };
        let is = |exp: &imp::Exp, number: i64| exp.as_i64() == Some(number);
        array.prim == imp::Prim::I64
            && array.counted.as_ref().is_some_and(|counted| is(&counted.start, 0) && is(&counted.step, 1))
    }

    /// The index in each dimension of which one is looked at; none where all are. None if it is another part.
    fn fixed(&self, array: Var, slice: &[DimIndex]) -> Option<Vec<Option<Atom>>> {
        let dims = self.ty(array).dims();
        let index = |(at, dim): (&DimIndex, &Dim)| match at {
            DimIndex::Fix(index) => Some(Some(*index)),
            DimIndex::Slice { start, count, stride } => {
                let is_whole =
                    (*start, *stride) == (Atom::i64(0), Atom::i64(1)) && dim.atom() == Some(*count);
                is_whole.then_some(None)
            }
        };
        slice.iter().zip(dims).map(index).collect()
    }

    /// What is known of an array, or all of it.
    fn view(&self, views: &FxHashMap<Var, View>, array: Var) -> View {
        let rank = self.ty(array).rank();
        let whole = || View { array, at: vec![None; rank], left: (0..rank).collect() };
        views.get(&array).cloned().unwrap_or_else(whole)
    }
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
    uses_of_stm(stm, &mut |var| {
        used.insert(var);
    });
}
