//! The best plan: the 0-1 program of the paper, section 8, solved exactly within a budget.
//!
//! **Variables.** `o(i)`, the place of kernel `i` in the order of clusters; `f(i,j)`, 1 unless `i` and `j` are
//! fused (`o(i) = o(j)`); `c(a)`, 1 if array `a` is written to memory; `r(i,a)`, 1 if the cluster whose first
//! member is `i` reads `a`; and `d(i)`, 1 if the cheap map `i` is repeated in the clusters that use it.
//!
//! **Minimise** `n * clusters + 16 * sum c(a) + 8 * sum r(i,a) + sum d(i) work(i) (clusters that use i - 1)`.
//! `n` is more than all the rest can be, as in section 8.4, so that kernels come first. Arrays, traversals and
//! repeated work have a common scale instead of powers of `n`: no saved array is worth any amount of work.
//!
//! **Subject to** what `plan` lists. As inequalities:
//!
//! ```text
//! VFUSE-COMPAT   i into j, incompatible or not flowing        f(i,j) = 1
//! VFUSE-CLUSTER  i before j                                   o(i) + f(i,j) <= o(j)     (paper: o(i) <= o(j) + f)
//! HFUSE-COMPAT   i, j independent and incompatible            f(i,j) = 1
//! HFUSE-PREDS    i, j independent, no siblings                1 - f(i,j) <= pairs of fused predecessors, or
//!                                                             members of the cluster that link them
//! c              i makes a, j uses a                          c(a) >= f(i,j) - d(i)
//! SEAL           i flows into j, and j cannot keep arrays     f(i,k) <= f(i,j) for all users k of i
//! ```
//!
//! **Method.** Branch and bound that knows what these variables mean, instead of a general solver: kernels are
//! taken in the order of the block; each joins a cluster, begins one, or is repeated. That fixes all its `f` to
//! earlier kernels at once, so nothing has to be relaxed, and a solution is never fractional. The bound
//! counts what the kernels so far cost at least, plus as many clusters as there are kernels to come that
//! can join none of the present ones nor each other. The greedy plan is the first incumbent.
//! The budget is a number of steps, not a time, so that the same program always becomes the same.

use super::plan::{Clusters, Instance, Plan, all, members};

/// Steps for an instance: about a tenth of a second.
pub const BUDGET: u64 = 40_000;

pub struct Solution {
    pub plan: Plan,
    /// Whether it is the best, or only the best that was found within the budget.
    pub proven: bool,
    pub steps: u64,
}

/// The best plan, if it is found within so many steps; at least as good as the incumbent.
pub fn solve(instance: &Instance, incumbent: Plan, budget: u64) -> Solution {
    let clusters = instance.clusters(&incumbent);
    let weight = instance.weigh(instance.cost(&clusters, all(instance.len())));
    let mut search = BranchAndBound {
        instance,
        budget,
        steps: 0,
        best: incumbent,
        weight,
        clusters: Clusters::default(),
        exhausted: false,
    };
    search.step(0);
    Solution { plan: search.best, proven: !search.exhausted, steps: search.steps }
}

struct BranchAndBound<'a> {
    instance: &'a Instance,
    budget: u64,
    steps: u64,
    best: Plan,
    weight: u64,
    /// Of the kernels so far.
    clusters: Clusters,
    exhausted: bool,
}

impl BranchAndBound<'_> {
    fn step(&mut self, next: usize) {
        if self.steps >= self.budget {
            self.exhausted = true;
            return;
        }
        self.steps += 1;
        if self.bound(next) >= self.weight {
            return;
        }
        if next == self.instance.len() {
            return self.leaf();
        }
        for at in self.candidates(next) {
            let copies = self.instance.copies_for(next, self.clusters.repeated);
            let (own, full) = (self.clusters.own[at], self.clusters.full[at]);
            self.clusters.own[at] |= 1 << next;
            self.clusters.full[at] |= 1 << next | copies;
            if self.possible(at, next) {
                self.step(next + 1);
            }
            self.clusters.own[at] = own;
            self.clusters.full[at] = full;
        }
        let copies = self.instance.copies_for(next, self.clusters.repeated);
        self.clusters.own.push(1 << next);
        self.clusters.full.push(1 << next | copies);
        if self.possible(self.clusters.own.len() - 1, next) {
            self.step(next + 1);
        }
        self.clusters.own.pop();
        self.clusters.full.pop();
        if self.instance.cheap[next].is_some() {
            self.clusters.repeated |= 1 << next;
            self.step(next + 1);
            self.clusters.repeated &= !(1 << next);
        }
    }

    /// The clusters that a kernel might join, those it hangs together with already first.
    fn candidates(&self, next: usize) -> Vec<usize> {
        let instance = self.instance;
        let mut linked = Vec::new();
        let mut later = Vec::new();
        for at in 0..self.clusters.own.len() {
            let (own, full) = (self.clusters.own[at], self.clusters.full[at]);
            if instance.split[next] & own != 0 {
                continue;
            }
            if members(full).any(|i| instance.linked(&self.clusters, i, next)) {
                linked.push(at);
            } else if (next + 1..instance.len()).any(|j| instance.split[j] & (own | 1 << next) == 0) {
                later.push(at);
            }
        }
        linked.reverse();
        linked.extend(later);
        linked
    }

    fn possible(&self, at: usize, next: usize) -> bool {
        let (own, full) = (self.clusters.own[at], self.clusters.full[at]);
        let done = all(next + 1);
        // Where the new kernel uses what other clusters make, these may not be possible any more.
        let others = self.instance.into[next];
        let touched = |other: &usize| *other == at || self.clusters.own[*other] & others != 0;
        self.instance.fits_together(own, full)
            && self.instance.can_stand(own, full, done)
            && (0..self.clusters.own.len()).filter(touched).all(|other| {
                self.instance.can_stand(self.clusters.own[other], self.clusters.full[other], done)
            })
            && self.instance.has_order(&self.clusters)
    }

    /// What a plan that begins like this weighs at least.
    fn bound(&self, next: usize) -> u64 {
        let instance = self.instance;
        let mut cost = instance.cost(&self.clusters, all(next));
        let mut apart: u64 = 0;
        for i in next..instance.len() {
            let joins = self.clusters.own.iter().any(|own| instance.split[i] & own == 0);
            if !joins && instance.cheap[i].is_none() && apart & !instance.split[i] == 0 {
                apart |= 1 << i;
                cost.kernels += 1;
            }
        }
        instance.weigh(cost)
    }

    fn leaf(&mut self) {
        let count = self.clusters.own.len();
        let done = all(self.instance.len());
        let sound = (0..count).all(|at| {
            self.instance.can_stand(self.clusters.own[at], self.clusters.full[at], done)
                && self.instance.hangs_together(&self.clusters, at)
        });
        if !sound {
            return;
        }
        self.weight = self.instance.weigh(self.instance.cost(&self.clusters, done));
        for own in &self.clusters.own {
            let first = own.trailing_zeros() as usize;
            members(*own).for_each(|i| self.best.cluster[i] = Some(first));
        }
        members(self.clusters.repeated).for_each(|i| self.best.cluster[i] = None);
    }
}
