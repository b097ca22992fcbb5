//! Number variables by their first mention in the text, and forget those that are not mentioned.
//!
//! Variables have no numbers in the text, so the parser gives them numbers in this order. Only a
//! program that is numbered like this comes back from its text unchanged.

use super::walk::PartMut;
use super::{Atom, Body, Fun, Operators, Prog, Type, Var, VarInfo};

pub fn normalise<O: Operators>(prog: &mut Prog<O>) {
    prog.funs.iter_mut().for_each(normalise_fun);
}

pub fn normalise_fun<O: Operators>(fun: &mut Fun<O>) {
    let mut numbers = Numbers { old: std::mem::take(&mut fun.vars), number: Vec::new(), new: Vec::new() };
    numbers.number.resize(numbers.old.len(), None);
    for param in &mut fun.params {
        numbers.bind(&mut param.var);
    }
    for ret in &mut fun.ret {
        ret.ty.for_each_var_mut(&mut |var| numbers.mention(var));
    }
    numbers.body(&mut fun.body);
    let Numbers { mut old, number, new } = numbers;
    let renumber = &mut |var: &mut Var| {
        if let Some(Some(new)) = number.get(var.0 as usize) {
            *var = *new;
        }
    };
    for from in new {
        let mut info = std::mem::replace(&mut old[from.0 as usize], VarInfo::new("", Type::Cert));
        info.for_each_var_mut(renumber);
        fun.vars.push(info);
    }
}

struct Numbers {
    old: Vec<VarInfo>,
    /// Of each old variable, the new one.
    number: Vec<Option<Var>>,
    /// Of each new variable, the old one.
    new: Vec<Var>,
}

impl Numbers {
    fn mention(&mut self, var: &mut Var) {
        // One that is not in the table stays as it is, for the verifier to find.
        if let Some(number) = self.number.get_mut(var.0 as usize) {
            let next = Var(self.new.len() as u32);
            if number.is_none() {
                self.new.push(*var);
            }
            *var = *number.get_or_insert(next);
        }
    }

    fn bind(&mut self, var: &mut Var) {
        let old = var.0 as usize;
        self.mention(var);
        let mut mentioned = Vec::new();
        if let Some(info) = self.old.get(old) {
            info.for_each_var(&mut |var| mentioned.push(var));
        }
        mentioned.iter_mut().for_each(|var| self.mention(var));
    }

    fn body<O: Operators>(&mut self, body: &mut Body<O>) {
        for stm in &mut body.stms {
            stm.vars.iter_mut().for_each(|var| self.bind(var));
            stm.certs.iter_mut().for_each(|var| self.mention(var));
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
        body.result.iter_mut().for_each(|atom| self.atom(atom));
    }

    fn atom(&mut self, atom: &mut Atom) {
        match atom {
            Atom::Var(var) => self.mention(var),
            Atom::Const(_) => {}
        }
    }
}
