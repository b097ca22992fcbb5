//! The free variables of statements: operands and sizes, and separately certificates; and backward slices over them (`needed`).

use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{Atom, Body, Fun, Lambda, Reduction, Stm, Var, VarInfo};
use std::collections::HashSet;

/// The variables that a statement and all inside it mention as operands, and in the types of what they bind, unless it binds them.
pub fn in_stm(vars: &[VarInfo], stm: &Stm, found: &mut Vec<Var>) {
    free(vars, found, |walk| walk.stm(stm));
}

/// What a lambda takes from around it.
pub fn in_lambda(vars: &[VarInfo], lambda: &Lambda, found: &mut Vec<Var>) {
    free(vars, found, |walk| walk.lambda(lambda));
}

/// Whether each variable is mentioned somewhere in a function: as an operand, or in the type of what is bound there.
pub fn mentioned(fun: &Fun) -> Vec<bool> {
    let mut walk = FreeVars { vars: &fun.vars, found: Vec::new(), bound: HashSet::new() };
    walk.body(&fun.body);
    let mut mentioned = vec![false; fun.vars.len()];
    walk.found.into_iter().for_each(|var| mentioned[var.0 as usize] = true);
    mentioned
}

/// What is mentioned on a walk, and not bound on it.
fn free<'a>(vars: &'a [VarInfo], found: &mut Vec<Var>, through: impl FnOnce(&mut FreeVars<'a>)) {
    let mut walk = FreeVars { vars, found: Vec::new(), bound: HashSet::new() };
    through(&mut walk);
    found.extend(walk.found.into_iter().filter(|var| !walk.bound.contains(var)));
}

/// What an operator that combines takes from around it, its neutral elements included.
pub fn in_reduction(vars: &[VarInfo], op: &Reduction, found: &mut Vec<Var>) {
    in_lambda(vars, &op.lambda, found);
    in_atoms(&op.neutral, found);
}

/// Those of the statements of a body that these variables need; what they need is added.
pub fn needed(vars: &[VarInfo], stms: &[Stm], live: &mut Vec<Var>) -> Vec<Stm> {
    let mut kept: Vec<Stm> = Vec::new();
    for stm in stms.iter().rev() {
        if stm.vars.iter().any(|var| live.contains(var)) {
            in_stm(vars, stm, live);
            certs(stm, live);
            kept.push(stm.clone());
        }
    }
    kept.reverse();
    kept
}

/// All variables that are bound inside a statement, those that it binds itself aside.
pub fn bound_inside(stm: &Stm) -> HashSet<Var> {
    let mut walk = FreeVars { vars: &[], found: Vec::new(), bound: HashSet::new() };
    walk.parts(stm);
    walk.bound
}

pub fn in_atoms(atoms: &[Atom], found: &mut Vec<Var>) {
    found.extend(atoms.iter().filter_map(|atom| atom.var()));
}

/// The sizes in the type of a variable.
pub fn in_type(vars: &[VarInfo], var: Var, found: &mut Vec<Var>) {
    vars[var.0 as usize].ty.for_each_var(&mut |mentioned| found.push(mentioned));
}

struct FreeVars<'a> {
    /// Without these, types are not looked at.
    vars: &'a [VarInfo],
    found: Vec<Var>,
    bound: HashSet<Var>,
}

impl FreeVars<'_> {
    fn bind(&mut self, var: Var) {
        self.bound.insert(var);
        if !self.vars.is_empty() {
            in_type(self.vars, var, &mut self.found);
        }
    }

    fn stm(&mut self, stm: &Stm) {
        stm.vars.iter().for_each(|var| self.bind(*var));
        self.parts(stm);
    }

    fn parts(&mut self, stm: &Stm) {
        stm.for_each_part(&mut |part| match part {
            Part::Atom(atom) => self.found.extend(atom.var()),
            Part::Var(var) => self.found.push(*var),
            Part::Binder(var) => self.bind(*var),
            Part::Body(body) => self.body(body),
            Part::Lambda(lambda) => self.lambda(lambda),
        });
    }

    fn lambda(&mut self, lambda: &Lambda) {
        lambda.params.iter().for_each(|var| self.bind(*var));
        self.body(&lambda.body);
    }

    fn body(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.stm(stm));
        in_atoms(&body.result, &mut self.found);
    }
}

/// The certificates that a statement, or one inside it, relies on.
pub fn certs(stm: &Stm, found: &mut Vec<Var>) {
    found.extend(&stm.certs);
    let mut inside = |body: &Body| body.stms.iter().for_each(|stm| certs(stm, found));
    stm.for_each_part(&mut |part| match part {
        Part::Body(body) => inside(body),
        Part::Lambda(lambda) => inside(&lambda.body),
        Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
}

/// The statement, and those inside it, rely only on these certificates.
pub fn retain_certs(stm: &mut Stm, keep: &dyn Fn(Var) -> bool) {
    stm.certs.retain(|cert| keep(*cert));
    let inside = |body: &mut Body| body.stms.iter_mut().for_each(|stm| retain_certs(stm, keep));
    stm.for_each_part_mut(&mut |part| match part {
        PartMut::Body(body) => inside(body),
        PartMut::Lambda(lambda) => inside(&mut lambda.body),
        PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
    });
}
