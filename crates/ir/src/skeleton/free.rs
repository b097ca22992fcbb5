//! The variables that a body takes from its surroundings, those in the types of what it binds included.

use super::walk::Part;
use super::{Atom, Body, Lambda, Operators, Stm, Var, VarInfo};
use std::collections::HashSet;

/// Free variables, each once, in the order in which they are found.
pub struct Free<'a> {
    vars: &'a [VarInfo],
    bound: HashSet<Var>,
    found: Vec<Var>,
    known: HashSet<Var>,
}

impl<'a> Free<'a> {
    /// `vars` is the table of the function.
    pub fn new(vars: &'a [VarInfo]) -> Free<'a> {
        Free { vars, bound: HashSet::new(), found: Vec::new(), known: HashSet::new() }
    }

    pub fn of_lambda<O: Operators>(vars: &[VarInfo], lambda: &Lambda<O>) -> Vec<Var> {
        let mut free = Free::new(vars);
        free.lambda(lambda);
        free.found()
    }

    pub fn of_stm<O: Operators>(vars: &[VarInfo], stm: &Stm<O>) -> Vec<Var> {
        let mut free = Free::new(vars);
        free.stm(stm);
        free.found()
    }

    pub fn of_body<O: Operators>(vars: &[VarInfo], body: &Body<O>) -> Vec<Var> {
        let mut free = Free::new(vars);
        free.body(body);
        free.found()
    }

    pub fn found(self) -> Vec<Var> {
        self.found
    }

    /// A variable that is bound from here on.
    pub fn bind(&mut self, var: Var) {
        self.bound.insert(var);
        let mut mentioned = Vec::new();
        self.vars[var.0 as usize].for_each_var(&mut |var| mentioned.push(var));
        mentioned.into_iter().for_each(|var| self.mention(var));
    }

    pub fn mention(&mut self, var: Var) {
        if !self.bound.contains(&var) && self.known.insert(var) {
            self.found.push(var);
        }
    }

    pub fn body<O: Operators>(&mut self, body: &Body<O>) {
        body.stms.iter().for_each(|stm| self.stm(stm));
        body.result.iter().for_each(|atom| self.atom(*atom));
    }

    fn lambda<O: Operators>(&mut self, lambda: &Lambda<O>) {
        lambda.params.iter().for_each(|param| self.bind(*param));
        self.body(&lambda.body);
    }

    fn stm<O: Operators>(&mut self, stm: &Stm<O>) {
        stm.certs.iter().for_each(|cert| self.mention(*cert));
        stm.for_each_part(&mut |part| match part {
            Part::Atom(atom) => self.atom(*atom),
            Part::Var(var) => self.mention(*var),
            Part::Binder(var) => self.bind(*var),
            Part::Body(body) => self.body(body),
            Part::Lambda(lambda) => self.lambda(lambda),
        });
        // Names are unique in a function, so that what is bound inside cannot be mistaken for something outside.
        stm.vars.iter().for_each(|var| self.bind(*var));
    }

    fn atom(&mut self, atom: Atom) {
        if let Atom::Var(var) = atom {
            self.mention(var);
        }
    }
}
