//! Plans: which kernels form one cluster and which are repeated, whether that is possible, and what it costs.
//!
//! A plan is about an *instance*: at most 64 kernels of a block, so that a set of kernels is a word. The
//! constraints have the names of the paper where it has them.
//!
//! - VFUSE-COMPAT, HFUSE-COMPAT: no two kernels of a cluster are split (see `compat`; `split` also holds for
//!   kernels between which a split pair lies).
//! - VFUSE-CLUSTER: clusters can be ordered so that each comes after those it depends on.
//! - HFUSE-SIBS, HFUSE-PREDS: a cluster hangs together. Two kernels do if one flows into the other, if they
//!   read one array, or if arrays that they read are made by one cluster.
//! - WIDTH: the members of a cluster have one width, or that of a filter in it (`guarded` kernels).
//! - SEAL: a filter whose elements are consumed in the cluster, and a map in front of what has no place for
//!   further results, is used by nobody outside.

use super::compat::{fit, same_width};
use super::graph::{Graph, OperatorKind};
use norn_ir::nest::{Atom, Body, Exp, Operator, VarInfo};

/// The most kernels that an instance has.
pub const MOST: usize = 48;

pub struct Instance {
    /// The kernels of the graph, in the order of the block. Everything else speaks of their places in here.
    pub kernels: Vec<usize>,
    pub kinds: Vec<OperatorKind>,
    pub split: Vec<u64>,
    /// As `split`, but for what lies between, which a copy does not need.
    unfit: Vec<u64>,
    /// What comes before, and is not the kernel itself.
    pub deps: Vec<u64>,
    pub flow: Vec<u64>,
    /// Who makes what it reads.
    pub into: Vec<u64>,
    pub reads: Vec<Vec<usize>>,
    pub makes: Vec<Vec<usize>>,
    pub arrays: Vec<Between>,
    pub cheap: Vec<Option<u32>>,
    filter: Vec<Option<usize>>,
    same_width: Vec<u64>,
    /// Of a kernel, whether it may be guarded by a filter.
    guardable: Vec<bool>,
    /// Of a kernel, whether what it makes of an element are numbers, of which there is one for elements that are
    /// not chosen.
    plain: Vec<bool>,
    /// Of a filter, whether its count is used other than as a width.
    counts: Vec<bool>,
    /// Of a filter, those whose width is its count, if all of them are here.
    counted: Vec<Option<u64>>,
    /// The weight of a kernel in the objective: more than all else can be.
    kernel_weight: u64,
}

/// An array between kernels.
pub struct Between {
    pub maker: Option<usize>,
    pub users: u64,
    pub escapes: bool,
}

/// Of each kernel its cluster, numbered by first members; none if it is repeated in the clusters that use it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    pub cluster: Vec<Option<usize>>,
}

/// What a plan costs: the objective of the paper, with its parts weighed in the order of its section 8.2,
/// and with the price of what is computed again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Clusters.
    pub kernels: u64,
    /// Arrays that are written to memory.
    pub arrays: u64,
    /// Arrays read from memory, counted once for each cluster that does.
    pub traversals: u64,
    /// Operations for each element that are done again.
    pub work: u64,
}

const ARRAY_WEIGHT: u64 = 16;
const TRAVERSAL_WEIGHT: u64 = 8;

impl Instance {
    pub fn new(graph: &Graph, body: &Body, vars: &[VarInfo], kernels: Vec<usize>) -> Instance {
        let place = |kernel: usize| kernels.binary_search(&kernel).ok();
        let mask = |set: &super::bits::Bits| {
            set.iter().filter_map(place).fold(0, |mask: u64, place| mask | 1 << place)
        };
        let of = |i: usize| &graph.kernels[kernels[i]];
        let all = 0..kernels.len();
        let mut instance = Instance {
            kinds: all.clone().map(|i| of(i).kind).collect(),
            split: vec![0; kernels.len()],
            unfit: Vec::new(),
            deps: all.clone().map(|i| mask(&of(i).flow) | mask(&of(i).before)).collect(),
            flow: all.clone().map(|i| mask(&of(i).flow)).collect(),
            into: Vec::new(),
            reads: Vec::new(),
            makes: Vec::new(),
            arrays: Vec::new(),
            cheap: all.clone().map(|i| of(i).cheap).collect(),
            filter: all.clone().map(|i| of(i).filter.and_then(place)).collect(),
            same_width: vec![0; kernels.len()],
            guardable: all.clone().map(|i| guardable(graph, body, vars, kernels[i])).collect(),
            plain: all.clone().map(|i| plain(graph, body, vars, kernels[i])).collect(),
            counts: all.clone().map(|i| counts(graph, body, kernels[i])).collect(),
            counted: all.clone().map(|i| counted(graph, &kernels, kernels[i])).collect(),
            kernel_weight: 0,
            kernels: Vec::new(),
        };
        instance.arrays(graph, &kernels, &mask);
        for b in all.clone() {
            for a in 0..b {
                if !fit(graph, body, vars, kernels[a], kernels[b]) {
                    instance.split[a] |= 1 << b;
                    instance.split[b] |= 1 << a;
                }
                if same_width(graph, kernels[a], kernels[b]) {
                    instance.same_width[a] |= 1 << b;
                    instance.same_width[b] |= 1 << a;
                }
            }
        }
        instance.unfit = instance.split.clone();
        instance.close_split();
        instance.kernels = kernels;
        let most_reads: usize = instance.reads.iter().map(Vec::len).sum::<usize>() * instance.kernels.len();
        let most_work: u64 = instance.cheap.iter().flatten().map(|work| u64::from(*work)).sum();
        instance.kernel_weight = 1
            + ARRAY_WEIGHT * instance.arrays.len() as u64
            + TRAVERSAL_WEIGHT * most_reads as u64
            + most_work * instance.kernels.len() as u64;
        // A map whose arrays flow out of the instance cannot be repeated in it.
        for i in 0..instance.kernels.len() {
            let leaves = instance.makes[i].iter().any(|array| instance.arrays[*array].escapes);
            let divided =
                instance.makes[i].iter().any(|a| instance.arrays[*a].users & instance.unfit[i] != 0);
            if leaves || divided {
                instance.cheap[i] = None;
            }
        }
        instance
    }

    fn arrays(&mut self, graph: &Graph, kernels: &[usize], mask: &dyn Fn(&super::bits::Bits) -> u64) {
        let mut number = vec![None; graph.arrays.len()];
        for (i, kernel) in kernels.iter().enumerate() {
            let kernel = &graph.kernels[*kernel];
            let mut local = |array: &usize| -> usize {
                *number[*array].get_or_insert_with(|| {
                    let found = &graph.arrays[*array];
                    let users = mask(&found.users);
                    let elsewhere = found.users.iter().count() > users.count_ones() as usize;
                    let maker = found.maker.and_then(|maker| kernels.binary_search(&maker).ok());
                    self.arrays.push(Between { maker, users, escapes: found.escapes || elsewhere });
                    self.arrays.len() - 1
                })
            };
            let reads: Vec<usize> = kernel.reads.iter().map(&mut local).collect();
            let makes: Vec<usize> = kernel.makes.iter().map(&mut local).collect();
            let into = reads.iter().filter_map(|array| self.arrays[*array].maker);
            self.into.push(into.filter(|maker| *maker != i).fold(0, |mask, maker| mask | 1 << maker));
            self.reads.push(reads);
            self.makes.push(makes);
        }
    }

    /// If `a` and `b` are split and lie on a way from `x` to `y`, then `x` and `y` cannot be together
    /// either, since all that lies between would have to be with them.
    fn close_split(&mut self) {
        let count = self.kinds.len();
        let mut before = self.deps.clone();
        for i in 0..count {
            for j in members(self.deps[i]) {
                before[i] |= before[j];
            }
        }
        loop {
            let mut changed = false;
            for y in 0..count {
                for x in members(before[y] & !self.split[y]) {
                    let between = members(before[y]).filter(|z| before[*z] >> x & 1 == 1);
                    let ends = 1 << x | 1 << y;
                    if between.into_iter().any(|z| self.split[z] & ends != 0) {
                        self.split[y] |= 1 << x;
                        self.split[x] |= 1 << y;
                        changed = true;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    pub fn len(&self) -> usize {
        self.kernels.len()
    }

    /// Every kernel for itself.
    pub fn apart(&self) -> Plan {
        Plan { cluster: (0..self.len()).map(Some).collect() }
    }

    pub fn weigh(&self, cost: Cost) -> u64 {
        self.kernel_weight * cost.kernels
            + ARRAY_WEIGHT * cost.arrays
            + TRAVERSAL_WEIGHT * cost.traversals
            + cost.work
    }

    /// The members of each cluster, and the same with what is repeated in it.
    pub fn clusters(&self, plan: &Plan) -> Clusters {
        let mut clusters = Clusters::default();
        let mut number = vec![None; self.len()];
        for i in 0..self.len() {
            match plan.cluster[i] {
                None => clusters.repeated |= 1 << i,
                Some(cluster) => {
                    let at = *number[cluster].get_or_insert(clusters.own.len());
                    if at == clusters.own.len() {
                        clusters.own.push(0);
                        clusters.full.push(0);
                    }
                    clusters.own[at] |= 1 << i;
                    clusters.full[at] |= 1 << i | self.copies_for(i, clusters.repeated);
                }
            }
        }
        clusters
    }

    /// What is repeated in the cluster of this kernel because of it.
    pub fn copies_for(&self, kernel: usize, repeated: u64) -> u64 {
        let mut copies = self.flow[kernel] & repeated;
        loop {
            let more = members(copies).fold(copies, |more, copy| more | self.flow[copy] & repeated);
            if more == copies {
                return copies;
            }
            copies = more;
        }
    }

    /// The cost of clusters, of which more may be to come: `done` are the kernels that are in them or
    /// repeated. Never more than the cost of what they can become.
    pub fn cost(&self, clusters: &Clusters, done: u64) -> Cost {
        let mut cost = Cost { kernels: clusters.own.len() as u64, ..Cost::default() };
        for array in &self.arrays {
            if let Some(maker) = array.maker
                && clusters.repeated >> maker & 1 == 0
            {
                let own = if done >> maker & 1 == 1 { clusters.of(maker) } else { None };
                let open = own.is_none() && self.cheap[maker].is_some();
                let split = !open && array.users & self.split[maker] != 0;
                let apart = own.is_some_and(|own| {
                    let others = clusters.full.iter().enumerate().filter(|(other, _)| *other != own);
                    others.into_iter().any(|(_, full)| full & array.users != 0)
                });
                cost.arrays += u64::from(array.escapes || split || apart);
            }
            for full in &clusters.full {
                let inside = array.maker.is_some_and(|maker| full >> maker & 1 == 1);
                cost.traversals += u64::from(full & array.users != 0 && !inside);
            }
        }
        for kernel in members(clusters.repeated) {
            let times = clusters.full.iter().filter(|full| **full >> kernel & 1 == 1).count() as u64;
            cost.work += u64::from(self.cheap[kernel].unwrap_or(0)) * times.saturating_sub(1);
        }
        cost
    }

    /// Whether the plan obeys all constraints.
    pub fn is_sound(&self, plan: &Plan) -> bool {
        let clusters = self.clusters(plan);
        let done = all(self.len());
        (0..clusters.own.len()).all(|at| {
            self.fits_together(clusters.own[at], clusters.full[at])
                && self.can_stand(clusters.own[at], clusters.full[at], done)
                && self.hangs_together(&clusters, at)
        }) && self.has_order(&clusters)
    }

    pub fn fits_together(&self, own: u64, full: u64) -> bool {
        members(own).all(|i| self.split[i] & own == 0)
            && members(full & !own).all(|copy| self.unfit[copy] & full == 0)
    }

    /// VFUSE-CLUSTER.
    pub fn has_order(&self, clusters: &Clusters) -> bool {
        let count = clusters.full.len();
        let deps: Vec<u64> = clusters
            .full
            .iter()
            .map(|full| members(*full).fold(0, |deps, i| deps | self.deps[i]) & !full)
            .collect();
        let mut left: Vec<usize> = (0..count).collect();
        let mut missing = clusters.own.iter().fold(0, |mask, own| mask | own);
        while !left.is_empty() {
            let before = left.len();
            left.retain(|at| {
                let free = deps[*at] & missing == 0;
                if free {
                    missing &= !clusters.own[*at];
                }
                !free
            });
            if left.len() == before {
                return false;
            }
        }
        true
    }

    /// HFUSE-SIBS and HFUSE-PREDS.
    pub fn hangs_together(&self, clusters: &Clusters, at: usize) -> bool {
        let full = clusters.full[at];
        let mut reached = full & full.wrapping_neg();
        loop {
            let more = members(full & !reached)
                .filter(|i| members(reached).any(|j| self.linked(clusters, *i, j)))
                .fold(reached, |mask, i| mask | 1 << i);
            if more == full {
                return true;
            }
            if more == reached {
                return false;
            }
            reached = more;
        }
    }

    pub fn linked(&self, clusters: &Clusters, i: usize, j: usize) -> bool {
        if (self.flow[i] >> j | self.flow[j] >> i) & 1 == 1 || self.siblings(i, j) {
            return true;
        }
        clusters.own.iter().any(|own| self.into[i] & own != 0 && self.into[j] & own != 0)
            || self.into[i] & self.into[j] != 0
    }

    pub fn siblings(&self, i: usize, j: usize) -> bool {
        self.reads[i].iter().any(|array| self.reads[j].contains(array))
    }

    /// WIDTH and SEAL, as far as the kernels in `done` can tell. What is in `full` but not in `own` is a copy.
    pub fn can_stand(&self, own: u64, full: u64, done: u64) -> bool {
        if full.count_ones() < 2 {
            return true;
        }
        let guard = |i: usize| self.filter[i].filter(|filter| full >> filter & 1 == 1);
        let of_kind =
            |kind: OperatorKind| members(full).filter(|i| self.kinds[*i] == kind).fold(0, |m, i| m | 1 << i);
        let guarded = members(full).filter(|i| guard(*i).is_some()).fold(0, |mask, i| mask | 1 << i);
        let sealed = |i: usize| own >> i & 1 == 0 || self.sealed(i, own, done);

        let plain = full & !guarded;
        if members(plain).any(|i| plain & !(1 << i) & !self.same_width[i] != 0) {
            return false;
        }
        for i in members(guarded) {
            let from_here = |maker: usize| guard(i) == Some(maker) || guard(maker) == guard(i);
            let makers = self.reads[i].iter().map(|array| self.arrays[*array].maker);
            let all_here = makers
                .into_iter()
                .all(|maker| maker.is_some_and(|maker| full >> maker & 1 == 1 && from_here(maker)));
            if !self.guardable[i] || !all_here || self.reads[i].is_empty() {
                return false;
            }
        }
        let (filters, maps) = (of_kind(OperatorKind::Filter), of_kind(OperatorKind::Map));
        let chosen = members(filters | maps & guarded).filter(|i| !sealed(*i)).fold(0, |m, i| m | 1 << i);
        if chosen != 0 && !self.is_selection(full, filters, chosen, guarded, &sealed) {
            return false;
        }
        let writers = of_kind(OperatorKind::Scatter) | of_kind(OperatorKind::Hist);
        let last = of_kind(OperatorKind::Partition) | of_kind(OperatorKind::Accumulate) | writers;
        let one = last == writers || last.count_ones() == 1;
        // What writes ignores the elements that were not chosen, so nothing may need to know how many were.
        let chosen = if last == writers { filters } else { 0 };
        let uncounted = |i: usize| !self.counts[i] && self.counted[i].is_some_and(|users| users & !own == 0);
        last == 0
            || one
                && full == maps | chosen | last
                && members(maps | chosen).all(sealed)
                && members(chosen).all(uncounted)
                && (chosen == 0
                    || self.one_after_the_other(chosen, guarded)
                        && members(last).all(|i| self.filter[i] == Some(last_of(chosen))))
    }

    /// Filters one after the other, maps before them, and maps of what they choose become one filter. Somebody
    /// needs arrays of what the last of them chooses, and nothing else.
    fn is_selection(
        &self,
        full: u64,
        filters: u64,
        chosen: u64,
        guarded: u64,
        sealed: &dyn Fn(usize) -> bool,
    ) -> bool {
        let maps = full & !filters;
        let last = last_of(filters);
        members(maps).all(|i| self.kinds[i] == OperatorKind::Map)
            && members(maps & !guarded).all(sealed)
            && members(chosen).all(|i| i == last || self.filter[i] == Some(last))
            && members(guarded).all(|i| self.plain[i])
            && self.one_after_the_other(filters, guarded)
            && members(filters).filter(|i| *i != last).all(|i| !self.counts[i])
    }

    /// Each filter goes through what the one before it chooses.
    fn one_after_the_other(&self, filters: u64, guarded: u64) -> bool {
        let next = |i: usize| members(filters).filter(|j| self.filter[*j] == Some(i)).count();
        (filters & !guarded).count_ones() == 1
            && members(filters).all(|i| i == last_of(filters) || next(i) == 1)
    }

    /// Nobody outside needs what it makes, and as far as known nobody will. What is repeated is outside too.
    fn sealed(&self, kernel: usize, own: u64, done: u64) -> bool {
        self.makes[kernel].iter().all(|array| {
            let array = &self.arrays[*array];
            let strangers = array.users & !own;
            !array.escapes && strangers & (done | self.split[kernel]) == 0
        })
    }
}

#[derive(Clone, Default, Debug)]
pub struct Clusters {
    pub own: Vec<u64>,
    pub full: Vec<u64>,
    pub repeated: u64,
}

impl Clusters {
    pub fn of(&self, kernel: usize) -> Option<usize> {
        self.own.iter().position(|own| own >> kernel & 1 == 1)
    }
}

pub fn members(set: u64) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let next = (left != 0).then(|| left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(next)
    })
}

pub fn all(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

fn guardable(graph: &Graph, body: &Body, vars: &[VarInfo], kernel: usize) -> bool {
    match &body.stms[graph.kernels[kernel].stm].exp {
        Exp::Op(Operator::Map { .. } | Operator::Filter { .. }) => true,
        Exp::Op(Operator::Reduce { inputs, .. }) => {
            !inputs.iter().any(|var| vars[var.0 as usize].ty.has_irregular_rows())
        }
        Exp::Op(Operator::Scatter { lambda, .. } | Operator::Hist { lambda, .. }) => {
            let prim = |atom: &Atom| atom.var().is_none_or(|var| vars[var.0 as usize].ty.prim().is_some());
            lambda.body.result.iter().all(prim)
        }
        _ => false,
    }
}

/// Whether an element of what it makes is a number, or what it was given.
fn plain(graph: &Graph, body: &Body, vars: &[VarInfo], kernel: usize) -> bool {
    match &body.stms[graph.kernels[kernel].stm].exp {
        Exp::Op(Operator::Map { lambda, .. } | Operator::Filter { lambda, .. }) => {
            lambda.body.result.iter().all(|atom| {
                atom.var().is_none_or(|var| {
                    vars[var.0 as usize].ty.prim().is_some() || lambda.params.contains(&var)
                })
            })
        }
        _ => false,
    }
}

fn last_of(kernels: u64) -> usize {
    63 - kernels.leading_zeros() as usize
}

/// The kernels of the instance whose width is the count of a filter, unless there are more of them.
fn counted(graph: &Graph, instance: &[usize], filter: usize) -> Option<u64> {
    let all = 0..graph.kernels.len();
    let mut users = all.filter(|user| graph.kernels[*user].filter == Some(filter));
    users.try_fold(0, |mask, user| Some(mask | 1 << instance.binary_search(&user).ok()?))
}

/// Whether the count of a filter is needed as a number.
fn counts(graph: &Graph, body: &Body, kernel: usize) -> bool {
    let stm = &body.stms[graph.kernels[kernel].stm];
    if !matches!(stm.exp, Exp::Op(Operator::Filter { .. })) {
        return false;
    }
    let uses = graph.uses.get(&stm.vars[0]).map_or(&[][..], Vec::as_slice);
    uses.iter().any(|at| {
        let user = graph.kernel_of.get(*at).copied().flatten();
        *at != graph.kernels[kernel].stm
            && user.is_none_or(|user| {
                graph.kernels[user].filter != Some(kernel) || graph.kernels[user].before.contains(kernel)
            })
    })
}
