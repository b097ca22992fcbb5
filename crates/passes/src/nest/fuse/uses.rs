//! What a statement mentions: operands, certificates, and sizes and regions in the types of what it binds.
//!
//! Variables bound inside the statement are among them. Nobody minds: a variable is bound once in its
//! function, so none of them is bound by another statement of the block.

use norn_ir::nest::walk::Part;
use norn_ir::nest::{Body, Exp, Stm, Var, VarInfo};

/// With repetitions, in the order of the text.
pub fn mentions(vars: &[VarInfo], stm: &Stm) -> Vec<Var> {
    let mut found = Vec::new();
    in_stm(vars, stm, &mut found);
    found
}

fn in_stm(vars: &[VarInfo], stm: &Stm, found: &mut Vec<Var>) {
    stm.vars.iter().for_each(|var| in_type(vars, *var, found));
    found.extend(&stm.certs);
    in_exp(vars, &stm.exp, found);
}

pub fn in_exp(vars: &[VarInfo], exp: &Exp, found: &mut Vec<Var>) {
    exp.for_each_part(&mut |part| match part {
        Part::Atom(atom) => found.extend(atom.var()),
        Part::Var(var) => found.push(*var),
        Part::Binder(var) => in_type(vars, *var, found),
        Part::Body(body) => in_body(vars, body, found),
        Part::Lambda(lambda) => {
            lambda.params.iter().for_each(|var| in_type(vars, *var, found));
            in_body(vars, &lambda.body, found);
        }
    });
}

pub fn in_body(vars: &[VarInfo], body: &Body, found: &mut Vec<Var>) {
    body.stms.iter().for_each(|stm| in_stm(vars, stm, found));
    found.extend(body.result.iter().filter_map(|atom| atom.var()));
}

fn in_type(vars: &[VarInfo], var: Var, found: &mut Vec<Var>) {
    vars[var.0 as usize].ty.for_each_var(&mut |mentioned| found.push(mentioned));
}
