//! A second copy of a kernel, whose variables have other names: a variable is bound once in its function (N1).

use super::Unflatten;
use crate::flat::{Body, Kernel, Operator, Out, PartMut, Var};
use crate::skeleton::{Atom, Operators};
use std::collections::BTreeMap;

impl Unflatten<'_> {
    pub(super) fn rename_kernel(&mut self, kernel: &mut Kernel) {
        let mut op = Operator::Kernel(Box::new(std::mem::replace(kernel, nothing())));
        let bound = op.bound_inside();
        let copies = self.copies(&bound);
        let names: BTreeMap<Var, Var> = bound.into_iter().zip(copies).collect();
        op.for_each_part_mut(&mut |part| rename(part, &names));
        if let Operator::Kernel(renamed) = op {
            *kernel = *renamed;
        }
    }
}

fn nothing() -> Kernel {
    Kernel {
        level: crate::flat::Level::Seq,
        points: Vec::new(),
        through: Vec::new(),
        when: None,
        body: Body::default(),
        outs: Vec::<Out>::new(),
        how: None,
    }
}

fn rename(part: PartMut, names: &BTreeMap<Var, Var>) {
    match part {
        PartMut::Atom(Atom::Const(_)) => {}
        PartMut::Atom(Atom::Var(var)) | PartMut::Var(var) | PartMut::Binder(var) => rename_var(var, names),
        PartMut::Body(body) => rename_body(body, names),
        PartMut::Lambda(lambda) => {
            lambda.params.iter_mut().for_each(|param| rename_var(param, names));
            rename_body(&mut lambda.body, names);
        }
    }
}

fn rename_body(body: &mut Body, names: &BTreeMap<Var, Var>) {
    for stm in &mut body.stms {
        stm.vars.iter_mut().chain(&mut stm.certs).for_each(|var| rename_var(var, names));
        stm.for_each_part_mut(&mut |part| rename(part, names));
    }
    body.result.iter_mut().for_each(|atom| rename(PartMut::Atom(atom), names));
}

fn rename_var(var: &mut Var, names: &BTreeMap<Var, Var>) {
    if let Some(new) = names.get(var) {
        *var = *new;
    }
}
