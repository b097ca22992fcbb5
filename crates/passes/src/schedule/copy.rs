//! Copies of statements with fresh names, since each version of an operator binds variables of its own.

use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{Atom, Body, Stm, Var, VarInfo};
use std::collections::HashMap;

/// The same statements, all of whose variables are new, those inside included.
pub fn copy_body(vars: &mut Vec<VarInfo>, mut body: Body) -> Body {
    Names { vars, new: HashMap::new() }.body(&mut body);
    body
}

/// The same statement binding new variables; what is inside it stays.
pub fn rebind(vars: &mut Vec<VarInfo>, stm: &mut Stm) {
    let mut names = Names { vars, new: HashMap::new() };
    stm.vars.iter_mut().for_each(|var| names.bind(var));
}

struct Names<'a> {
    vars: &'a mut Vec<VarInfo>,
    /// Looked up only, never enumerated.
    new: HashMap<Var, Var>,
}

impl Names<'_> {
    /// A type mentions only what was bound before.
    fn bind(&mut self, var: &mut Var) {
        let copy = Var(self.vars.len() as u32);
        let mut info = self.vars[var.0 as usize].clone();
        info.ty.for_each_var_mut(&mut |var| self.mention(var));
        self.vars.push(info);
        self.new.insert(*var, copy);
        *var = copy;
    }

    fn mention(&self, var: &mut Var) {
        if let Some(new) = self.new.get(var) {
            *var = *new;
        }
    }

    fn atom(&self, atom: &mut Atom) {
        match atom {
            Atom::Var(var) => self.mention(var),
            Atom::Const(_) => {}
        }
    }

    fn operands(&mut self, stm: &mut Stm) {
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Atom(atom) => self.atom(atom),
            PartMut::Var(var) => self.mention(var),
            PartMut::Binder(var) => self.bind(var),
            PartMut::Body(body) => self.body(body),
            PartMut::Lambda(lambda) => {
                lambda.params.iter_mut().for_each(|var| self.bind(var));
                self.body(&mut lambda.body);
            }
        });
    }

    fn body(&mut self, body: &mut Body) {
        for stm in &mut body.stms {
            stm.certs.iter_mut().for_each(|cert| self.mention(cert));
            self.operands(stm);
            stm.vars.iter_mut().for_each(|var| self.bind(var));
        }
        body.result.iter_mut().for_each(|atom| self.atom(atom));
    }
}
