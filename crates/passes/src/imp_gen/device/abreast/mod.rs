//! Points abreast: a thread of a map does several points that differ in one index, and what they have in common it does once.
//!
//! ```text
//! for c { x = image[y, z + c]; sum += x * filter[o, c] }               // for each point (o, y, z)
//! ```
//! with several `o` in one thread:
//! ```text
//! for c { x = image[y, z + c]; sum0 += x * filter[o0, c]; sum1 += x * filter[o1, c]; .. }
//! ```
//!
//! It is for maps whose threads have loops: convolutions, filters of signals, sums over what many points read. What is loaded for several points is loaded
//! once, loops are counted once, and sums that do not wait for each other are under way at the same time. Points of a map have nothing to do with each other, so their statements may
//! stand in any order; those of one point keep theirs.
//!
//! Method: the code of one point is generated as for a thread of its own. `Dependence` finds which variables depend on an index; their statements are there once for each point (`copies`), the
//! others once. The index is the one for which this costs least. The points of a thread are far apart, so that neighbouring threads have neighbouring points; those behind the last one are the last one
//! again: they store the same.
//!
//! Refuses: code that takes memory, calls, or stores anywhere but at its end; loops whose number of iterations depends on the index; branches in loops that load, for which a compiler finds
//! nothing better than to branch; maps with few points, where threads are what is missing. Where the rows of a loop inside are already done side by side (`jam`), the better of both is taken.

mod copies;
mod dependence;

use super::GROUP;
use super::kernel::Kernel;
use super::kernels::{array_inside, scalar_inside};
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use copies::copies;
use dependence::{best_loop, saving};
use norn_ir::imp::{Block, Exp, Var as ImpVar};

/// How many points a thread has.
const ABREAST: i64 = 4;
/// A map has at least this part of the threads that run at once in threads with several points.
const FEW: i64 = 8;
/// The index is at least as large as this, so that little is done twice at the end.
const LEAST: i64 = 16;
/// What several points together must not cost more than, for each 100 that they cost one by one.
const WORTH: u64 = 75;

impl Gen<'_> {
    /// In a kernel: which of these indices of the point points abreast should differ in, if that is worth it. Given the code for the point, as it is if nothing in it is
    /// done side by side, and whether something usually is.
    pub fn points_abreast(&self, point: &Block, indices: &[Exp], is_jammed: bool) -> Option<usize> {
        let vars: Vec<ImpVar> = indices.iter().map(variable).collect::<Option<_>>()?;
        let lanes = *vars.last()?;
        let costs =
            (0..vars.len()).filter_map(|dim| Some((saving(point, vars[dim], lanes, ABREAST as u64)?, dim)));
        let (cost, dim) = costs.min()?;
        let other = is_jammed.then(|| best_loop(point, lanes)).flatten();
        (cost <= WORTH && other.is_none_or(|other| cost < other)).then_some(dim)
    }

    /// Whether points that differ in this index can be done abreast by enough threads.
    pub fn has_points_abreast(&mut self, widths: &[Exp], dim: usize) -> Exp {
        let total = Exp::product(widths.iter().cloned());
        let threads = Exp::DeviceGroups.mul(GROUP * ABREAST).quot(FEW);
        let many = threads.le(self.of_task(&total));
        self.code.atom("abreast", Exp::i64(LEAST).le(widths[dim].clone()).and(many))
    }

    /// The map with several points for each thread, which differ in this index.
    pub fn launch_abreast(&mut self, map: &Kernel, widths: &[Exp], dim: usize, outs: &[Array], grid: &Grid) {
        let width = widths[dim].clone();
        let parts = self.code.atom("parts", width.clone().add(ABREAST - 1).quot(ABREAST));
        let mut fewer = widths.to_vec();
        fewer[dim] = parts.clone();
        let total = self.code.atom("total", Exp::product(fewer.iter().cloned()));
        let groups = self.groups_apart(&total);
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.extend(fewer.into_iter().chain([parts, width, total]).map(Repr::Scalar));
        self.launch_looping_groups("map", &grid.captured, &extra, groups, &mut |this, _, mut given| {
            let mut last = || scalar_inside(given.pop());
            let (total, width, parts) = (last(), last(), last());
            let widths = given.split_off(outs.len());
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            this.each_apart(&total, &mut |this, i| {
                let mut indices = this.indices_of(i, &widths);
                let point = this.code.bind("point", indices[dim].clone());
                let end = width.clone().sub(1);
                let points: Vec<ImpVar> = (1..ABREAST)
                    .map(|number| {
                        let other = Exp::Var(point).add(parts.clone().mul(number));
                        this.code.bind("point", other.min(end.clone()))
                    })
                    .collect();
                indices[dim] = point.into();
                let code = this.plain_element(map, &outs, &indices);
                copies(&mut this.code, code, point, &points);
            });
        });
    }
}

fn variable(exp: &Exp) -> Option<ImpVar> {
    match exp {
        Exp::Var(var) => Some(*var),
        _ => None,
    }
}
