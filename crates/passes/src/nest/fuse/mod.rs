//! Fuse operators: one operator does the work of several, and the arrays between them are never materialised.
//!
//! ```text
//! let zs: [n]f32 = map n (xs, ys) \(x: f32, y: f32) {       let s: f32 = fused n (xs, ys) \(x: f32, y: f32) {
//!   let z: f32 = mul.f32 x y                                  let z: f32 = mul.f32 x y
//!   in z                                                      in z
//! }                                                   ==>   } reduce commutative neutral (0f32) \(a: f32, b: f32) {
//! let s: f32 = reduce n (zs) commutative                      let c: f32 = add.f32 a b
//!                neutral (0f32) \(a: f32, b: f32) {           in c
//!   let c: f32 = add.f32 a b                                }
//!   in c
//! }
//! ```
//!
//! **Needs** nothing but a valid program; it sees only what stands in one block, so inlining should come first.
//! **Gives** statements of the forms in `rewrite`. **Keeps** results, and failures up to their order; arrays that
//! are needed elsewhere are kept as results of the cluster. **Refuses** what the forms of nest cannot say (see
//! `compat`), statements with different attributes, what would read memory after it was overwritten, and to
//! repeat any work but that of cheap maps.
//!
//! What goes through all elements of a matrix goes through its rows first (`flattened`), so that it meets the maps that make them.
//!
//! **Method.** Bergstrom and others' formulation as an optimisation problem (the paper on Nessie, sections 8 and 9): the
//! dataflow graph of each block (`graph`), the plan of least cost (`plan`, `ilp`) with the greedy plan as
//! incumbent (`greedy`), one statement for each cluster (`rewrite`). A block is planned before the bodies
//! inside it, since fusion puts these together and gives them more to fuse.
//! Blocks of more than `MOST` kernels are cut into pieces of that many.
//!
//! **Cost.** Linear in the program, but for the search: at most `BUDGET` steps for each piece of a block.

mod bits;
pub(super) mod compat;
mod compose;
mod flattened;
pub(super) mod graph;
mod greedy;
mod ilp;
mod plan;
pub(super) mod rewrite;
mod show;
pub(super) mod sizes;
mod uses;
pub(super) mod work;

pub use plan::Cost;
pub use show::{Block, Cluster, Node, graphviz};

use super::dce::dce;
use super::inputs::applied_mut;
use super::memory::{Signature, memory, signatures};
use super::subst::{Names, Subst};
use graph::{Graph, operator};
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    ArrayExp, Atom, Body, Dim, Exp, Lambda, Operator, Prog, ScalarExp, Showing, Stm, Var, VarInfo,
};
use plan::{Instance, MOST, Plan, members};
use sizes::Sizes;
use std::collections::HashMap;

pub fn fuse(prog: &mut Prog) {
    if flattened::by_rows(prog) {
        dce(prog);
    }
    fuse_in(prog, Reach::All);
}

/// After operators were taken apart: what is left of them outside of all others and has none inside. What was taken apart stays so.
pub fn fuse_apart(prog: &mut Prog) {
    fuse_in(prog, Reach::Apart);
}

/// Fuses, and reports what was done in each block with at least two kernels.
pub fn survey(prog: &mut Prog) -> Vec<Block> {
    fuse_in(prog, Reach::All)
}

/// What is fused.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    All,
    /// Only operators in no other and without others in them.
    Apart,
}

fn fuse_in(prog: &mut Prog, reach: Reach) -> Vec<Block> {
    let (signatures, showing) = (signatures(prog), Showing::of(prog));
    let mut blocks = Vec::new();
    for fun in &mut prog.funs {
        let memory = memory(&signatures, fun);
        let names = Names { vars: std::mem::take(&mut fun.vars), memory };
        let mut fuser = Fuser {
            names,
            reach,
            signatures: &signatures,
            showing: &showing,
            sizes: Sizes::default(),
            blocks: Vec::new(),
            path: Vec::new(),
        };
        fuser.path.push(fun.name.clone());
        fuser.body(&mut fun.body);
        fun.vars = fuser.names.vars;
        blocks.append(&mut fuser.blocks);
    }
    normalise(prog);
    blocks
}

struct Fuser<'a> {
    names: Names,
    reach: Reach,
    signatures: &'a [Signature],
    showing: &'a Showing,
    sizes: Sizes,
    blocks: Vec<Block>,
    /// The function, and the variables whose statements lead to the block.
    path: Vec<String>,
}

impl Fuser<'_> {
    fn body(&mut self, body: &mut Body) {
        if body.stms.iter().filter(|stm| operator(&stm.exp).is_some()).count() > 1 {
            self.block(body);
        }
        let mark = self.sizes.mark();
        for stm in &mut body.stms {
            let name = stm.vars.first().map_or(String::new(), |var| self.names.name(*var));
            self.path.push(name);
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.body(body),
                PartMut::Lambda(lambda) if self.reach == Reach::All => self.body(&mut lambda.body),
                PartMut::Lambda(_) | PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
            self.path.pop();
            self.sizes.learn(&self.names.vars, stm);
        }
        self.sizes.forget(mark);
    }

    fn block(&mut self, body: &mut Body) {
        see_through_coercions(&self.names.vars, body);
        let mut graph = Graph::new(
            &self.names.vars,
            body,
            &self.names.memory,
            self.signatures,
            self.showing,
            &mut self.sizes,
        );
        if self.reach == Reach::Apart {
            for kernel in &mut graph.kernels {
                kernel.alone |= has_operators_inside(&body.stms[kernel.stm]);
            }
        }
        let mut plans = Vec::new();
        for kernels in pieces(&graph) {
            let instance = Instance::new(&graph, body, &self.names.vars, kernels);
            let greedy = greedy::greedy(&instance);
            let solution = ilp::solve(&instance, greedy.clone(), ilp::BUDGET);
            plans.push((instance, greedy, solution));
        }
        self.blocks.push(show::block(self.path.join("/"), &self.names.vars, body, &graph, &plans));
        for (instance, _, solution) in &plans {
            debug_assert!(instance.is_sound(&solution.plan), "fuse: a plan breaks its constraints");
        }
        let plans: Vec<(Instance, Plan)> =
            plans.into_iter().map(|(instance, _, solution)| (instance, solution.plan)).collect();
        self.rewrite(body, &graph, &plans);
    }

    fn rewrite(&mut self, body: &mut Body, graph: &Graph, plans: &[(Instance, Plan)]) {
        // Clusters of several as lists of statements; what is repeated stands in several.
        let mut clusters: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        let mut gone = vec![false; body.stms.len()];
        for (instance, plan) in plans {
            let found = instance.clusters(plan);
            let stm = |i: usize| graph.kernels[instance.kernels[i]].stm;
            members(found.repeated).for_each(|i| gone[stm(i)] = true);
            for (own, full) in found.own.iter().zip(&found.full) {
                if full.count_ones() > 1 {
                    members(*own).for_each(|i| gone[stm(i)] = true);
                    clusters
                        .push((members(*full).map(stm).collect(), members(full & !own).map(stm).collect()));
                }
            }
        }
        if clusters.is_empty() {
            return;
        }
        let single = (0..body.stms.len()).filter(|stm| !gone[*stm]).map(|stm| vec![stm]);
        let units: Vec<Vec<usize>> = clusters.iter().map(|(full, _)| full.clone()).chain(single).collect();
        let order = rewrite::order(graph, &units);
        let old = std::mem::take(&mut body.stms);
        let mut old: Vec<Option<Stm>> = old.into_iter().map(Some).collect();
        let mut fused: Vec<Option<Stm>> = Vec::new();
        // Copies first, as long as what they are copies of is there.
        let copied: Vec<(Vec<Stm>, Subst)> =
            clusters.iter().map(|(_, copies)| self.copies(&old, copies)).collect();
        for ((full, copies), (copied, subst)) in clusters.iter().zip(copied) {
            let mut copied = copied.into_iter();
            let mut stms = Vec::with_capacity(full.len());
            for at in full {
                let stm = if copies.contains(at) { copied.next() } else { old[*at].take() };
                stms.extend(stm.map(|mut stm| {
                    subst.stm_and_types(&mut self.names.vars, &mut stm);
                    stm
                }));
            }
            self.rely_on_sizes(graph, full, &mut stms);
            // Another copy of the same statement is somebody else.
            let elsewhere =
                |at: &usize| clusters.iter().any(|(other, _)| other != full && other.contains(at));
            let here: Vec<usize> = full.iter().copied().filter(|at| !elsewhere(at)).collect();
            let needed = |var: Var| graph.used_outside(var, &here);
            fused.push(Some(rewrite::rewrite(&mut self.names, stms, &needed)));
        }
        let count = fused.len();
        for unit in order {
            let stm = if unit < count { fused[unit].take() } else { old[units[unit][0]].take() };
            body.stms.extend(stm);
        }
    }

    /// The statements again, with new variables, for one cluster.
    fn copies(&mut self, stms: &[Option<Stm>], copies: &[usize]) -> (Vec<Stm>, Subst) {
        let mut subst = Subst::default();
        let mut copied = Vec::with_capacity(copies.len());
        for stm in copies.iter().filter_map(|at| stms[*at].as_ref()) {
            copied.push(self.names.copy_stm(&mut subst, stm));
        }
        (copied, subst)
    }

    /// If widths have different names, the cluster relies on what says that they are equal.
    fn rely_on_sizes(&self, graph: &Graph, full: &[usize], stms: &mut [Stm]) {
        let kernels: Vec<_> =
            full.iter().filter_map(|at| graph.kernel_of[*at]).map(|k| &graph.kernels[k]).collect();
        let plain = || kernels.iter().filter(|kernel| kernel.filter.is_none());
        let first = plain().next().map(|kernel| kernel.width);
        if plain().any(|kernel| Some(kernel.width) != first)
            && let Some(stm) = stms.first_mut()
        {
            stm.certs.extend(plain().flat_map(|kernel| kernel.equal.certs.iter().copied()));
        }
    }
}

fn has_operators_inside(stm: &Stm) -> bool {
    let mut found = false;
    stm.for_each_part(&mut |part| match part {
        Part::Body(body) | Part::Lambda(Lambda { body, .. }) => {
            found |= body.stms.iter().any(|stm| stm.exp.op().is_some() || has_operators_inside(stm));
        }
        Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    found
}

/// An array that is the same as what a kernel made, but for the names of its sizes, is taken to be that.
fn see_through_coercions(vars: &[VarInfo], body: &mut Body) {
    let mut origin: HashMap<Var, (Var, Vec<Var>)> = HashMap::new();
    let mut made: Vec<Var> = Vec::new();
    for stm in &mut body.stms {
        if operator(&stm.exp).is_some() {
            made.extend(&stm.vars);
            let mut certs = Vec::new();
            for_each_input(&mut stm.exp, &mut |input| {
                if let Some((array, relied)) = origin.get(input) {
                    *input = *array;
                    certs.extend(relied.iter().copied());
                }
            });
            stm.certs.extend(certs);
            stm.certs.sort_unstable();
            stm.certs.dedup();
        }
        if let Some(array) = renamed(vars, stm) {
            let (first, mut certs) = origin.get(&array).cloned().unwrap_or((array, Vec::new()));
            certs.extend(&stm.certs);
            if made.contains(&first) {
                origin.insert(stm.vars[0], (first, certs));
            }
        }
    }
    if origin.is_empty() {
        return;
    }
    // From the end, since a name may only have been for another.
    let mut used: std::collections::HashSet<Var> = body.result.iter().filter_map(|atom| atom.var()).collect();
    let mut kept = Vec::with_capacity(body.stms.len());
    for stm in std::mem::take(&mut body.stms).into_iter().rev() {
        let idle = stm.vars.first().is_some_and(|var| origin.contains_key(var) && !used.contains(var));
        if !idle {
            used.extend(uses::mentions(vars, &stm));
            kept.push(stm);
        }
    }
    kept.reverse();
    body.stms = kept;
}

/// The array of which a statement only changes the names of sizes.
fn renamed(vars: &[VarInfo], stm: &Stm) -> Option<Var> {
    match &stm.exp {
        Exp::Scalar(ScalarExp::Atom(_)) if stm.is_opaque() => None,
        Exp::Scalar(ScalarExp::Atom(Atom::Var(var))) => vars[var.0 as usize].ty.is_array().then_some(*var),
        Exp::Array(ArrayExp::Coerce { array, dims }) => {
            Dim::same_pattern(vars[array.0 as usize].ty.dims(), dims).then_some(*array)
        }
        _ => None,
    }
}

fn for_each_input(exp: &mut Exp, f: &mut dyn FnMut(&mut Var)) {
    match exp {
        Exp::Op(
            Operator::Reduce { inputs, .. } | Operator::Scan { inputs, .. } | Operator::Stream { inputs, .. },
        ) => {
            inputs.iter_mut().for_each(f);
        }
        _ => applied_mut(exp).into_iter().for_each(|applied| applied.inputs.iter_mut().for_each(&mut *f)),
    }
}

/// The kernels of a block in pieces that can be planned one by one: those that depend on each other, or could
/// be fused, at most `MOST` together. Between pieces nothing is fused, and the order of the block remains
/// possible, since each piece lies within a stretch of it.
fn pieces(graph: &Graph) -> Vec<Vec<usize>> {
    let mut pieces = Vec::new();
    let all: Vec<usize> = (0..graph.kernels.len()).collect();
    for stretch in all.chunks(MOST) {
        let mut piece_of: Vec<usize> = (0..stretch.len()).collect();
        let start = stretch[0];
        for kernel in stretch {
            let mut linked: Vec<usize> = Vec::new();
            let own = &graph.kernels[*kernel];
            linked.extend(own.flow.iter().chain(own.before.iter()));
            linked.extend(own.reads.iter().flat_map(|array| graph.arrays[*array].users.iter()));
            for other in linked.into_iter().filter(|other| stretch.contains(other)) {
                let (a, b) = (piece_of[kernel - start], piece_of[other - start]);
                piece_of.iter_mut().filter(|piece| **piece == a.max(b)).for_each(|piece| *piece = a.min(b));
            }
        }
        for piece in 0..stretch.len() {
            let kernels: Vec<usize> =
                stretch.iter().copied().filter(|kernel| piece_of[kernel - start] == piece).collect();
            if !kernels.is_empty() {
                pieces.push(kernels);
            }
        }
    }
    pieces
}
