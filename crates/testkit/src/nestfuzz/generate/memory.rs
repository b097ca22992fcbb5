//! Whose memory a variable shares, and what may be consumed: a cautious reading of N12.

use super::{Facts, Gen};
use norn_ir::nest::{Atom, Exp, Type, Var};
use std::collections::BTreeSet;

impl Gen {
    /// Neither it nor what shares its memory was consumed.
    pub(super) fn is_alive(&self, var: Var) -> bool {
        !self.facts(var).roots.iter().any(|root| self.facts(*root).consumed)
    }

    pub(super) fn can_consume(&self, var: Var) -> bool {
        let own =
            |root: &Var| !self.facts(*root).frozen && !self.facts(*root).consumed && root.0 >= self.barrier;
        self.facts(var).roots.iter().all(own)
    }

    pub(super) fn consume(&mut self, var: Var) {
        for root in self.facts(var).roots.clone() {
            self.facts[root.0 as usize].consumed = true;
        }
    }

    pub(super) fn shares(&self, a: Var, b: Var) -> bool {
        !self.facts(a).roots.is_disjoint(&self.facts(b).roots)
    }

    /// Facts of a variable that shares the memory of these.
    pub(super) fn alias(&self, of: &[Var]) -> Facts {
        let roots = of.iter().flat_map(|var| self.facts(*var).roots.iter().copied()).collect();
        let longest = of.iter().map(|var| self.facts(*var).longest).max().unwrap_or(0);
        let whole = of.iter().all(|var| self.facts(*var).whole);
        Facts { roots, longest, whole, ..Facts::default() }
    }

    /// Never to be consumed from now on.
    pub(super) fn freeze(&mut self, var: Var) {
        for root in self.facts(var).roots.clone() {
            self.facts[root.0 as usize].frozen = true;
        }
    }

    pub(super) fn copy(&mut self, var: Var) -> Var {
        let old = self.facts(var).clone();
        let facts = Facts { longest: old.longest, whole: old.whole, ..Facts::default() };
        self.emit_with("copy", self.ty(var), facts, Exp::copy(var))
    }

    /// Results of a body of which these are unique: copies where they share memory with anything else.
    pub(super) fn uniquely(&mut self, results: &mut [Atom], unique: &[bool], inside: u32) {
        for i in 0..results.len() {
            let Some(var) = results[i].var().filter(|var| unique[i] && self.ty(*var).is_array()) else {
                continue;
            };
            let own = |root: &Var| !self.facts(*root).frozen && root.0 >= inside;
            let mine = self.facts(var).roots.iter().all(own);
            let mut others =
                results.iter().enumerate().filter(|(j, _)| *j != i).filter_map(|(_, atom)| atom.var());
            if !mine || others.any(|other| self.shares(var, other)) {
                results[i] = self.copy(var).into();
            }
        }
    }

    /// What the results of a body, which came to be after `inside`, share with what was there before. `None`
    /// if nothing: then it is memory of its own.
    pub(super) fn shared_outside(
        &self,
        results: &[Atom],
        at: usize,
        inside: u32,
        taken: &BTreeSet<Var>,
    ) -> Option<BTreeSet<Var>> {
        let var = results[at].var().filter(|var| self.ty(*var).is_array())?;
        let roots = &self.facts(var).roots;
        let outer: BTreeSet<Var> =
            roots.iter().copied().filter(|root| root.0 < inside && !taken.contains(root)).collect();
        let frozen = roots.iter().any(|root| root.0 >= inside && self.facts(*root).frozen);
        let mut others =
            results.iter().enumerate().filter(|(j, _)| *j != at).filter_map(|(_, atom)| atom.var());
        let twice = others.any(|other| matches!(self.ty(other), Type::Value(..)) && self.shares(var, other));
        (frozen || twice || !outer.is_empty()).then_some(outer)
    }

    /// Roots that have been consumed.
    pub(super) fn consumed(&self) -> BTreeSet<Var> {
        let all = self.facts.iter().enumerate().filter(|(_, facts)| facts.consumed);
        all.map(|(i, _)| Var(i as u32)).collect()
    }

    pub(super) fn set_consumed(&mut self, roots: &BTreeSet<Var>, consumed: bool) {
        roots.iter().for_each(|root| self.facts[root.0 as usize].consumed = consumed);
    }
}
