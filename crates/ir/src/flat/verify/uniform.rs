//! K11: all threads of a group reach each `group` kernel, and there agree on its sizes.
//!
//! A dependence analysis over the body of each `groups` kernel. A variable *varies* if threads of a group may disagree about it: what each
//! thread does for itself (`seq`, calls, new cells) may fail in one thread and not in another, and all that depends on such a variable, by
//! operands or by the branch that binds it, varies, too. Host values, the points, and the results of `group` kernels do not.

use crate::flat::{Dim, Exp, Fun, Kernel, Level, Operator, Part, Prog, Stm, Var};
use crate::skeleton::outline::Outline;
use crate::skeleton::print::Printer;
use crate::skeleton::verify::{Rule, Violation};
use crate::skeleton::{Atom, Body, CellExp, ControlExp, LoopForm, Param};
use std::collections::BTreeSet;

pub fn verify_uniform(prog: &Prog) -> Vec<Violation> {
    let outline = prog.outline();
    let mut violations = Vec::new();
    for fun in &prog.funs {
        find_groups(&fun.body, &mut |op| {
            let Operator::Kernel(kernel) = op else { return };
            let inside = op.bound_inside().into_iter().collect();
            let (varying, violations) = (BTreeSet::new(), &mut violations);
            let mut checker = Uniform { outline: &outline, fun, inside, varying, violations };
            // What varies only grows, and what is found at the end is reported once.
            loop {
                let before = checker.varying.len();
                checker.body(&kernel.body, false, false);
                if checker.varying.len() == before {
                    break;
                }
            }
            checker.body(&kernel.body, false, true);
        });
    }
    violations
}

fn find_groups(body: &Body<Operator>, found: &mut dyn FnMut(&Operator)) {
    for stm in &body.stms {
        if let Exp::Op(op @ Operator::Kernel(kernel)) = &stm.exp
            && kernel.level == Level::Groups
        {
            found(op);
            continue;
        }
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => find_groups(body, found),
            Part::Lambda(_) | Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
}

struct Uniform<'a> {
    outline: &'a Outline<'a>,
    fun: &'a Fun,
    /// What the kernel binds, in all its bodies.
    inside: BTreeSet<Var>,
    varying: BTreeSet<Var>,
    violations: &'a mut Vec<Violation>,
}

impl Uniform<'_> {
    fn varies(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.varying.contains(&var))
    }

    /// `guarded`: threads may disagree on whether they get here. `report`: the analysis is done.
    fn body(&mut self, body: &Body<Operator>, guarded: bool, report: bool) {
        body.stms.iter().for_each(|stm| self.stm(stm, guarded, report));
    }

    fn stm(&mut self, stm: &Stm, guarded: bool, report: bool) {
        let mut varies = false;
        stm.for_each_part(&mut |part| match part {
            Part::Atom(atom) => varies |= self.varies(*atom),
            Part::Var(var) => varies |= self.varies((*var).into()),
            Part::Binder(_) | Part::Body(_) | Part::Lambda(_) => {}
        });
        match &stm.exp {
            Exp::Control(ControlExp::If { cond, then, els }) => {
                self.branches(*cond, &[then, els], &stm.vars, guarded, report);
            }
            Exp::Control(ControlExp::Switch { scrutinee, cases, default }) => {
                let bodies: Vec<&Body<Operator>> =
                    cases.iter().map(|(_, body)| body).chain([default]).collect();
                self.branches(*scrutinee, &bodies, &stm.vars, guarded, report);
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                self.loop_(params, form, body, &stm.vars, guarded, report);
            }
            Exp::Op(Operator::Kernel(kernel)) if kernel.level == Level::Group => {
                if report {
                    self.group(kernel, stm, guarded);
                }
            }
            Exp::Op(Operator::Kernel(_))
            | Exp::Control(ControlExp::Call { .. })
            | Exp::Cell(CellExp::Alloc { .. } | CellExp::Region) => self.varying.extend(&stm.vars),
            Exp::Scalar(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Op(_) | Exp::Control(_) => {
                if varies {
                    self.varying.extend(&stm.vars);
                }
            }
        }
    }

    fn branches(
        &mut self,
        cond: Atom,
        bodies: &[&Body<Operator>],
        vars: &[Var],
        guarded: bool,
        report: bool,
    ) {
        let decided = self.varies(cond);
        for body in bodies {
            self.body(body, guarded || decided, report);
            self.joins(vars, &body.result, decided);
        }
    }

    /// Variables that get these values.
    fn joins(&mut self, vars: &[Var], values: &[Atom], decided: bool) {
        for (var, value) in vars.iter().zip(values) {
            if decided || self.varies(*value) {
                self.varying.insert(*var);
            }
        }
    }

    fn loop_(
        &mut self,
        params: &[(Param, Atom)],
        form: &LoopForm<Operator>,
        body: &Body<Operator>,
        vars: &[Var],
        guarded: bool,
        report: bool,
    ) {
        let names: Vec<Var> = params.iter().map(|(param, _)| param.var).collect();
        let initial: Vec<Atom> = params.iter().map(|(_, initial)| *initial).collect();
        self.joins(&names, &initial, false);
        let decided = match form {
            LoopForm::For(var, bound) => {
                self.joins(&[*var], &[*bound], false);
                self.varies(*bound)
            }
            LoopForm::While(cond) => {
                self.body(cond, guarded, false);
                let decided = cond.result.iter().any(|atom| self.varies(*atom));
                self.body(cond, guarded || decided, report);
                decided
            }
        };
        self.body(body, guarded || decided, report);
        self.joins(&names, &body.result, decided);
        let carried: Vec<Atom> = names.iter().map(|name| (*name).into()).collect();
        self.joins(vars, &carried, decided);
    }

    fn group(&mut self, kernel: &Kernel, stm: &Stm, guarded: bool) {
        if guarded {
            self.fail("A `group` kernel stands where only some threads of the group may get.".to_string());
        }
        let sizes = kernel.dims().filter_map(|dim| dim.size()).chain(kernel.when);
        if let Some(var) = sizes.filter(|size| self.varies(*size)).find_map(|size| size.var()) {
            let name = self.show(var);
            self.fail(format!(
                "The threads of a group may disagree about {name}, a size of a `group` kernel."
            ));
        }
        for array in &stm.vars {
            for dim in self.fun.vars[array.0 as usize].ty.dims() {
                let Dim::Size(Atom::Var(size)) = *dim else { continue };
                let outside = |var: Var| !self.inside.contains(&var);
                let bound = self.fun.vars[size.0 as usize].bound;
                if !outside(size) && !bound.is_some_and(|bound| bound.var().is_none_or(outside)) {
                    let (array, size) = (self.show(*array), self.show(size));
                    self.fail(format!("{array} is shared, but the host knows no bound of its size {size}."));
                }
            }
        }
    }

    fn show(&self, var: Var) -> String {
        format!("`{}`", Printer::of_fun(self.outline, self.fun.head()).var(var))
    }

    fn fail(&mut self, message: String) {
        self.violations.push(Violation { rule: Rule::K11, fun: Some(self.fun.name.clone()), message });
    }
}
