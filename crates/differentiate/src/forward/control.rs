//! Branches yield tangents beside values, loops carry them, and calls become calls of derivatives.

use super::Forward;
use norn_ir::nest::{Atom, Body, ControlExp, Exp, LoopForm, Param, Stm, Var};

impl Forward<'_, '_> {
    pub(super) fn control(&mut self, stm: &Stm, exp: &ControlExp) {
        match exp {
            ControlExp::If { cond, then, els } => {
                let active = self.which_are_active(&stm.vars);
                let cond = self.w.atom(*cond);
                let [then, els] = [then, els].map(|body| self.body(body, &active));
                let vars = self.bind_with_tangents(&stm.vars);
                self.w.bind_new(vars, Exp::if_(cond, then, els));
            }
            ControlExp::Switch { scrutinee, cases, default } => {
                let active = self.which_are_active(&stm.vars);
                let scrutinee = self.w.atom(*scrutinee);
                let cases: Vec<(i64, Body)> =
                    cases.iter().map(|(tag, body)| (*tag, self.body(body, &active))).collect();
                let default = self.body(default, &active);
                let vars = self.bind_with_tangents(&stm.vars);
                self.w.bind_new(vars, Exp::Control(ControlExp::Switch { scrutinee, cases, default }));
            }
            ControlExp::Loop { params, form, body } => self.loop_(stm, params, form, body),
            ControlExp::Call { fun, args } => {
                let (derivative, active) = self.derivative_of_call(*fun, args);
                let mut all = self.w.atoms(args);
                for at in active {
                    if self.is_active_atom(args[at]) {
                        all.push(self.tangent_or_zero(args[at]));
                    }
                }
                let changing = self.numbers.results(&self.work.prog.funs[fun.0 as usize]);
                let mut vars: Vec<Var> = stm.vars.iter().map(|var| self.bind(*var)).collect();
                for at in changing {
                    vars.push(self.new_tangent(stm.vars[at]));
                }
                self.w.b.attrs(stm.attrs.clone());
                self.w.bind_new(vars, Exp::call(derivative, all));
            }
            ControlExp::Const(_) | ControlExp::Check(_) => self.w.copy(stm),
        }
    }

    fn loop_(&mut self, stm: &Stm, params: &[(Param, Atom)], form: &LoopForm, body: &Body) {
        let old: Vec<Var> = params.iter().map(|(param, _)| param.var).collect();
        let active = self.which_are_active(&old);
        let initial: Vec<Atom> = params.iter().map(|(_, initial)| *initial).collect();
        let mut initials = self.w.atoms(&initial);
        for (initial, active) in initial.iter().zip(&active) {
            if *active {
                initials.push(self.tangent_or_zero(*initial));
            }
        }
        self.w.b.begin_body();
        let new = self.bind_with_tangents(&old);
        let unique: Vec<bool> = params.iter().map(|(param, _)| param.unique).collect();
        let of_tangents =
            unique.iter().zip(&active).filter(|(_, active)| **active).map(|(unique, _)| *unique);
        let unique: Vec<bool> = unique.iter().copied().chain(of_tangents).collect();
        let form = match form {
            LoopForm::For(var, bound) => {
                let bound = self.w.atom(*bound);
                LoopForm::For(self.w.bind(*var), bound)
            }
            LoopForm::While(cond) => LoopForm::While(self.w.copy_body(cond)),
        };
        body.stms.iter().for_each(|stm| self.stm(stm));
        let result = self.results(&body.result, &active);
        let body = self.w.b.end_body(result);
        let params = new.into_iter().zip(unique).map(|(var, unique)| Param { var, unique });
        let params = params.zip(initials).collect();
        let vars = self.bind_with_tangents(&stm.vars);
        self.w.b.attrs(stm.attrs.clone());
        self.w.bind_new(vars, Exp::Control(ControlExp::Loop { params, form, body }));
    }
}
