//! Infer regions: say for every ref which region it leads into, and where regions begin.
//!
//! ```text
//! fun push (x: i32, xs: &list) -> &list {        fun push (r: region, x: i32, xs: &r list) -> &r list {
//!   let ys: &list = alloc _ list.cons (x, xs)      let ys: &r list = alloc r list.cons (x, xs)
//!   in ys                                          in ys
//! }                                              }
//!
//! fun count (n: i64) -> i64 {                    fun count (n: i64) -> i64 {
//!                                                  let r: region = region
//!   let a: &list = alloc _ list.nil ()             let a: &r list = alloc r list.nil ()
//!   let b: &list = call push (1i32, a)             let b: &r list = call push (r, 1i32, a)
//!   let k: i64 = call length (b)                   let k: i64 = call length (r, b)
//!   in k                                           in k
//! }                                              }
//! ```
//!
//! Needs a program that obeys the rules before regions, and gives one that obeys all (N10, N11).
//! Keeps everything else, and normalises the variables.
//!
//! Method: "Region-based Memory Management for GPU Programming Languages" (OOPSLA 2014), section 4. Every ref in
//! the type of a variable has an unknown region. Where the rules ask for two types to agree,
//! their regions are unified (`constrain`). Functions are taken in groups that call each other, callees
//! first; within a group calls unify with the callee's own regions, calls of an earlier group with new
//! ones for each call. The regions in parameters and results become parameters, in front of the others.
//! What is left begins in the innermost body that encloses all its mentions, right before the first of
//! them (`place`), so that what does not outlive an iteration or an application is freed there. The paper
//! places regions at the entrance of functions; its section 4.3 names this as the better choice.
//!
//! A constant lives in regions of its own, as long as the program. A use of it can share these if
//! they are only read, do not leave the function, and are mentioned only after the use; else the use
//! becomes a call, which makes the value again where it is needed. See Note [Constants].
//!
//! Cost: almost linear in the size of the program, and in the depth of its bodies where a region is
//! mentioned far apart.

mod constrain;
mod place;
mod rewrite;
mod unify;

use constrain::{FunRegions, constrain_group};
use norn_ir::nest::calls::call_groups;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::{FunId, Prog};
use place::{Plan, constant_uses, place};
use std::collections::BTreeMap;
use unify::{RegionId, Unifier};

pub fn infer_regions(prog: &mut Prog) {
    let mut schemes: Vec<Option<Scheme>> = prog.funs.iter().map(|_| None).collect();
    for group in call_groups(prog) {
        let mut unifier = Unifier::default();
        let found = constrain_group(prog, &group, &schemes, &mut unifier);
        let params: BTreeMap<FunId, Vec<RegionId>> =
            found.iter().map(|(id, fun)| (*id, fun.interface(&mut unifier))).collect();
        let uses = constant_uses(&found, &params, &mut unifier);
        let plans: Vec<(FunId, Plan)> = found
            .iter()
            .map(|(id, fun)| (*id, place(&prog.funs[id.0 as usize], fun, &params, &uses, &mut unifier)))
            .collect();
        for (id, fun) in &found {
            schemes[id.0 as usize] = Some(Scheme::new(fun, &params[id], &mut unifier));
        }
        for (id, plan) in plans {
            rewrite::rewrite(prog, id, &found[&id], plan, &mut unifier);
        }
    }
    normalise(prog);
}

/// A function as callers outside its group see it: which of its region parameters each ref of its
/// signature leads into.
struct Scheme {
    params: Vec<usize>,
    rets: Vec<usize>,
    /// Of each region parameter: whether the function makes cells in it.
    allocates: Vec<bool>,
}

impl Scheme {
    fn new(fun: &FunRegions, params: &[RegionId], unifier: &mut Unifier) -> Scheme {
        let mut numbers = |regions: &[RegionId]| {
            let number = |region: &RegionId| {
                let class = unifier.find(*region);
                params.iter().position(|param| *param == class).expect("regions: a parameter is missing")
            };
            regions.iter().map(number).collect()
        };
        let (takes, rets) = (numbers(&fun.params), numbers(&fun.rets));
        let allocates = params.iter().map(|class| unifier.allocates(*class)).collect();
        Scheme { params: takes, rets, allocates }
    }
}

// Note [Constants]
//
// The value of a constant is computed once, so its cells live in regions that no function makes: the
// executor makes them, and a use yields them as variables (N10). Such a region can be named only where the
// use is visible. Hence a ref into it can neither be a result of the function, nor be mixed with refs
// into another region: the callers, or the other region, cannot be told to be the constant's.
// Making cells in it is not allowed either, since they would stay until the program ends.
// In all these cases the constant's function is called instead, and makes the value in a region of the
// user's. That costs time, and is never wrong, since programs have no effects. Reading a constant table,
// or passing it to a function that reads it, shares it.
