//! Branches: of values whose sizes are known outside, and of arrays that bring their sizes along.

use super::scope::is_array;
use super::{Facts, Gen};
use norn_ir::nest::{Atom, Body, ControlExp, Dim, Exp, Prim, Type, Var};
use std::collections::BTreeSet;

impl Gen {
    pub(super) fn branch_stm(&mut self) -> Option<()> {
        let mut types = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            let found = if self.one_in(2) { self.some_array() } else { None };
            types.push(found.map_or(Type::scalar(Prim::I32), |var| self.ty(var)));
        }
        if self.one_in(2) {
            types.push(Type::scalar(self.prim()));
        }
        // The last is a number made of all that a branch computes.
        types.push(Type::i64());
        // An array of which each branch says how long it is.
        let sized = if self.one_in(3) { Some(self.prim()) } else { None };
        let branches = 2 + if self.one_in(3) { self.rng.below(3) } else { 0 };
        let mut bodies = Vec::new();
        let mut results: Vec<Vec<Atom>> = Vec::new();
        let before = self.consumed();
        let inside = self.facts.len() as u32;
        let mut after = before.clone();
        for _ in 0..branches {
            let mut yielded = Vec::new();
            let body = self.repeated(1, |cx| {
                cx.body(|cx| {
                    let mark = cx.scope.len();
                    let count = 1 + cx.rng.below(4);
                    cx.stms(count);
                    yielded = cx.yields(&types, sized);
                    yielded[types.len() - 1] = cx.digest(mark);
                    yielded.clone()
                })
            });
            bodies.push(body);
            results.push(yielded);
            let now = self.consumed();
            self.set_consumed(&now, false);
            self.set_consumed(&before, true);
            after.extend(now);
        }
        let taken: BTreeSet<Var> = after.difference(&before).copied().collect();
        let vars = self.joined(&types, sized, &results, inside, &taken);
        self.set_consumed(&after, true);
        let exp = self.branching(bodies)?;
        self.bind(&vars, exp);
        Some(())
    }

    /// Two bodies are an `if`, more are a `switch`.
    fn branching(&mut self, mut bodies: Vec<Body>) -> Option<Exp> {
        let default = bodies.pop()?;
        if bodies.len() == 1 && !self.one_in(4) {
            let cond = self.scalar(Prim::Bool);
            return Some(Exp::if_(cond, bodies.pop()?, default));
        }
        let prim = self.int();
        let scrutinee = self.scalar(prim);
        let cases = bodies.into_iter().enumerate().map(|(i, body)| (i as i64, body)).collect();
        Some(Exp::Control(ControlExp::Switch { scrutinee, cases, default }))
    }

    /// Values of these types; then a size and an array of that size.
    fn yields(&mut self, types: &[Type], sized: Option<Prim>) -> Vec<Atom> {
        let mut results: Vec<Atom> = types.iter().map(|ty| self.value(ty)).collect();
        if let Some(prim) = sized {
            let expected = Type::array(prim, vec![Dim::Irregular]).elem();
            let found = self.some(|ty, _| is_array(ty) && ty.rank() == 1 && ty.elem() == expected);
            let array = found.unwrap_or_else(|| {
                let size = self.size();
                self.make(&Type::array(prim, vec![Dim::Size(size)]))
            });
            results.push(super::scope::width(&self.ty(array)));
            results.push(array.into());
        }
        results
    }

    /// Variables for what one of several bodies yields.
    fn joined(
        &mut self,
        types: &[Type],
        sized: Option<Prim>,
        results: &[Vec<Atom>],
        inside: u32,
        taken: &BTreeSet<Var>,
    ) -> Vec<Var> {
        let mut vars = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            let facts = self.joined_facts(results, i, inside, taken);
            vars.push(self.var("j", ty.clone(), facts));
        }
        if let Some(prim) = sized {
            let at = types.len();
            let max = results.iter().map(|results| self.bound(results[at])).max().unwrap_or(0);
            let k = self.size_var("k", max);
            let facts = self.joined_facts(results, at + 1, inside, taken);
            let array = self.var("js", Type::array(prim, vec![Dim::size(k)]), facts);
            vars.extend([k, array]);
        }
        // What shares memory with something is not consumed.
        for var in &vars {
            let id = var.0 as usize;
            self.facts[id].roots.insert(*var);
        }
        vars
    }

    fn joined_facts(&self, results: &[Vec<Atom>], at: usize, inside: u32, taken: &BTreeSet<Var>) -> Facts {
        let mut facts = Facts::default();
        for results in results {
            if let Some(var) = results[at].var() {
                facts.longest = facts.longest.max(self.facts(var).longest);
            }
            if let Some(outer) = self.shared_outside(results, at, inside, taken) {
                facts.roots.extend(outer);
                facts.frozen = true;
            }
        }
        facts
    }
}
