//! The body of a function in place of a call of it.
//!
//! ```text
//! let ok: cert = check size m n                       let ok: cert = check size m n
//! let r: [m]f32 = <ok> call scale (m, 2f32, xs)  ==>  let mapped: [m]f32 = <ok> map m (xs) \(x: f32) { .. }
//!                                                     let r: [m]f32 = mapped
//! ```
//!
//! Parameters become the arguments, all other variables get new ones at the end of the caller's table. What the call relied on, the statements that take its place rely on. Which calls are worth it is
//! for those to say who need it: the pass `inline`, flattening, and differentiation in reverse.

use super::walk::PartMut;
use super::{Atom, Body, ControlExp, Dim, Elem, Exp, Fun, Prog, Stm, Type, Var, VarInfo};
use norn_base::{FileId, Span};
use std::collections::HashSet;

/// As `splice`, but what a function of the library does has the place of the call, if the caller is none: nobody reads the library for their own mistakes. `library` has its files then.
pub fn splice_seen(
    vars: &mut Vec<VarInfo>,
    stms: &mut Vec<Stm>,
    callee: &Fun,
    args: &[Atom],
    call: &Stm,
    library: Option<&HashSet<FileId>>,
) {
    let first = stms.len();
    splice(vars, stms, callee, args, call);
    if let Some(library) = library.filter(|_| is_library(callee)) {
        replace_places(&mut stms[first..], library, call.span);
    }
}

/// The files of functions of a library.
pub fn library_files(prog: &Prog) -> HashSet<FileId> {
    prog.funs.iter().filter(|fun| is_library(fun)).map(|fun| fun.span.file).collect()
}

pub fn is_library(fun: &Fun) -> bool {
    fun.attrs.iter().any(|attr| attr == "library")
}

/// The statements that come from a library have this place instead.
fn replace_places(stms: &mut [Stm], library: &HashSet<FileId>, place: Span) {
    for stm in stms {
        if library.contains(&stm.span.file) {
            stm.span = place;
        }
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => replace_places(&mut body.stms, library, place),
            PartMut::Lambda(lambda) => replace_places(&mut lambda.body.stms, library, place),
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }
}

/// The body of the callee with the arguments in place of its parameters; its results become what the call bound.
pub fn splice(vars: &mut Vec<VarInfo>, stms: &mut Vec<Stm>, callee: &Fun, args: &[Atom], call: &Stm) {
    let base = vars.len() as u32;
    let mut names: Vec<Atom> =
        (0..callee.vars.len() as u32).map(|index| Atom::Var(Var(base + index))).collect();
    for (param, arg) in callee.params.iter().zip(args) {
        names[param.var.0 as usize] = *arg;
    }
    let rename = Rename { names };
    for info in &callee.vars {
        let mut info = info.clone();
        rename.ty(&mut info.ty);
        vars.push(info);
    }
    let mut body = callee.body.clone();
    rename.body(&mut body);
    stms.extend(body.stms.into_iter().map(|stm| relying_on(stm, &call.certs)));
    for (var, result) in call.vars.iter().zip(body.result) {
        stms.push(Stm::new(vec![*var], Exp::atom(result), call.span));
    }
}

/// The statement, which also relies on these, unless it is a check itself.
pub fn relying_on(mut stm: Stm, certs: &[Var]) -> Stm {
    if !matches!(stm.exp, Exp::Control(ControlExp::Check(_))) {
        stm.certs.extend(certs);
        stm.certs.sort_unstable();
        stm.certs.dedup();
    }
    stm
}

/// New names for all variables of a function.
struct Rename {
    names: Vec<Atom>,
}

impl Rename {
    fn var(&self, var: &mut Var) {
        if let Atom::Var(name) = self.names[var.0 as usize] {
            *var = name;
        }
    }

    fn atom(&self, atom: &mut Atom) {
        if let Atom::Var(var) = atom {
            *atom = self.names[var.0 as usize];
        }
    }

    fn ty(&self, ty: &mut Type) {
        ty.for_each_dim(&mut |dim| match dim {
            Dim::Size(atom) => self.atom(atom),
            Dim::Irregular | Dim::Result(_) => {}
        });
        ty.for_each_elem_mut(&mut |elem| match elem {
            Elem::Ref(_, Some(region)) => self.var(region),
            Elem::Prim(_) | Elem::Ref(_, None) => {}
        });
    }

    fn body(&self, body: &mut Body) {
        for stm in &mut body.stms {
            stm.vars.iter_mut().for_each(|var| self.var(var));
            stm.certs.iter_mut().for_each(|var| self.var(var));
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Atom(atom) => self.atom(atom),
                PartMut::Var(var) | PartMut::Binder(var) => self.var(var),
                PartMut::Body(body) => self.body(body),
                PartMut::Lambda(lambda) => {
                    lambda.params.iter_mut().for_each(|var| self.var(var));
                    self.body(&mut lambda.body);
                }
            });
        }
        body.result.iter_mut().for_each(|atom| self.atom(atom));
    }
}
