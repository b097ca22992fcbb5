//! Compute the same thing once.
//!
//! Before:
//! ```text
//! let ok: cert = check index i n
//! let x: f32 = <ok> index xs [i]
//! let y: f32 = if c {
//!   let ok.2: cert = check index i n
//!   let z: f32 = <ok.2> index xs [i]
//!   in z
//! } else { .. }
//! ```
//! After:
//! ```text
//! let ok: cert = check index i n
//! let x: f32 = <ok> index xs [i]
//! let y: f32 = if c {
//!   in x
//! } else { .. }
//! ```
//!
//! Needs: a valid program. Gives: no two equal expressions of which one is
//! computed wherever the other is, arrays that somebody writes to aside; no second names, of scalars or of arrays under the shape that they have.
//! Keeps: results and failures; of equal checks the first remains, and what relied on the others relies on it.
//! Refuses: regions, cells with arrays, whatever consumes or shows something, and large operators, of which equality would cost too much to find.
//! Method: a walk in the order of statements with a table of the expressions seen in this body and those around
//! it. An expression is written as a list of numbers, where variables bound inside are numbered by their order,
//! so lambdas are equal whatever their variables are called. Of products and quotients of floats the signs are left aside (`signs`).
//! Cost: linear in the size of the program; at most `LIMIT` numbers are written for a statement.

pub mod key;
mod signs;

use super::memory::{Memory, memory, signatures};
use super::subst::Subst;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{ArrayExp, Atom, Body, Exp, Fun, Prog, ScalarExp, Showing, Stm, UnOp, Var, VarInfo};
use signs::Signs;
use std::collections::HashMap;

pub fn cse(prog: &mut Prog) {
    let (signatures, showing) = (signatures(prog), Showing::of(prog));
    for fun in &mut prog.funs {
        let memory = memory(&signatures, fun);
        cse_fun(fun, memory, &showing);
    }
}

fn cse_fun(fun: &mut Fun, memory: Memory, showing: &Showing) {
    let mut body = std::mem::take(&mut fun.body);
    let mut walk = Cse {
        vars: &fun.vars,
        memory,
        showing,
        subst: Subst::default(),
        seen: HashMap::new(),
        trail: Vec::new(),
        signs: Signs::default(),
    };
    walk.body(&mut body);
    let subst = walk.subst;
    fun.body = body;
    if !subst.is_empty() {
        subst.types(fun);
    }
    normalise_fun(fun);
}

struct Cse<'a> {
    vars: &'a [VarInfo],
    memory: Memory,
    showing: &'a Showing,
    subst: Subst,
    /// What each expression that is visible here was bound to, and whether that is the negative of it.
    seen: HashMap<Vec<u64>, (Vec<Var>, bool)>,
    /// The expressions in the order they were seen.
    trail: Vec<Vec<u64>>,
    signs: Signs,
}

impl Cse<'_> {
    fn body(&mut self, body: &mut Body) {
        let start = self.trail.len();
        let mut stms = Vec::with_capacity(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            self.subst.operands_of(&mut stm);
            stm.certs.iter_mut().for_each(|cert| *cert = self.subst.var(*cert));
            stm.certs.sort_unstable();
            stm.certs.dedup();
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.body(body),
                PartMut::Lambda(lambda) => self.body(&mut lambda.body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
            if !self.is_another_name(&stm) && !self.is_known(&mut stm) {
                self.signs.note(&stm);
                stms.push(stm);
            }
        }
        body.stms = stms;
        body.result.iter_mut().for_each(|atom| *atom = self.subst.atom(*atom));
        for key in self.trail.drain(start..) {
            self.seen.remove(&key);
        }
    }

    /// Whether the statement only names what is there already: a scalar, or an array under the shape that it has.
    fn is_another_name(&mut self, stm: &Stm) -> bool {
        if !stm.certs.is_empty() {
            return false;
        }
        let ty = |var: Var| &self.vars[var.0 as usize].ty;
        let named = match &stm.exp {
            Exp::Scalar(ScalarExp::Atom(atom)) if ty(stm.vars[0]).prim().is_some() => *atom,
            Exp::Array(ArrayExp::Reshape { array, old, new }) if *old == new.len() => {
                let dims = ty(*array).dims().iter().map(|dim| dim.atom().map(|size| self.subst.atom(size)));
                if !dims.zip(new).all(|(size, new)| size == Some(*new)) {
                    return false;
                }
                (*array).into()
            }
            _ => return false,
        };
        self.subst.set(stm.vars[0], named);
        true
    }

    /// Whether what the statement computes is there already; then its variables are replaced. Where the negative of it is there, the
    /// statement becomes that.
    fn is_known(&mut self, stm: &mut Stm) -> bool {
        if self.showing.exp(&stm.exp) {
            return false;
        }
        let bare = self.signs.bare(stm);
        let (key, negative) = match &bare {
            Some((bare, negative)) => (key::key(self.vars, bare), *negative),
            None => (key::key(self.vars, stm), false),
        };
        let Some(key) = key else { return false };
        let Some((known, known_negative)) = self.seen.get(&key).cloned() else {
            self.trail.push(key.clone());
            self.seen.insert(key, (stm.vars.clone(), negative));
            return false;
        };
        if negative != known_negative
            && let Some(prim) = self.vars[known[0].0 as usize].ty.prim()
        {
            stm.exp = Exp::un(UnOp::Neg, prim, Atom::Var(known[0]));
            return false;
        }
        let memory = &mut self.memory;
        let free = |(a, b): (&Var, &Var)| self.vars[a.0 as usize].ty.prim().is_some() || memory.share(*a, *b);
        if !stm.vars.iter().zip(&known).all(free) {
            return false;
        }
        for (var, known) in stm.vars.iter().zip(known) {
            self.subst.set(*var, known);
        }
        true
    }
}
