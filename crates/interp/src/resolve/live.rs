//! Which arrays are still needed: sets of variables, and the variables of a body that come from outside.

use norn_ir::nest::walk::Part;
use norn_ir::nest::{Atom, Body, Lambda, Stm, Var};

/// A set of variables.
#[derive(Clone, PartialEq)]
pub(super) struct Live(Vec<u64>);

impl Live {
    pub(super) fn none(vars: usize) -> Live {
        Live(vec![0; vars.div_ceil(64)])
    }

    pub(super) fn contains(&self, var: Var) -> bool {
        self.0[var.0 as usize / 64] >> (var.0 % 64) & 1 == 1
    }

    pub(super) fn insert(&mut self, var: Var) {
        self.0[var.0 as usize / 64] |= 1 << (var.0 % 64);
    }

    pub(super) fn remove(&mut self, var: Var) {
        self.0[var.0 as usize / 64] &= !(1 << (var.0 % 64));
    }

    pub(super) fn unite(&mut self, other: &Live) {
        self.0.iter_mut().zip(&other.0).for_each(|(these, those)| *these |= those);
    }

    /// Those of this set that are not in the other.
    pub(super) fn without(&self, other: &Live) -> Vec<Var> {
        let mut vars = Vec::new();
        for (i, (these, those)) in self.0.iter().zip(&other.0).enumerate() {
            let mut rest = these & !those;
            while rest != 0 {
                vars.push(Var(i as u32 * 64 + rest.trailing_zeros()));
                rest &= rest - 1;
            }
        }
        vars
    }
}

/// The variables that bodies mention, and those that they bind. A variable is bound once in its
/// function, so what is bound inside is not free, wherever it is mentioned.
pub(super) struct Mentions {
    used: Live,
    bound: Live,
}

impl Mentions {
    pub(super) fn none(vars: usize) -> Mentions {
        Mentions { used: Live::none(vars), bound: Live::none(vars) }
    }

    pub(super) fn free(&self) -> Vec<Var> {
        self.used.without(&self.bound)
    }

    pub(super) fn bind(&mut self, var: Var) {
        self.bound.insert(var);
    }

    pub(super) fn lambda(&mut self, lambda: &Lambda) {
        lambda.params.iter().for_each(|param| self.bind(*param));
        self.body(&lambda.body);
    }

    pub(super) fn body(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.stm(stm));
        body.result.iter().for_each(|atom| self.atom(atom));
    }

    fn stm(&mut self, stm: &Stm) {
        stm.vars.iter().for_each(|var| self.bind(*var));
        stm.for_each_part(&mut |part| match part {
            Part::Atom(atom) => self.atom(atom),
            Part::Var(var) => self.used.insert(*var),
            Part::Binder(var) => self.bind(*var),
            Part::Body(body) => self.body(body),
            Part::Lambda(lambda) => self.lambda(lambda),
        });
    }

    fn atom(&mut self, atom: &Atom) {
        match atom {
            Atom::Var(var) => self.used.insert(*var),
            Atom::Const(_) => {}
        }
    }
}
