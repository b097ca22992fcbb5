//! Stores arrays transposed: their definitions and the joins of control flow get the transposed type, all other uses a view.

use super::Transposed;
use super::classes::{Classes, Origin};
use super::interchange::interchanged;
use crate::nest::mentions;
use crate::nest::subst::Subst;
use norn_base::Span;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Dim, Exp, Fun, LoopForm, ScalarExp, Stm, Type, Var, VarInfo,
};
use rustc_hash::FxHashMap;

pub fn transpose(fun: &mut Fun, classes: &Classes, transposed: &Transposed) {
    let body = std::mem::take(&mut fun.body);
    let mut transposer = Transposer { vars: &mut fun.vars, classes, transposed, lies: FxHashMap::default() };
    let body = transposer.body(body, Vec::new());
    fun.body = body;
    let seen = mentions::mentioned(fun);
    without_unseen(&mut fun.body, &seen);
}

/// Views that nobody looks at are left out.
fn without_unseen(body: &mut Body, seen: &[bool]) {
    let is_view = |stm: &Stm| matches!(stm.exp, Exp::Array(ArrayExp::Rearrange { .. }));
    body.stms.retain(|stm| !is_view(stm) || stm.vars.iter().any(|var| seen[var.0 as usize]));
    for stm in body.stms.iter_mut().filter(|stm| stm.grid.is_none()) {
        stm.exp.for_each_part_mut(&mut |part| {
            if let PartMut::Body(body) = part {
                without_unseen(body, seen);
            }
        });
    }
}

struct Transposer<'a> {
    vars: &'a mut Vec<VarInfo>,
    classes: &'a Classes,
    transposed: &'a Transposed,
    /// Of what has been made, the variable that has the type in whose order it lies.
    lies: FxHashMap<Var, Var>,
}

impl Transposer<'_> {
    fn body(&mut self, body: Body, first: Vec<Stm>) -> Body {
        let mut stms = first;
        for stm in body.stms {
            self.stm(stm, &mut stms);
        }
        Body { stms, result: body.result }
    }

    /// A body some of whose results are stored transposed: those for these variables.
    fn joined(&mut self, body: Body, of: &[Var], first: Vec<Stm>, span: Span) -> Body {
        let mut body = self.body(body, first);
        for (var, result) in of.iter().zip(&mut body.result) {
            if self.transposed.contains_key(var) {
                *result = self.lying(*result, *var, &mut body.stms, span);
            }
        }
        body
    }

    /// What lies as the variable of a class does, for a value of it.
    fn lying(&mut self, value: Atom, of: Var, stms: &mut Vec<Stm>, span: Span) -> Atom {
        let array = value.var().expect("layout: an array that is no variable");
        if let Some(lies) = self.lies.get(&array) {
            return (*lies).into();
        }
        let lies = self.new_transposed(array, self.transposed[&of]);
        stms.push(self.rearranged(lies, array, self.transposed[&of], true, span));
        lies.into()
    }

    /// A variable of the transposed type.
    fn new_transposed(&mut self, of: Var, points: usize) -> Var {
        let VarInfo { name, ty, .. } = &self.vars[of.0 as usize];
        let dims = ty.dims();
        let dims: Vec<Dim> = dims[points..].iter().chain(&dims[..points]).copied().collect();
        let ty = Type::Value(ty.elem().expect("layout: an array of no values"), dims);
        self.new_var(name.clone(), ty)
    }

    fn new_var(&mut self, name: String, ty: Type) -> Var {
        self.vars.push(VarInfo::new(name, ty));
        Var(self.vars.len() as u32 - 1)
    }

    /// `var` is `of` with its points last, or, if it is to be back, first.
    fn rearranged(&self, var: Var, of: Var, points: usize, forth: bool, span: Span) -> Stm {
        let rank = self.vars[of.0 as usize].ty.rank();
        let from = if forth { points } else { rank - points };
        let perm = (from..rank).chain(0..from).collect();
        let exp = Exp::Array(ArrayExp::Rearrange { array: of, perm });
        Stm { vars: vec![var], certs: Vec::new(), grid: None, exp, attrs: Vec::new(), span }
    }

    /// After the definition of a transposed variable: the view of the original type that other statements use.
    fn view_of(&mut self, var: Var, lies: Var, span: Span) -> Stm {
        self.lies.insert(var, lies);
        self.rearranged(var, lies, self.transposed[&var], false, span)
    }

    fn stm(&mut self, mut stm: Stm, stms: &mut Vec<Stm>) {
        let span = stm.span;
        let is_transposed = |var: &Var| self.transposed.contains_key(var);
        let results: Vec<Var> = stm.vars.iter().copied().filter(is_transposed).collect();
        match &mut stm.exp {
            Exp::Op(_) if stm.grid.is_some() => return self.made(stm, &results, stms),
            Exp::Scalar(ScalarExp::Atom(Atom::Var(of))) => {
                if let (Some(lies), [var]) = (self.lies.get(of).copied(), &results[..]) {
                    self.lies.insert(*var, lies);
                }
                return stms.push(stm);
            }
            Exp::Control(ControlExp::If { then, els, .. }) => {
                for branch in [then, els] {
                    *branch = self.joined(std::mem::take(branch), &stm.vars, Vec::new(), span);
                }
            }
            Exp::Control(ControlExp::Switch { cases, default, .. }) => {
                for branch in cases.iter_mut().map(|(_, body)| body).chain([default]) {
                    *branch = self.joined(std::mem::take(branch), &stm.vars, Vec::new(), span);
                }
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                let own: Vec<Var> = params.iter().map(|(param, _)| param.var).collect();
                let (mut first, mut first_of_cond) = (Vec::new(), Vec::new());
                for (param, initial) in params.iter_mut() {
                    if !self.transposed.contains_key(&param.var) {
                        continue;
                    }
                    *initial = self.lying(*initial, param.var, stms, span);
                    let lies = self.new_transposed(param.var, self.transposed[&param.var]);
                    first.push(self.view_of(param.var, lies, span));
                    let ty = self.vars[param.var.0 as usize].clone();
                    if matches!(form, LoopForm::While(_)) {
                        let seen = self.new_var(ty.name, ty.ty);
                        first_of_cond.push((param.var, seen));
                    }
                    param.var = lies;
                }
                if let LoopForm::While(cond) = form {
                    let before: Vec<Stm> = first_of_cond
                        .iter()
                        .map(|(var, seen)| {
                            self.rearranged(*seen, self.lies[var], self.transposed[var], false, span)
                        })
                        .collect();
                    let mut inside = self.body(std::mem::take(cond), Vec::new());
                    let seen: Vec<Var> = first_of_cond.iter().map(|(var, _)| *var).collect();
                    let to = first_of_cond.iter().map(|(_, seen)| Atom::Var(*seen));
                    Subst::of(&seen, to).body(&mut inside);
                    inside.stms.splice(0..0, before);
                    *cond = inside;
                }
                *body = self.joined(std::mem::take(body), &own, first, span);
            }
            _ => return stms.push(stm),
        }
        let mut views = Vec::with_capacity(results.len());
        for var in &mut stm.vars {
            if let Some(points) = self.transposed.get(var) {
                let lies = self.new_transposed(*var, *points);
                views.push(self.view_of(*var, lies, span));
                *var = lies;
            }
        }
        stms.push(stm);
        stms.extend(views);
    }

    /// Elements are made in the order in which they lie.
    fn made_by_elements(&mut self, stm: Stm, stms: &mut Vec<Stm>) {
        let (vars, span) = (stm.vars.clone(), stm.span);
        let points = self.transposed[&vars[0]];
        let lies: Vec<Var> = vars.iter().map(|var| self.new_transposed(*var, points)).collect();
        let (ranges, transposed) = interchanged(self.vars, stm, points, lies.clone());
        stms.extend(ranges);
        stms.push(transposed);
        for (var, lies) in vars.into_iter().zip(lies) {
            let view = self.view_of(var, lies, span);
            stms.push(view);
        }
    }

    /// What a kernel makes is rearranged at once.
    fn made(&mut self, mut stm: Stm, results: &[Var], stms: &mut Vec<Stm>) {
        if results.iter().any(|var| self.classes.made(*var) == Origin::Free) {
            return self.made_by_elements(stm, stms);
        }
        let mut views = Vec::with_capacity(2 * results.len());
        for var in stm.vars.iter_mut().filter(|var| results.contains(var)) {
            let VarInfo { name, ty, .. } = self.vars[var.0 as usize].clone();
            let made = self.new_var(name, ty);
            let lies = self.new_transposed(made, self.transposed[var]);
            views.push(self.rearranged(lies, made, self.transposed[var], true, stm.span));
            views.push(self.view_of(*var, lies, stm.span));
            *var = made;
        }
        stms.push(stm);
        stms.extend(views);
    }
}
