//! Where the regions of a function come from: parameters, constants, or statements at the place
//! that is found here.

use super::constrain::FunRegions;
use super::unify::{RegionId, Unifier};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Body, ControlExp, Exp, Fun, FunId, Var};
use std::collections::BTreeMap;

/// What is to be done to a function.
pub struct Plan {
    /// The classes that become parameters.
    pub params: Vec<RegionId>,
    /// The classes that begin within the function, right before these statements.
    pub begins: BTreeMap<Place, Vec<RegionId>>,
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
    uses: &BTreeMap<RegionId, usize>,
    unifier: &mut Unifier,
) -> Plan {
    let own = regions.interface(unifier);
    let mut search = Search {
        regions,
        unifier,
        own: &own,
        bodies: vec![Inside { place: Place { body: 0, stm: 0 }, depth: 0 }],
        mentions: BTreeMap::new(),
        calls: Vec::new(),
    };
    search.body(0, &fun.body);
    let Search { mut mentions, calls: places, .. } = search;

    let passed: Vec<Vec<RegionId>> = regions.calls.iter().map(|site| site.passed(params, unifier)).collect();
    let mut shares = Vec::with_capacity(passed.len());
    for ((site, passed), at) in regions.calls.iter().zip(&passed).zip(places) {
        let can_share = |class: &RegionId| {
            // Parameters have no place, so this refuses them too.
            mentions.get(class) == Some(&at) && uses.get(class) == Some(&1) && !unifier.allocates(*class)
        };
        shares.push(site.constant && passed.iter().all(can_share));
    }
    for ((site, passed), shares) in regions.calls.iter().zip(&passed).zip(&shares) {
        for class in passed {
            if *shares {
                mentions.remove(class);
            } else if site.constant {
                // It is called, and makes its cells wherever the call wants them.
                unifier.allocate(*class);
            }
        }
    }
    let mut begins: BTreeMap<Place, Vec<RegionId>> = BTreeMap::new();
    for (class, at) in mentions {
        begins.entry(at).or_default().push(class);
    }
    Plan { params: own, begins, passed, shares }
}

/// How many uses of constants have each class among their regions. In two of them, or in two roles, it cannot
/// be the region of one constant; see Note [Constants].
pub fn constant_uses(
    found: &BTreeMap<FunId, FunRegions>,
    params: &BTreeMap<FunId, Vec<RegionId>>,
    unifier: &mut Unifier,
) -> BTreeMap<RegionId, usize> {
    let mut uses = BTreeMap::new();
    for site in found.values().flat_map(|fun| &fun.calls).filter(|site| site.constant) {
        for class in site.passed(params, unifier) {
            *uses.entry(class).or_default() += 1;
        }
    }
    uses
}

struct Search<'a> {
    regions: &'a FunRegions,
    unifier: &'a mut Unifier,
    own: &'a [RegionId],
    /// Of each body, the statement it is in. That of the function is in none, and at depth 0.
    bodies: Vec<Inside>,
    /// Of each class that is no parameter, the innermost statement that encloses all its mentions but
    /// those that come later in the same body.
    mentions: BTreeMap<RegionId, Place>,
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
            if matches!(stm.exp, Exp::Control(ControlExp::Call { .. } | ControlExp::Const(_))) {
                self.calls.push(at);
            }
            stm.for_each_part(&mut |part| match part {
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
            let joined = self.mentions.get(&class).map_or(at, |known| self.join(*known, at));
            self.mentions.insert(class, joined);
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
