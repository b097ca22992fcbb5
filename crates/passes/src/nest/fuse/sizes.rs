//! Sizes that are known to be equal under different names, and the checks that say so.
//!
//! `let m = n`, a check that compares two sizes, and a coercion each say that sizes are equal from there on. Who
//! makes use of it relies on the certificates, so that nothing moves in front of the check.

use norn_ir::nest::{ArrayExp, Atom, Check, ControlExp, Exp, ScalarExp, Stm, Var, VarInfo};

#[derive(Default)]
pub struct Sizes {
    /// In the order in which they were learnt; a body forgets its own when it ends.
    known: Vec<(Atom, Atom, Vec<Var>)>,
}

/// The names of one size at a place, and the certificates that make them so.
#[derive(Clone, Default, Debug)]
pub struct Equal {
    pub names: Vec<Atom>,
    pub certs: Vec<Var>,
}

impl Sizes {
    pub fn mark(&self) -> usize {
        self.known.len()
    }

    pub fn forget(&mut self, mark: usize) {
        self.known.truncate(mark);
    }

    pub fn learn(&mut self, vars: &[VarInfo], stm: &Stm) {
        match (&stm.exp, stm.vars.as_slice()) {
            (Exp::Scalar(ScalarExp::Atom(atom)), [var]) if vars[var.0 as usize].ty.is_scalar() => {
                self.known.push(((*var).into(), *atom, Vec::new()));
            }
            (Exp::Control(ControlExp::Check(Check::Size { expected, found })), [cert]) => {
                self.known.push((*expected, *found, vec![*cert]));
            }
            (Exp::Array(ArrayExp::Coerce { array, dims }), _) => {
                for (old, new) in vars[array.0 as usize].ty.dims().iter().zip(dims) {
                    if let (Some(old), Some(new)) = (old.atom(), new.atom())
                        && old != new
                    {
                        self.known.push((old, new, stm.certs.clone()));
                    }
                }
            }
            _ => {}
        }
    }

    pub fn equal(&self, size: Atom) -> Equal {
        let mut equal = Equal { names: vec![size], certs: Vec::new() };
        let mut seen = vec![false; self.known.len()];
        loop {
            let before = equal.names.len();
            for ((a, b, certs), seen) in self.known.iter().zip(&mut seen) {
                let (has_a, has_b) = (equal.names.contains(a), equal.names.contains(b));
                if *seen || !(has_a || has_b) {
                    continue;
                }
                *seen = true;
                equal.certs.extend(certs);
                if !has_a {
                    equal.names.push(*a);
                }
                if !has_b {
                    equal.names.push(*b);
                }
            }
            if equal.names.len() == before {
                equal.certs.sort_unstable();
                equal.certs.dedup();
                return equal;
            }
        }
    }
}
