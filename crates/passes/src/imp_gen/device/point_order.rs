//! Loop interchange for maps: which point changes fastest from thread to thread, so that neighbouring threads read neighbours in memory.
//!
//! ```text
//! map n (transpose xss) \xs { map m (iota m) \j { xs[j - 1] + xs[j] + xs[j + 1] } }
//! ```
//!
//! Points `(i, j)` that differ by one in `j` read elements of `xss` that are a whole row apart; those that differ in `i`, neighbours. So `i` becomes the last
//! point. The results are made in the same order, and the array is a view of that: whoever needs it row-major copies it by tiles, and whoever
//! transposes it again gets it without a copy.
//!
//! Refuses results with a target whose order is fixed, and interchanges that save no more than one load for each element, which transposing the result would cost again.

use super::from_nest::{Inner, Reducing};
use super::kernel::Kernel;
use crate::imp_gen::owners::uses_of_stm;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Atom, Body, ControlExp, Exp, Scalar, Stm, Var};
use rustc_hash::FxHashMap;

/// A reduction over more elements is no part of what a thread does for a point.
const SHORT: i64 = 64;

/// So often is done what a loop does, or an operator for its elements.
const REPEATED: i64 = 4;

/// Points by their numbers, one bit for each.
type Points = u64;

impl Gen<'_> {
    /// The map that binds these, and what it ends in, with another point last; that point.
    pub fn along_memory(
        &self,
        vars: &[Var],
        map: &Kernel,
        inner: Option<&Inner>,
    ) -> Option<(Kernel, Option<Inner>, usize)> {
        let last = map.points.len().checked_sub(1).filter(|last| (1..64).contains(last))?;
        // A result with a target is stored there in the order of its dimensions.
        let fits = |var: &Var| self.ty(*var).rank() == map.points.len() && !self.places.contains_key(var);
        if !vars.iter().all(fits) {
            return None;
        }
        let reducing = match inner {
            None => None,
            Some(Inner::Reduce(reducing)) if is_short(&reducing.kernel) => Some(reducing),
            Some(Inner::Reduce(_) | Inner::Scan { .. }) => return None,
        };
        let (body, weight) = match reducing {
            Some(reducing) => (&reducing.kernel.body, REPEATED),
            None => (&map.body, 1),
        };
        let point = self.fastest(map, body, weight).filter(|point| *point != last)?;
        let permuted = |kernel: &Kernel| {
            let mut kernel = kernel.clone();
            let dim = kernel.points.remove(point);
            kernel.points.push(dim);
            kernel
        };
        let inner = reducing.map(|Reducing { kernel, by_elements, lengths }| {
            let lengths = lengths.as_ref().map(permuted);
            Inner::Reduce(Reducing { kernel: permuted(kernel), by_elements: *by_elements, lengths })
        });
        Some((permuted(map), inner, point))
    }

    /// The point along which the most loads go through memory, of those that are not the same for all of its values.
    fn fastest(&self, map: &Kernel, body: &Body, weight: i64) -> Option<usize> {
        let last = map.points.len() - 1;
        let (mut stms, mut weights) = (Vec::new(), FxHashMap::default());
        all_statements(body, weight, &mut stms, &mut weights);
        let mut depends: FxHashMap<Var, Points> = FxHashMap::default();
        depends.extend(map.points.iter().enumerate().map(|(number, dim)| (dim.var, 1 << number)));
        for stm in &stms {
            let mut points = 0;
            uses_of_stm(stm, &mut |var| points |= depends.get(&var).copied().unwrap_or(0));
            stm.vars.iter().for_each(|var| {
                depends.insert(*var, points);
            });
        }
        let of = |atom: Atom| atom.var().and_then(|var| depends.get(&var).copied()).unwrap_or(0);
        let mut gains = vec![0i64; map.points.len()];
        for load in self.loads(&stms, &[]).0 {
            let Some(Repr::Array(array)) = self.env.get(&load.array) else { continue };
            if array.counted.is_some() || !array.is_regular() || load.at.len() != array.lead.len() {
                continue;
            }
            let dense = array.lead.iter().rposition(|lead| lead.stride.as_i64() == Some(1));
            let Some(dense) = dense else { continue };
            let along = of(load.at[dense]);
            let others = load.at.iter().enumerate().filter(|(dim, _)| *dim != dense);
            let apart = others.fold(0, |points, (_, at)| points | of(*at));
            for (point, gain) in gains.iter_mut().enumerate().take(last) {
                let (this, that) = (1 << point, 1 << last);
                let better = along & this != 0 && apart & this == 0 && apart & that != 0;
                let worse = along & that != 0 && apart & that == 0 && apart & this != 0;
                *gain += weights[&load.var] * (i64::from(better) - i64::from(worse));
            }
        }
        let best = gains.iter().enumerate().max_by_key(|(point, gain)| (**gain, *point))?;
        // To read a single array in its order and to transpose the result gains nothing.
        (*best.1 > 1).then_some(best.0)
    }
}

/// An array whose last dimension is really this one.
pub fn transposed_back(array: Array, point: usize) -> Array {
    let mut lead = array.lead.clone();
    let last = lead.pop().expect("imp_gen: a map of no dimensions");
    lead.insert(point, last);
    let row_major_from = lead.len();
    Array { lead, row_major_from, ..array }
}

pub fn is_short(kernel: &Kernel) -> bool {
    matches!(kernel.through[0].size(), Some(Atom::Const(Scalar::I64(size))) if size <= SHORT)
}

/// The statements of a body and of those inside it, in their order, without what these are part of; of what each binds, how often that is
/// done.
fn all_statements(body: &Body, weight: i64, found: &mut Vec<Stm>, weights: &mut FxHashMap<Var, i64>) {
    for stm in &body.stms {
        let repeats = matches!(stm.exp, Exp::Control(ControlExp::Loop { .. }) | Exp::Op(_));
        let inside = if repeats { weight.saturating_mul(REPEATED) } else { weight };
        let mut has_bodies = false;
        stm.exp.for_each_part(&mut |part| match part {
            Part::Body(body) => {
                has_bodies = true;
                all_statements(body, inside, found, weights);
            }
            Part::Lambda(lambda) => {
                has_bodies = true;
                all_statements(&lambda.body, inside, found, weights);
            }
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        if !has_bodies {
            weights.extend(stm.vars.iter().map(|var| (*var, weight)));
            found.push(stm.clone());
        }
    }
}
