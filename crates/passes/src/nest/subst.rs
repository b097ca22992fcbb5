//! Replacing variables of a function by what they are equal to.

use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{Atom, Body, Dim, Elem, Exp, Fun, Type, Var};

/// Of some variables, what stands in their place.
#[derive(Default)]
pub struct Subst {
    to: Vec<Option<Atom>>,
}

impl Subst {
    pub fn set(&mut self, var: Var, to: impl Into<Atom>) {
        let index = var.0 as usize;
        if self.to.len() <= index {
            self.to.resize(index + 1, None);
        }
        let to = self.atom(to.into());
        if to != Atom::Var(var) {
            self.to[index] = Some(to);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    pub fn atom(&self, atom: Atom) -> Atom {
        let mut atom = atom;
        while let Atom::Var(var) = atom
            && let Some(Some(to)) = self.to.get(var.0 as usize)
        {
            atom = *to;
        }
        atom
    }

    /// For places where only a variable can stand: arrays, regions, certificates.
    pub fn var(&self, var: Var) -> Var {
        self.atom(var.into()).var().unwrap_or(var)
    }

    /// The operands of an expression; not what its bodies use.
    pub fn operands(&self, exp: &mut Exp) {
        exp.for_each_part_mut(&mut |part| match part {
            PartMut::Atom(atom) => *atom = self.atom(*atom),
            PartMut::Var(var) => *var = self.var(*var),
            PartMut::Binder(_) | PartMut::Body(_) | PartMut::Lambda(_) => {}
        });
    }

    /// All that a body uses, those inside included.
    pub fn body(&self, body: &mut Body) {
        for stm in &mut body.stms {
            stm.certs.iter_mut().for_each(|cert| *cert = self.var(*cert));
            self.exp(&mut stm.exp);
        }
        body.result.iter_mut().for_each(|atom| *atom = self.atom(*atom));
    }

    pub fn exp(&self, exp: &mut Exp) {
        exp.for_each_part_mut(&mut |part| match part {
            PartMut::Atom(atom) => *atom = self.atom(*atom),
            PartMut::Var(var) => *var = self.var(*var),
            PartMut::Binder(_) => {}
            PartMut::Body(body) => self.body(body),
            PartMut::Lambda(lambda) => self.body(&mut lambda.body),
        });
    }

    pub fn ty(&self, ty: &mut Type) {
        ty.for_each_dim(&mut |dim| match dim {
            Dim::Size(atom) => *atom = self.atom(*atom),
            Dim::Irregular | Dim::Result(_) => {}
        });
        ty.for_each_elem_mut(&mut |elem| match elem {
            Elem::Ref(_, Some(region)) => *region = self.var(*region),
            Elem::Prim(_) | Elem::Ref(_, None) => {}
        });
    }

    /// The types of all variables of a function.
    pub fn types(&self, fun: &mut Fun) {
        fun.vars.iter_mut().for_each(|info| self.ty(&mut info.ty));
    }
}
