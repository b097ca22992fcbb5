//! Branches, loops, calls and constants: N2, N4, N8.

use super::scope::Binder;
use super::types::agree;
use super::{Checker, Rule};
use crate::skeleton::{Atom, Body, ConstId, Elem, FunId, LoopForm, Operators, Param, Prim, Type, Var};

impl Checker<'_> {
    pub(super) fn if_<O: Operators>(
        &mut self,
        cond: Atom,
        then: &Body<O>,
        els: &Body<O>,
        bound: &[Type],
    ) -> Option<Vec<Type>> {
        self.prim(cond, Prim::Bool);
        self.branch(then, bound);
        self.branch(els, bound);
        Some(bound.to_vec())
    }

    pub(super) fn switch<O: Operators>(
        &mut self,
        scrutinee: Atom,
        cases: &[(i64, Body<O>)],
        default: &Body<O>,
        bound: &[Type],
    ) -> Option<Vec<Type>> {
        self.integer(scrutinee);
        cases.iter().for_each(|(_, body)| self.branch(body, bound));
        self.branch(default, bound);
        Some(bound.to_vec())
    }

    pub(crate) fn branch<O: Operators>(&mut self, body: &Body<O>, bound: &[Type]) {
        let found = self.body(body);
        self.yields(&found, bound, "A branch");
    }

    fn integer(&mut self, atom: Atom) -> Option<Prim> {
        let ty = self.atom_ty(atom);
        let prim = ty.prim().filter(|prim| prim.is_int());
        if prim.is_none() {
            let (atom, ty) = (self.show(atom), self.show_ty(&ty));
            self.fail(Rule::N4, format!("The operand {atom} has type {ty}, but an integer is expected."));
        }
        prim
    }

    pub(super) fn loop_<O: Operators>(
        &mut self,
        params: &[(Param, Atom)],
        form: &LoopForm<O>,
        body: &Body<O>,
    ) -> Option<Vec<Type>> {
        let mark = self.scope.enter();
        let types: Vec<Type> = params.iter().map(|(param, _)| self.ty(param.var)).collect();
        for ((param, initial), ty) in params.iter().zip(&types) {
            self.operand(*initial, ty);
            self.bind(param.var, Binder::Param);
        }
        match form {
            LoopForm::For(var, bound) => {
                if let Some(prim) = self.integer(*bound) {
                    self.prim((*var).into(), prim);
                }
                self.bind(*var, Binder::Param);
            }
            LoopForm::While(cond) => {
                let found = self.body(cond);
                self.yields(&found, &[Type::bool()], "The condition of a loop");
            }
        }
        let found = self.body(body);
        self.yields(&found, &types, "The body of a loop");
        self.scope.leave(mark);
        Some(types)
    }

    pub(super) fn call(&mut self, fun: FunId, args: &[Atom]) -> Option<Vec<Type>> {
        let Some(callee) = self.prog.funs.get(fun.0 as usize) else {
            self.fail(Rule::N2, "A function is called that does not exist.");
            return None;
        };
        if args.len() != callee.params.len() {
            let (found, expected) = (args.len(), callee.params.len());
            let name = &callee.name;
            self.fail(Rule::N4, format!("`{name}` is called with {found} arguments, but takes {expected}."));
            return None;
        }
        let regions: Vec<(Var, Option<Var>)> =
            callee.params.iter().zip(args).map(|(param, arg)| (param.var, arg.var())).collect();
        for (param, arg) in callee.params.iter().zip(args) {
            let Some(info) = callee.vars.get(param.var.0 as usize) else { continue };
            let expected = in_regions(&callee.irregular(&info.ty), &regions);
            let found = self.atom_ty(*arg);
            if !agree(&found, &expected) {
                let (arg, found, expected) = (self.show(*arg), self.show_ty(&found), self.show_ty(&expected));
                let name = &callee.name;
                let message =
                    format!("`{name}` is given {arg} of type {found} where {expected} is expected.");
                self.fail(Rule::N4, message);
            }
        }
        Some(callee.ret.iter().map(|ret| in_regions(&callee.irregular(&ret.ty), &regions)).collect())
    }

    /// The regions of a constant come first; the refs in its results lead into these.
    pub(super) fn constant(&mut self, id: ConstId, vars: &[Var]) -> Option<Vec<Type>> {
        let Some(constant) = self.prog.consts.get(id.0 as usize) else {
            self.fail(Rule::N2, "A constant is mentioned that does not exist.");
            return None;
        };
        // That the function exists and takes only regions is checked with the program.
        let callee = self.prog.funs.get(constant.fun.0 as usize)?;
        let regions: Vec<(Var, Option<Var>)> =
            callee.params.iter().zip(vars).map(|(param, var)| (param.var, Some(*var))).collect();
        let results = callee.ret.iter().map(|ret| in_regions(&callee.irregular(&ret.ty), &regions));
        Some(callee.params.iter().map(|_| Type::Region).chain(results).collect())
    }
}

/// A type of a callee, with the caller's regions in place of the callee's.
fn in_regions(ty: &Type, regions: &[(Var, Option<Var>)]) -> Type {
    let mut ty = ty.clone();
    ty.for_each_elem_mut(&mut |elem| match elem {
        Elem::Prim(_) | Elem::Ref(_, None) => {}
        Elem::Ref(_, Some(region)) => {
            let found = regions.iter().find(|(param, _)| param == region).and_then(|(_, arg)| *arg);
            // A region that is not passed can be no region of the caller.
            *region = found.unwrap_or(Var(u32::MAX));
        }
    });
    ty
}
