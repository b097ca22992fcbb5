//! Calls of functions made before.

use super::{Facts, Gen};
use norn_ir::nest::{Atom, ConstId, ControlExp, Dim, Exp, FunId, Type, Var};
use std::collections::HashMap;

/// The largest size that functions expect.
pub const MAX_ARG: u64 = 8;

impl Gen {
    pub(super) fn call_stm(&mut self) -> Option<()> {
        if !self.prog.consts.is_empty() && self.one_in(4) {
            return self.constant_stm();
        }
        let id = self.rng.below(self.prog.funs.len());
        let callee = self.callees.get(id)?.clone();
        if !self.affords(callee.cost) || self.prog.consts.iter().any(|c| c.fun.0 as usize == id) {
            return None;
        }
        let fun = &self.prog.funs[id];
        let params: Vec<(Var, Type, bool)> =
            fun.params.iter().map(|p| (p.var, fun.vars[p.var.0 as usize].ty.clone(), p.unique)).collect();
        if params.iter().any(|(_, ty, _)| *ty == Type::Region) {
            return None;
        }
        let mut here: HashMap<Var, Atom> = HashMap::new();
        let mut args = Vec::new();
        for (i, (var, ty, _)) in params.iter().enumerate() {
            let arg = if callee.recursive && i == 0 {
                Atom::i64(self.rng.below(4) as i64)
            } else if is_size(&params, *var) {
                let size = self.size();
                if self.bound(size) > MAX_ARG { Atom::i64(2) } else { size }
            } else {
                self.value(&translate(ty, &here))
            };
            here.insert(*var, arg);
            args.push(arg);
        }
        self.part(&params, &mut args)?;
        let ret = self.prog.funs[id].ret.clone();
        for ((_, _, unique), arg) in params.iter().zip(&args) {
            if let Some(var) = arg.var().filter(|_| *unique) {
                self.consume(var);
            }
        }
        let shared: Vec<Var> = params
            .iter()
            .zip(&args)
            .filter(|((_, _, unique), _)| !unique)
            .filter_map(|(_, arg)| arg.var())
            .filter(|var| self.ty(*var).is_array())
            .collect();
        let mut vars: Vec<Var> = Vec::new();
        for (i, ret) in ret.iter().enumerate() {
            let mut ty = translate(&ret.ty, &here);
            ty.for_each_dim(&mut |dim| {
                if let Dim::Result(i) = *dim {
                    *dim = Dim::size(vars[i]);
                }
            });
            let known = &callee.sizes[i];
            let frozen = !ret.unique && ty.is_array();
            let facts = Facts { size: known.size, longest: known.longest, frozen, ..Facts::default() };
            let var = self.var("r", ty, facts);
            if frozen {
                let roots = self.alias(&shared).roots;
                self.facts[var.0 as usize].roots.extend(roots);
            }
            vars.push(var);
        }
        self.cost = self.cost.saturating_add(self.times.saturating_mul(callee.cost));
        self.bind(&vars, Exp::call(FunId(id as u32), args));
        Some(())
    }

    /// Arguments that are consumed are ours, and share nothing with the others.
    fn part(&mut self, params: &[(Var, Type, bool)], args: &mut [Atom]) -> Option<()> {
        for i in 0..args.len() {
            let Some(var) = args[i].var().filter(|_| params[i].2) else { continue };
            let others = args.iter().enumerate().filter(|(j, _)| *j != i).filter_map(|(_, arg)| arg.var());
            let shares =
                others.filter(|other| self.ty(*other).is_array()).any(|other| self.shares(var, other));
            if shares || !self.can_consume(var) {
                args[i] = self.copy(var).into();
            }
        }
        Some(())
    }

    fn constant_stm(&mut self) -> Option<()> {
        let id = self.rng.below(self.prog.consts.len());
        let fun = self.prog.consts[id].fun.0 as usize;
        let (ret, sizes) = (self.prog.funs[fun].ret.clone(), self.callees[fun].sizes.clone());
        let mut vars: Vec<Var> = Vec::new();
        for (ret, known) in ret.iter().zip(&sizes) {
            let mut ty = ret.ty.clone();
            ty.for_each_dim(&mut |dim| {
                if let Dim::Result(i) = *dim {
                    *dim = Dim::size(vars[i]);
                }
            });
            let facts = Facts { size: known.size, longest: known.longest, frozen: true, ..Facts::default() };
            vars.push(self.var("const", ty, facts));
        }
        self.bind(&vars, Exp::Control(ControlExp::Const(ConstId(id as u32))));
        Some(())
    }
}

/// Whether a parameter is a size of a later one.
pub(super) fn is_size(params: &[(Var, Type, bool)], var: Var) -> bool {
    params.iter().any(|(_, ty, _)| ty.dims().contains(&Dim::size(var)))
}

/// A type of a callee with the sizes of the caller.
fn translate(ty: &Type, here: &HashMap<Var, Atom>) -> Type {
    let mut ty = ty.clone();
    ty.for_each_dim(&mut |dim| {
        if let Dim::Size(Atom::Var(var)) = *dim
            && let Some(atom) = here.get(&var)
        {
            *dim = Dim::Size(*atom);
        }
    });
    ty
}
