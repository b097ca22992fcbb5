//! Checks the sides of values in host code: in whose memory they are.
//!
//! - K1: host code computes with values of the host, kernels read arrays of the device, `cpu` functions take arrays of the host; only `copy` and `read` cross.
//! - K4: arrays made by `rows`, and views of them, are never consumed, since their rows may overlap.
//! - K5: the host knows a bound of each size on the device, and enough to allocate each array.
//!
//! A value on both sides (`Side::Both`) can be used as one of either side. Control flow is checked in order; loops and branches yield what their variables declare.

use super::code::{Place, place_of};
use crate::flat::{Dim, Fun, Kernel, Operator, Part, Prog, Side, Stm, Type, Var};
use crate::skeleton::outline::Outline;
use crate::skeleton::print::Printer;
use crate::skeleton::verify::{Rule, Violation};
use crate::skeleton::{Atom, Body, ControlExp, Exp, LoopForm, Operators, ScalarExp};
use std::collections::BTreeSet;

pub struct Sides<'a> {
    prog: &'a Prog,
    outline: &'a Outline<'a>,
    fun: &'a Fun,
    /// What is made by `rows`, and views of it.
    rows: BTreeSet<Var>,
    violations: Vec<Violation>,
}

/// The side of a variable of a function.
fn side_of(fun: &Fun, var: Var) -> Side {
    let info = &fun.vars[var.0 as usize];
    match &info.ty {
        _ if place_of(fun) == Some(Place::Cpu) => Side::Host,
        Type::Region | Type::Cert => info.side.unwrap_or(Side::Both),
        ty if ty.is_scalar() => info.side.unwrap_or(Side::Host),
        Type::Value(..) | Type::Acc(_) | Type::Seg { .. } => info.side.unwrap_or(Side::Device),
    }
}

/// Whether what is on the first side can be used as being on the second.
fn is_on(found: Side, expected: Side) -> bool {
    found == expected || found == Side::Both
}

impl<'a> Sides<'a> {
    /// Of a host function.
    pub fn verify(prog: &'a Prog, outline: &'a Outline<'a>, fun: &'a Fun) -> Vec<Violation> {
        let mut sides = Sides { prog, outline, fun, rows: BTreeSet::new(), violations: Vec::new() };
        fun.params.iter().for_each(|param| sides.bound(param.var));
        sides.body(&fun.body);
        for (atom, ret) in fun.body.result.iter().zip(&fun.ret) {
            let expected = if ret.ty.is_scalar() { Side::Host } else { Side::Device };
            sides.on(*atom, expected, "a result of the function");
        }
        sides.violations
    }

    fn fail(&mut self, rule: Rule, message: String) {
        self.violations.push(Violation { rule, fun: Some(self.fun.name.clone()), message });
    }

    fn show(&self, var: Var) -> String {
        format!("`{}`", Printer::of_fun(self.outline, self.fun.head()).var(var))
    }

    fn side(&self, var: Var) -> Side {
        side_of(self.fun, var)
    }

    /// K1: that a value is on this side.
    fn on(&mut self, atom: Atom, expected: Side, what: &str) {
        let Atom::Var(var) = atom else { return };
        if !is_on(self.side(var), expected) {
            let name = self.show(var);
            self.fail(Rule::K1, format!("{name} is {what}, but it is not on the {}.", expected.name()));
        }
    }

    /// That a variable is declared to be on this side.
    fn yields(&mut self, var: Var, side: Side, what: &str) {
        let is_value = !matches!(self.fun.vars[var.0 as usize].ty, Type::Region | Type::Cert);
        if is_value && self.side(var) != side {
            let name = self.show(var);
            self.fail(Rule::K1, format!("{name} is yielded by {what}, on the {}.", side.name()));
        }
    }

    /// K5: bounds are known to the host.
    fn bound(&mut self, var: Var) {
        if let Some(Atom::Var(bound)) = self.fun.vars[var.0 as usize].bound
            && !is_on(self.side(bound), Side::Host)
        {
            let name = self.show(bound);
            self.fail(Rule::K5, format!("The bound {name} is not on the host."));
        }
    }

    fn body(&mut self, body: &Body<Operator>) {
        body.stms.iter().for_each(|stm| self.stm(stm));
    }

    fn stm(&mut self, stm: &Stm) {
        stm.vars.iter().for_each(|var| self.bound(*var));
        let mut operands = Vec::new();
        stm.for_each_part(&mut |part| match part {
            Part::Atom(atom) => operands.push(*atom),
            Part::Var(var) => operands.push((*var).into()),
            Part::Binder(_) | Part::Body(_) | Part::Lambda(_) => {}
        });
        match &stm.exp {
            Exp::Scalar(ScalarExp::Atom(x)) => {
                let side = stm.vars.first().map_or(Side::Host, |var| self.side(*var));
                self.on(*x, side, "given another name on that side");
                self.views(stm, &operands);
            }
            Exp::Scalar(_) => {
                operands.iter().for_each(|x| self.on(*x, Side::Host, "what the host computes with"));
                stm.vars.iter().for_each(|var| self.yields(*var, Side::Host, "the host"));
            }
            Exp::Array(_) => {
                let arrays = operands.iter().filter(|x| x.var().is_some_and(|x| self.ty(x).is_array()));
                let arrays: Vec<Atom> = arrays.copied().collect();
                for var in stm.vars.iter().filter(|var| self.fun.vars[var.0 as usize].ty.is_array()) {
                    arrays.iter().for_each(|x| self.on(*x, self.side(*var), "part of what is on that side"));
                }
                self.views(stm, &operands);
            }
            Exp::Cell(_) => {}
            Exp::Control(exp) => self.control(exp, stm, &operands),
            Exp::Op(op) => self.operator(op, stm, &operands),
        }
    }

    fn ty(&self, var: Var) -> &Type {
        &self.fun.vars[var.0 as usize].ty
    }

    /// What shares memory with rows that may overlap.
    fn views(&mut self, stm: &Stm, operands: &[Atom]) {
        if operands.iter().any(|x| x.var().is_some_and(|x| self.rows.contains(&x)))
            && !matches!(stm.exp, Exp::Array(crate::skeleton::ArrayExp::Copy(_)))
        {
            self.rows.extend(&stm.vars);
        }
    }

    fn branch(&mut self, body: &Body<Operator>, vars: &[Var]) {
        self.body(body);
        for (atom, var) in body.result.iter().zip(vars) {
            self.on(*atom, self.side(*var), "the result of a branch");
        }
    }

    fn control(&mut self, exp: &ControlExp<Operator>, stm: &Stm, operands: &[Atom]) {
        match exp {
            ControlExp::If { cond, then, els } => {
                self.on(*cond, Side::Host, "what the host decides by");
                [then, els].into_iter().for_each(|body| self.branch(body, &stm.vars));
            }
            ControlExp::Switch { scrutinee, cases, default } => {
                self.on(*scrutinee, Side::Host, "what the host decides by");
                cases.iter().for_each(|(_, body)| self.branch(body, &stm.vars));
                self.branch(default, &stm.vars);
            }
            ControlExp::Loop { params, form, body } => {
                let vars: Vec<Var> = params.iter().map(|(param, _)| param.var).collect();
                for ((_, initial), var) in params.iter().zip(&vars) {
                    self.bound(*var);
                    self.on(*initial, self.side(*var), "the initial value of a loop");
                }
                for (var, param) in stm.vars.iter().zip(&vars) {
                    self.yields(*var, self.side(*param), "a loop");
                }
                match form {
                    LoopForm::For(_, bound) => self.on(*bound, Side::Host, "what the host counts to"),
                    LoopForm::While(cond) => {
                        self.body(cond);
                        cond.result.iter().for_each(|x| self.on(*x, Side::Host, "what the host decides by"));
                    }
                }
                self.branch(body, &vars);
            }
            ControlExp::Call { fun, args } => {
                let callee = &self.prog.funs[fun.0 as usize];
                for (param, arg) in callee.params.iter().zip(args) {
                    self.on(*arg, side_of(callee, param.var), "an argument");
                    if param.unique {
                        self.consumed(*arg);
                    }
                }
                let cpu = place_of(callee) == Some(Place::Cpu);
                for (var, ret) in stm.vars.iter().zip(&callee.ret) {
                    let side = if cpu || ret.ty.is_scalar() { Side::Host } else { Side::Device };
                    self.yields(*var, side, "a function");
                }
            }
            ControlExp::Const(_) => {}
            ControlExp::Check(_) => {
                let scalars = operands.iter().filter(|x| x.var().is_none_or(|x| self.ty(x).is_scalar()));
                let scalars: Vec<Atom> = scalars.copied().collect();
                scalars.into_iter().for_each(|x| self.on(x, Side::Host, "what the host checks"));
            }
        }
    }

    /// K4.
    fn consumed(&mut self, atom: Atom) {
        if let Some(var) = atom.var().filter(|var| self.rows.contains(var)) {
            let name = self.show(var);
            self.fail(Rule::K4, format!("{name} has rows that may be shared, and is consumed."));
        }
    }

    fn operator(&mut self, op: &Operator, stm: &Stm, operands: &[Atom]) {
        match op {
            Operator::Kernel(kernel) => self.kernel(kernel, op, stm),
            Operator::Describe { .. } | Operator::Fact { .. } => {
                operands.iter().for_each(|x| self.on(*x, Side::Device, "what the device goes through"));
                stm.vars.iter().for_each(|var| self.yields(*var, Side::Device, "the device"));
            }
            Operator::Rows { .. } => {
                operands.iter().for_each(|x| self.on(*x, Side::Device, "what the device goes through"));
                self.rows.extend(&stm.vars);
            }
            Operator::Read(_) => {
                operands.iter().for_each(|x| self.on(*x, Side::Device, "read"));
                stm.vars.iter().for_each(|var| self.yields(*var, Side::Host, "`read`"));
            }
            Operator::CopyTo { array: _, side } => {
                stm.vars.iter().for_each(|var| self.yields(*var, *side, "`copy`"));
            }
            Operator::Choose { cases, otherwise } => {
                for (cond, body) in cases {
                    self.on(*cond, Side::Host, "what the host decides by");
                    self.branch(body, &stm.vars);
                }
                self.branch(otherwise, &stm.vars);
            }
            // Not in host code.
            Operator::Owner { .. } | Operator::Offset { .. } => {}
        }
    }

    fn kernel(&mut self, kernel: &Kernel, op: &Operator, stm: &Stm) {
        for var in op.free().into_iter().filter(|var| !self.ty(*var).is_scalar()).collect::<Vec<Var>>() {
            self.on(var.into(), Side::Device, "what a kernel uses");
        }
        op.consumed().into_iter().for_each(|var| self.consumed(var.into()));
        stm.vars.iter().for_each(|var| self.yields(*var, Side::Device, "a kernel"));
        if kernel.outs.iter().all(|out| out.destinations().is_empty()) {
            stm.vars.iter().for_each(|var| self.allocated(*var));
        }
    }

    /// K5: that the host knows enough to allocate an array.
    fn allocated(&mut self, array: Var) {
        for dim in self.ty(array).dims().to_vec() {
            let Dim::Size(Atom::Var(size)) = dim else { continue };
            let size = match self.ty(size) {
                Type::Seg { total: Dim::Size(Atom::Var(total)), .. } => *total,
                Type::Seg { .. } => continue,
                Type::Value(..) | Type::Acc(_) | Type::Region | Type::Cert => size,
            };
            let known = is_on(self.side(size), Side::Host) || self.fun.vars[size.0 as usize].bound.is_some();
            if !known {
                let (name, size) = (self.show(array), self.show(size));
                self.fail(Rule::K5, format!("{name} has the size {size}, of which the host knows no bound."));
            }
        }
    }
}
