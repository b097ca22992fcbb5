//! Functions, bodies and statements: N3, N8, N9, N11.

use super::scope::Binder;
use super::types::{SOME, agree, packed};
use super::{Checker, Rule, Stage};
use crate::skeleton::walk::Part;
use crate::skeleton::{Body, CellExp, ControlExp, Exp, Fun, Grid, Lambda, Operators, Reduction, Stm, Type};

impl Checker<'_> {
    pub(super) fn fun<O: Operators>(&mut self, fun: &Fun<O>) {
        let mark = self.scope.enter();
        for param in &fun.params {
            self.bind(param.var, Binder::FunParam);
        }
        (0..fun.ret.len()).for_each(|position| self.result_type(position));
        let found = self.body(&fun.body);
        let expected: Vec<Type> = fun.ret.iter().map(|ret| self.table.irregular(&ret.ty)).collect();
        self.yields(&found, &expected, "The function");
        self.scope.leave(mark);
    }

    /// The types of its results.
    pub(crate) fn body<O: Operators>(&mut self, body: &Body<O>) -> Vec<Type> {
        let mark = self.scope.enter();
        body.stms.iter().for_each(|stm| self.stm(stm));
        body.result.iter().for_each(|atom| self.use_atom(*atom));
        let types = self.types_of(&body.result);
        for (atom, ty) in body.result.iter().zip(&types) {
            let mut dead = false;
            let inside = self.scope.since(mark);
            ty.for_each_var(&mut |var| dead |= self.ty(var) == Type::Region && inside.contains(&var));
            if dead {
                let atom = self.show(*atom);
                let message =
                    format!("{atom} is a result of a body, but leads into a region that ends with it.");
                self.fail(Rule::N11, message);
            }
        }
        self.scope.leave(mark);
        types
    }

    /// The types of the results of a lambda that is given these.
    pub(crate) fn lambda<O: Operators>(
        &mut self,
        lambda: &Lambda<O>,
        given: &[Type],
        what: &str,
    ) -> Vec<Type> {
        let mark = self.scope.enter();
        lambda.params.iter().for_each(|var| self.bind(*var, Binder::Param));
        let params: Vec<Type> = lambda.params.iter().map(|var| self.ty(*var)).collect();
        if params.len() != given.len() {
            let (found, expected) = (params.len(), given.len());
            self.fail(Rule::N8, format!("{what} has {found} parameters, but is given {expected} values."));
        }
        for (i, (param, given)) in params.iter().zip(given).enumerate() {
            if !agree(param, given) {
                let (param, given) = (self.show_ty(param), self.show_ty(given));
                let message = format!("Parameter {i} of {what} has type {param}, but is given {given}.");
                self.fail(Rule::N8, message);
            }
        }
        let types = self.body(&lambda.body);
        self.scope.leave(mark);
        types
    }

    pub(crate) fn reduction<O: Operators>(&mut self, op: &Reduction<O>, columns: &[Type]) {
        self.operands(&op.neutral, columns, "The neutral elements");
        self.combines(&op.lambda, columns);
    }

    pub(crate) fn combines<O: Operators>(&mut self, lambda: &Lambda<O>, columns: &[Type]) {
        let found = self.lambda(lambda, &[columns, columns].concat(), "the operator");
        self.yields(&found, columns, "The operator");
    }

    /// Arrays of what a lambda yields; rows of different lengths if that is what is bound.
    pub(crate) fn arrays_of(&mut self, found: &[Type], bound: &[Type]) -> Vec<Type> {
        let mut arrays = Vec::with_capacity(found.len());
        for (i, ty) in found.iter().enumerate() {
            if ty.elem().is_none() {
                let ty = self.show_ty(ty);
                self.fail(Rule::N8, format!("A lambda yields {ty}, of which there are no arrays."));
            }
            arrays.push(packed(&ty.array_of(SOME), bound.get(i)));
        }
        arrays
    }

    /// That a body yields what its owner asks for.
    pub(crate) fn yields(&mut self, found: &[Type], expected: &[Type], what: &str) {
        if found.len() != expected.len() {
            let (found, expected) = (found.len(), expected.len());
            return self
                .fail(Rule::N8, format!("{what} yields {found} values where {expected} are expected."));
        }
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            if !agree(found, expected) {
                let (found, expected) = (self.show_ty(found), self.show_ty(expected));
                self.fail(
                    Rule::N8,
                    format!("{what} yields {found} as result {i} where {expected} is expected."),
                );
            }
        }
    }

    fn stm<O: Operators>(&mut self, stm: &Stm<O>) {
        for cert in &stm.certs {
            self.use_var(*cert);
            if !self.scope.is_cert(*cert) {
                let name = self.show(*cert);
                self.fail(Rule::N9, format!("A statement relies on {name}, which is not bound by a check."));
            }
        }
        let mut operands = Vec::new();
        stm.for_each_part(&mut |part| match part {
            Part::Atom(atom) => operands.push(*atom),
            Part::Var(var) => operands.push((*var).into()),
            Part::Binder(_) | Part::Body(_) | Part::Lambda(_) => {}
        });
        operands.into_iter().for_each(|atom| self.use_atom(atom));
        if let Some(Grid { work, balance: _ }) = &stm.grid {
            self.placed("`grid`");
            self.size(*work);
        }
        let bound: Vec<Type> = stm.vars.iter().map(|var| self.ty(*var)).collect();
        let found = self.exp(&stm.exp, stm, &bound);
        let binder = if matches!(stm.exp, Exp::Control(ControlExp::Check(_))) {
            Binder::Check
        } else if matches!(stm.exp, Exp::Cell(CellExp::Region) | Exp::Control(ControlExp::Const(_))) {
            Binder::Regions
        } else {
            Binder::Stm
        };
        for var in &stm.vars {
            // A kernel yields that the checks of all its elements have passed.
            let passed =
                self.stage == Stage::Kernels && matches!(stm.exp, Exp::Op(_)) && self.ty(*var) == Type::Cert;
            self.bind(*var, if passed { Binder::Check } else { binder });
        }
        if let Some(found) = found {
            self.binds(stm, &found, &bound);
        }
    }

    fn binds<O: Operators>(&mut self, stm: &Stm<O>, found: &[Type], bound: &[Type]) {
        if found.len() != bound.len() {
            let (exp, found, bound) = (self.show_exp(&stm.exp), found.len(), bound.len());
            return self
                .fail(Rule::N3, format!("{exp} yields {found} values, but {bound} variables are bound."));
        }
        for ((var, found), bound) in stm.vars.iter().zip(found).zip(bound) {
            if !agree(found, bound) {
                let (exp, var) = (self.show_exp(&stm.exp), self.show(*var));
                let (found, bound) = (self.show_ty(found), self.show_ty(bound));
                self.fail(Rule::N3, format!("{var} has type {bound}, but {exp} yields {found}."));
            }
        }
    }
}
