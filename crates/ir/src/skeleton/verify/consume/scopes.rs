//! Branches, lambdas and loops: what their bodies consume, and the memory of their results outside.

use super::Walk;
use super::alias::{Memory, Root};
use crate::skeleton::walk::Part;
use crate::skeleton::{Atom, Body, Lambda, LoopForm, Operators, Param, Type, Var};
use std::collections::BTreeSet;

impl Walk<'_> {
    pub(super) fn branches<O: Operators>(&mut self, vars: &[Var], bodies: &[&Body<O>]) {
        let inside = self.clock;
        let start = self.trail.len();
        let mut results = Vec::with_capacity(bodies.len());
        let mut consumed = Vec::new();
        for body in bodies {
            results.push(self.body(body));
            // The next branch starts from where this one did.
            for var in self.trail.drain(start..) {
                self.consumed[var.0 as usize] = false;
                consumed.push(var);
            }
        }
        consumed.into_iter().for_each(|var| self.mark_consumed(var));
        // What one branch consumes and another yields has no other user left: it is fresh as the result.
        let taken: BTreeSet<Root> = self.trail[start..].iter().map(|var| Root::Array(*var)).collect();
        let mut joined = vec![Memory::default(); vars.len()];
        for results in results {
            for (memory, joined) in self.outside(&results, vars, inside, &taken).iter().zip(&mut joined) {
                joined.join(memory);
            }
        }
        for (var, memory) in vars.iter().zip(joined) {
            self.bind(*var, memory);
        }
    }

    /// Its results are fresh. What refs in these hold comes from its operands and lambdas; what is written into arrays that it
    /// consumes comes from its operands alone.
    pub(super) fn operator<O: Operators>(&mut self, vars: &[Var], op: &O, operands: &[Var]) {
        let branches = op.branches();
        if !branches.is_empty() {
            return self.branches(vars, &branches);
        }
        if !op.views().is_empty() {
            return self.share(vars, op.views());
        }
        let inside = self.clock;
        let consumed = op.consumed();
        let mut held = self.joined(operands).held;
        let mut used = operands.to_vec();
        op.for_each_part(&mut |part| {
            if let Part::Binder(var) = part {
                self.bind(*var, Memory::of_array(*var));
            }
        });
        // The body of a kernel may read what the kernel overwrites, under rule K9, but not by another name.
        op.for_each_part(&mut |part| {
            if let Part::Body(body) = part {
                let outer = std::mem::replace(&mut self.barrier, inside);
                let results = self.body(body);
                self.barrier = outer;
                held.extend(
                    results.iter().flat_map(|result| &result.held).filter(|r| self.born(**r) < inside),
                );
                mentioned(body, &mut used);
            }
        });
        used.retain(|var| !consumed.contains(var) && self.bound_at[var.0 as usize] < inside);
        used.extend(operands.iter().filter(|var| consumed.contains(var)));
        self.consume_some(&consumed, &used);
        op.for_each_part(&mut |part| {
            let Part::Lambda(lambda) = part else { return };
            let results = self.lambda(lambda, operands);
            if consumed.is_empty() {
                let roots = results.iter().flat_map(|result| &result.held);
                held.extend(roots.filter(|root| self.born(**root) < inside));
            }
        });
        for var in vars {
            self.bind(*var, Memory { held: held.clone(), ..Memory::of_array(*var) });
        }
    }

    /// Its parameters are the operator's, except for an accumulator, which is made for it.
    fn lambda<O: Operators>(&mut self, lambda: &Lambda<O>, operands: &[Var]) -> Vec<Memory> {
        let outer = std::mem::replace(&mut self.barrier, self.clock);
        let held = self.joined(operands).held;
        for param in &lambda.params {
            self.bind(*param, Memory { held: held.clone(), ..Memory::of_array(*param) });
            self.frozen[param.0 as usize] = !matches!(self.ty(*param), Type::Acc(_));
        }
        let results = self.body(&lambda.body);
        self.barrier = outer;
        results
    }

    pub(super) fn loop_<O: Operators>(
        &mut self,
        vars: &[Var],
        params: &[(Param, Atom)],
        form: &LoopForm<O>,
        body: &Body<O>,
    ) {
        let initial: Vec<Memory> = params.iter().map(|(_, atom)| self.atom_memory(*atom)).collect();
        let unique: Vec<bool> = params.iter().map(|(param, _)| self.is_unique(param)).collect();
        let operands: Vec<Var> = params.iter().filter_map(|(_, atom)| atom.var()).collect();
        let taken: Vec<Var> =
            params.iter().zip(&unique).filter(|(_, u)| **u).filter_map(|((_, atom), _)| atom.var()).collect();
        self.consume_some(&taken, &operands);

        let outer = std::mem::replace(&mut self.barrier, self.clock);
        let inside = self.clock;
        for (((param, _), initial), unique) in params.iter().zip(&initial).zip(&unique) {
            let mut memory = Memory { held: initial.held.clone(), ..Memory::of_array(param.var) };
            if !unique {
                memory.own.extend(&initial.own);
            }
            self.bind(param.var, memory);
            self.frozen[param.var.0 as usize] = !unique;
        }
        match form {
            LoopForm::For(var, _) => self.bind(*var, Memory::default()),
            LoopForm::While(cond) => {
                let outer = std::mem::replace(&mut self.barrier, self.clock);
                self.body(cond);
                self.barrier = outer;
            }
        }
        let results = self.body(body);
        self.check_unique_results(&body.result, &results, &unique, inside, "loop");
        self.barrier = outer;

        // Without an iteration the results are the initial values, otherwise what the body yields, where a
        // parameter stands for what it had before.
        let is_param = |root: &Root| {
            params.iter().zip(&unique).any(|((p, _), unique)| !unique && *root == Root::Array(p.var))
        };
        let mut yielded = results.clone();
        yielded.iter_mut().for_each(|memory| memory.own.retain(|root| !is_param(root)));
        let mut joined = self.outside(&yielded, vars, inside, &BTreeSet::new());
        for ((joined, initial), unique) in joined.iter_mut().zip(&initial).zip(&unique) {
            joined.held.extend(&initial.held);
            if !unique {
                joined.own.extend(&initial.own);
            }
        }
        let passed_on = |from: usize, to: usize| {
            !unique[from] && results[to].own.contains(&Root::Array(params[from].0.var))
        };
        for _ in 0..params.len() {
            for (from, to) in pairs(params.len()).filter(|(from, to)| passed_on(*from, *to)) {
                let own = joined[from].own.clone();
                joined[to].own.extend(own);
            }
        }
        for ((var, memory), unique) in vars.iter().zip(joined).zip(unique) {
            let own = if unique { Memory::of_array(*var).own } else { memory.own };
            self.bind(*var, Memory { own, held: memory.held });
        }
    }

    /// An accumulator is written by one statement after the other, whether it says so or not.
    fn is_unique(&self, param: &Param) -> bool {
        param.unique || matches!(self.ty(param.var), Type::Acc(_))
    }

    /// The memory of results of a body as seen from outside: what came into being inside, or was
    /// taken, gets the first variable outside that has it as its root.
    fn outside(
        &mut self,
        results: &[Memory],
        vars: &[Var],
        inside: u32,
        taken: &BTreeSet<Root>,
    ) -> Vec<Memory> {
        let name = |root: &Root| {
            let owner = results.iter().position(|memory| memory.own.contains(root))?;
            vars.get(owner).map(|var| Root::Array(*var))
        };
        let translate = |walk: &Walk, roots: &BTreeSet<Root>| -> BTreeSet<Root> {
            let from_inside = |root: &Root| walk.born(*root) >= inside || taken.contains(root);
            roots.iter().filter_map(|r| if from_inside(r) { name(r) } else { Some(*r) }).collect()
        };
        let outside: Vec<Memory> = results
            .iter()
            .map(|memory| Memory { own: translate(self, &memory.own), held: translate(self, &memory.held) })
            .collect();
        for root in results.iter().flat_map(|memory| &memory.own) {
            if self.born(*root) >= inside
                && self.is_frozen(*root)
                && let Some(Root::Array(var)) = name(root)
            {
                self.frozen[var.0 as usize] = true;
            }
        }
        outside
    }

    /// What is unique shares no memory with anything older than `inside`, nor with another result.
    pub(super) fn check_unique_results(
        &mut self,
        atoms: &[Atom],
        results: &[Memory],
        unique: &[bool],
        inside: u32,
        what: &str,
    ) {
        for (i, memory) in results.iter().enumerate() {
            let Some(var) = atoms[i].var().filter(|_| unique.get(i) == Some(&true)) else { continue };
            let foreign = memory.own.iter().find(|r| self.is_frozen(**r) || self.born(**r) < inside);
            if let Some(root) = foreign {
                let (name, root) = (self.show(var), self.show_root(*root));
                let message =
                    format!("{name} is a unique result of a {what}, but shares memory with {root}.");
                self.fail(message);
            }
            for (j, other) in results.iter().enumerate() {
                if i != j && memory.clash(other).is_some() {
                    let name = self.show(var);
                    let message =
                        format!("{name} is a unique result of a {what}, but shares memory with result {j}.");
                    self.fail(message);
                }
            }
        }
    }
}

/// What a body mentions, the bodies inside of it included.
fn mentioned<O: Operators>(body: &Body<O>, found: &mut Vec<Var>) {
    for stm in &body.stms {
        stm.for_each_part(&mut |part| match part {
            Part::Atom(Atom::Var(var)) | Part::Var(var) => found.push(*var),
            Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
            Part::Body(body) => mentioned(body, found),
            Part::Lambda(lambda) => mentioned(&lambda.body, found),
        });
    }
    found.extend(body.result.iter().filter_map(|atom| atom.var()));
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |from| (0..count).map(move |to| (from, to)))
}
