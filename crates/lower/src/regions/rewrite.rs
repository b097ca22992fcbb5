//! Carry out a plan: name the regions, write them into types, cells and calls, and begin them.

use super::constrain::FunRegions;
use super::place::{Place, Plan};
use super::unify::{RegionId, Unifier};
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    Atom, Body, CellExp, Const, ControlExp, Elem, Exp, Fun, FunId, Param, Prog, Stm, Type, Var, VarInfo,
};
use std::collections::BTreeMap;

pub fn rewrite(prog: &mut Prog, id: FunId, regions: &FunRegions, plan: Plan, unifier: &mut Unifier) {
    let fun = &mut prog.funs[id.0 as usize];
    let mut rewriter =
        Rewriter { consts: &prog.consts, plan: &plan, names: BTreeMap::new(), body: 0, call: 0 };
    let params: Vec<Param> =
        plan.params.iter().map(|class| Param::plain(rewriter.name(fun, *class))).collect();
    fun.params.splice(0..0, params);
    for class in plan.begins.values().flatten() {
        rewriter.name(fun, *class);
    }
    for (passed, _) in plan.passed.iter().zip(&plan.shares).filter(|(_, shares)| **shares) {
        for class in passed {
            rewriter.name(fun, *class);
        }
    }
    for (info, regions) in fun.vars.iter_mut().zip(&regions.vars) {
        rewriter.name_in(&mut info.ty, regions, unifier);
    }
    let mut rest = &regions.rets[..];
    for ret in &mut fun.ret {
        let count = refs(&ret.ty);
        rewriter.name_in(&mut ret.ty, &rest[..count], unifier);
        rest = &rest[count..];
    }
    let types: Vec<Type> = fun.vars.iter().map(|info| info.ty.clone()).collect();
    rewriter.body(&mut fun.body, &types);
}

fn refs(ty: &Type) -> usize {
    match ty {
        Type::Value(Elem::Ref(..), _) => 1,
        Type::Acc(types) => types.iter().map(refs).sum(),
        Type::Value(Elem::Prim(_), _) | Type::Seg { .. } | Type::Region | Type::Cert => 0,
    }
}

struct Rewriter<'a> {
    consts: &'a [Const],
    plan: &'a Plan,
    names: BTreeMap<RegionId, Var>,
    /// How many bodies and calls have been seen, to count as `place` did.
    body: usize,
    call: usize,
}

impl Rewriter<'_> {
    fn name(&mut self, fun: &mut Fun, class: RegionId) -> Var {
        fun.vars.push(VarInfo::new("r", Type::Region));
        let var = Var(fun.vars.len() as u32 - 1);
        self.names.insert(class, var);
        var
    }

    fn var(&self, class: RegionId) -> Var {
        *self.names.get(&class).expect("regions: a region has no place")
    }

    fn name_in(&self, ty: &mut Type, regions: &[RegionId], unifier: &mut Unifier) {
        let mut regions = regions.iter();
        ty.for_each_elem_mut(&mut |elem| match elem {
            Elem::Prim(_) => {}
            Elem::Ref(_, region) => {
                let class = regions.next().map(|region| unifier.find(*region));
                *region = class.map(|class| self.var(class));
            }
        });
    }

    fn body(&mut self, body: &mut Body, types: &[Type]) {
        let number = self.body;
        self.body += 1;
        let mut stms = Vec::with_capacity(body.stms.len());
        for (i, mut stm) in std::mem::take(&mut body.stms).into_iter().enumerate() {
            let at = Place { body: number, stm: i };
            for class in self.plan.begins.get(&at).into_iter().flatten() {
                stms.push(Stm::new(vec![self.var(*class)], Exp::Cell(CellExp::Region), stm.span));
            }
            self.stm(&mut stm, types);
            stms.push(stm);
        }
        body.stms = stms;
    }

    fn stm(&mut self, stm: &mut Stm, types: &[Type]) {
        if let Exp::Cell(CellExp::Alloc { region, .. }) = &mut stm.exp {
            *region = match types[stm.vars[0].0 as usize].elem() {
                Some(Elem::Ref(_, region)) => region,
                Some(Elem::Prim(_)) | None => None,
            };
        }
        if let Exp::Control(ControlExp::Call { args, .. }) = &mut stm.exp {
            let passed = self.passed();
            args.splice(0..0, passed.into_iter().map(Atom::Var));
            self.call += 1;
        }
        if let Exp::Control(ControlExp::Const(id)) = stm.exp {
            let passed = self.passed();
            if self.plan.shares[self.call] {
                stm.vars.splice(0..0, passed);
            } else {
                let args = passed.into_iter().map(Atom::Var).collect();
                stm.exp = Exp::call(self.consts[id.0 as usize].fun, args);
            }
            self.call += 1;
        }
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => self.body(body, types),
            PartMut::Lambda(lambda) => self.body(&mut lambda.body, types),
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }

    /// The regions for the next call.
    fn passed(&self) -> Vec<Var> {
        self.plan.passed[self.call].iter().map(|class| self.var(*class)).collect()
    }
}
