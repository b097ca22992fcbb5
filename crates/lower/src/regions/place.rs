//! Where the regions of a function come from: parameters, constants, or statements at the place
//! that is found here.

use super::constrain::{CallSite, FunRegions};
use super::unify::{RegionId, Unifier};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Body, Exp, Fun, FunId, Var};
use std::collections::BTreeMap;

/// What is to be done to a function.
pub struct Plan {
    /// The classes that become parameters.
    pub params: Vec<RegionId>,
    /// The classes that begin within the function, and where.
    pub begins: Vec<(RegionId, Place)>,
    /// Of each call, the classes that are passed for the callee's region parameters.
    pub passed: Vec<Vec<RegionId>>,
    /// Of each call: whether it is a constant that yields these regions.
    pub shares: Vec<bool>,
}

/// A statement of a body, where bodies are numbered in the order of the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub body: usize,
    pub stm: usize,
}

pub fn place(
    fun: &Fun,
    regions: &FunRegions,
    params: &BTreeMap<FunId, Vec<RegionId>>,
    unifier: &mut Unifier,
) -> Plan {
    let own = regions.interface(unifier);
    let mut search = Search {
        regions,
        unifier,
        own: &own,
        bodies: vec![Inside { place: Place { body: 0, stm: 0 }, depth: 0 }],
        mentions: Vec::new(),
        calls: Vec::new(),
    };
    search.body(0, &fun.body);
    let Search { mentions, calls, .. } = search;
    let passed: Vec<Vec<RegionId>> = regions
        .calls
        .iter()
        .map(|site| {
            let passed = site.regions.as_ref().unwrap_or_else(|| &params[&site.fun]);
            passed.iter().map(|region| unifier.find(*region)).collect()
        })
        .collect();
    let shares = shared_constants(regions, &own, &mentions, &passed, &calls, unifier);
    // A constant that is called makes its cells wherever the call wants them.
    for ((site, passed), shares) in regions.calls.iter().zip(&passed).zip(&shares) {
        if site.constant && !shares {
            passed.iter().for_each(|class| unifier.allocate(*class));
        }
    }
    let from_constant = |class: &RegionId| {
        passed.iter().zip(&shares).any(|(passed, shares)| *shares && passed.contains(class))
    };
    let begins = mentions.into_iter().filter(|(class, _)| !from_constant(class)).collect();
    Plan { params: own, begins, passed, shares }
}

/// Which uses of constants can share the constant's own regions; see Note [Constants].
fn shared_constants(
    regions: &FunRegions,
    own: &[RegionId],
    mentions: &[(RegionId, Place)],
    passed: &[Vec<RegionId>],
    places: &[Place],
    unifier: &mut Unifier,
) -> Vec<bool> {
    let constant = |site: &CallSite| site.constant;
    let uses: Vec<&RegionId> =
        regions.calls.iter().zip(passed).filter(|(site, _)| constant(site)).flat_map(|(_, p)| p).collect();
    let mut can_share = |class: &RegionId, at: Place| {
        !own.contains(class)
            && !unifier.allocates(*class)
            && uses.iter().filter(|other| **other == class).count() == 1
            && mentions.contains(&(*class, at))
    };
    regions
        .calls
        .iter()
        .zip(passed)
        .zip(places)
        .map(|((site, passed), at)| site.constant && passed.iter().all(|class| can_share(class, *at)))
        .collect()
}

struct Search<'a> {
    regions: &'a FunRegions,
    unifier: &'a mut Unifier,
    own: &'a [RegionId],
    /// Of each body, the statement it is in. That of the function is in none, and at depth 0.
    bodies: Vec<Inside>,
    /// Of each class that is no parameter, the innermost statement that encloses all its mentions but
    /// those that come later in the same body. In the order of first mentions.
    mentions: Vec<(RegionId, Place)>,
    /// The places of calls.
    calls: Vec<Place>,
}

#[derive(Clone, Copy)]
struct Inside {
    place: Place,
    depth: usize,
}

impl Search<'_> {
    fn body(&mut self, number: usize, body: &Body) {
        for (i, stm) in body.stms.iter().enumerate() {
            let at = Place { body: number, stm: i };
            stm.vars.iter().for_each(|var| self.mention(*var, at));
            if matches!(stm.exp, Exp::Call { .. } | Exp::Const(_)) {
                self.calls.push(at);
            }
            stm.exp.for_each_part(&mut |part| match part {
                Part::Binder(var) => self.mention(*var, at),
                Part::Body(body) => self.enter(at, body),
                Part::Lambda(lambda) => {
                    lambda.params.iter().for_each(|var| self.mention(*var, at));
                    self.enter(at, &lambda.body);
                }
                Part::Atom(_) | Part::Var(_) => {}
            });
        }
    }

    fn enter(&mut self, place: Place, body: &Body) {
        let depth = self.bodies[place.body].depth + 1;
        self.bodies.push(Inside { place, depth });
        self.body(self.bodies.len() - 1, body);
    }

    fn mention(&mut self, var: Var, at: Place) {
        for region in &self.regions.vars[var.0 as usize] {
            let class = self.unifier.find(*region);
            if self.own.contains(&class) {
                continue;
            }
            match self.mentions.iter().position(|(other, _)| *other == class) {
                Some(known) => self.mentions[known].1 = self.join(self.mentions[known].1, at),
                None => self.mentions.push((class, at)),
            }
        }
    }

    /// The first statement of the innermost body around both that has one of them in it.
    fn join(&self, mut a: Place, mut b: Place) -> Place {
        while a.body != b.body {
            let (depth_a, depth_b) = (self.bodies[a.body].depth, self.bodies[b.body].depth);
            if depth_a >= depth_b {
                a = self.bodies[a.body].place;
            }
            if depth_b >= depth_a {
                b = self.bodies[b.body].place;
            }
        }
        a.min(b)
    }
}
