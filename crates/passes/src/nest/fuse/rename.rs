//! Putting other atoms in the place of variables, and copying statements under new names.

use super::alias::Aliases;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{Atom, Body, Dim, Elem, Lambda, Stm, Type, Var, VarInfo};
use std::collections::HashMap;

/// What stands for a variable. Only ever asked, never enumerated.
pub type Subst = HashMap<Var, Atom>;

/// The statement with the variables replaced, also in the types of what it binds.
pub fn substitute_stm(vars: &mut [VarInfo], subst: &Subst, stm: &mut Stm) {
    if subst.is_empty() {
        return;
    }
    stm.vars.iter().for_each(|var| substitute_type(subst, &mut vars[var.0 as usize].ty));
    stm.certs.iter_mut().for_each(|var| substitute_var(subst, var));
    stm.exp.for_each_part_mut(&mut |part| match part {
        PartMut::Atom(atom) => substitute_atom(subst, atom),
        PartMut::Var(var) => substitute_var(subst, var),
        PartMut::Binder(var) => substitute_type(subst, &mut vars[var.0 as usize].ty),
        PartMut::Body(body) => substitute_body(vars, subst, body),
        PartMut::Lambda(lambda) => {
            lambda.params.iter().for_each(|var| substitute_type(subst, &mut vars[var.0 as usize].ty));
            substitute_body(vars, subst, &mut lambda.body);
        }
    });
}

pub fn substitute_body(vars: &mut [VarInfo], subst: &Subst, body: &mut Body) {
    if subst.is_empty() {
        return;
    }
    body.stms.iter_mut().for_each(|stm| substitute_stm(vars, subst, stm));
    body.result.iter_mut().for_each(|atom| substitute_atom(subst, atom));
}

pub fn substitute_atom(subst: &Subst, atom: &mut Atom) {
    if let Atom::Var(var) = atom
        && let Some(other) = subst.get(var)
    {
        *atom = *other;
    }
}

/// An array, a region or a certificate: its substitute is a variable too.
fn substitute_var(subst: &Subst, var: &mut Var) {
    if let Some(Atom::Var(other)) = subst.get(var) {
        *var = *other;
    }
}

fn substitute_type(subst: &Subst, ty: &mut Type) {
    ty.for_each_dim(&mut |dim| match dim {
        Dim::Size(atom) => substitute_atom(subst, atom),
        Dim::Irregular | Dim::Result(_) => {}
    });
    ty.for_each_elem_mut(&mut |elem| match elem {
        Elem::Ref(_, Some(region)) => substitute_var(subst, region),
        Elem::Ref(_, None) | Elem::Prim(_) => {}
    });
}

/// The statement again, binding new variables. What stood for its old ones is added to the substitution.
pub fn copy_stm(vars: &mut Vec<VarInfo>, aliases: &mut Aliases, subst: &mut Subst, stm: &Stm) -> Stm {
    let mut copy = stm.clone();
    bind_anew(vars, aliases, subst, &mut copy);
    substitute_stm(vars, subst, &mut copy);
    copy
}

fn bind_anew(vars: &mut Vec<VarInfo>, aliases: &mut Aliases, subst: &mut Subst, stm: &mut Stm) {
    stm.vars.iter_mut().for_each(|var| anew(vars, aliases, subst, var));
    stm.exp.for_each_part_mut(&mut |part| match part {
        PartMut::Atom(_) | PartMut::Var(_) => {}
        PartMut::Binder(var) => anew(vars, aliases, subst, var),
        PartMut::Body(body) => body.stms.iter_mut().for_each(|stm| bind_anew(vars, aliases, subst, stm)),
        PartMut::Lambda(lambda) => {
            lambda.params.iter_mut().for_each(|var| anew(vars, aliases, subst, var));
            lambda.body.stms.iter_mut().for_each(|stm| bind_anew(vars, aliases, subst, stm));
        }
    });
}

fn anew(vars: &mut Vec<VarInfo>, aliases: &mut Aliases, subst: &mut Subst, var: &mut Var) {
    let copy = Var(vars.len() as u32);
    vars.push(vars[var.0 as usize].clone());
    aliases.add(Some(*var));
    subst.insert(*var, copy.into());
    *var = copy;
}

/// The lambda again, with new variables.
pub fn copy_lambda(vars: &mut Vec<VarInfo>, aliases: &mut Aliases, lambda: &Lambda) -> Lambda {
    let mut copy = lambda.clone();
    let mut subst = Subst::new();
    copy.params.iter_mut().for_each(|var| anew(vars, aliases, &mut subst, var));
    copy.body.stms.iter_mut().for_each(|stm| bind_anew(vars, aliases, &mut subst, stm));
    substitute_types(vars, &subst, &copy.params);
    substitute_body(vars, &subst, &mut copy.body);
    copy
}

pub fn substitute_types(vars: &mut [VarInfo], subst: &Subst, of: &[Var]) {
    of.iter().for_each(|var| substitute_type(subst, &mut vars[var.0 as usize].ty));
}
