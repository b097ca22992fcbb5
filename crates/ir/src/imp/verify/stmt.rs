//! Statements: their operands (I3, I6), what they assign, and what they pass (I4). All that they mention exists (I1).

use super::loops::verify_loop;
use super::{Checker, Rule, show_ty};
use crate::imp::{
    Accumulator, Block, ConstId, Elem, Exp, FunId, LoopForm, Prim, SiteId, SiteKind, Split, Stmt, Type, Var,
};

impl Checker<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Set(var, exp) => {
                if let Some(ty) = self.var(*var) {
                    self.is(exp, ty, Rule::I4, "What is assigned");
                }
            }
            Stmt::Store { elem, ptr, index, value } => {
                self.place(ptr, *elem);
                self.i64(index);
                match (elem, self.exp(value)) {
                    (Elem::Any, Some(Type::Ptr(_)) | None) => {}
                    (Elem::Any, Some(ty)) => self.operand(value, ty, "a pointer"),
                    (Elem::Prim(_) | Elem::Block | Elem::Region, Some(ty)) if ty != elem.ty() => {
                        self.operand(value, ty, &format!("of type {}", show_ty(elem.ty())));
                    }
                    (Elem::Prim(_) | Elem::Block | Elem::Region, _) => {}
                }
            }
            Stmt::StoreLanes { prim, ptr, index, value, mask } => {
                self.ptr(ptr, Elem::Prim(*prim));
                self.i64(index);
                let lanes = self.vector(value, *prim);
                self.mask(mask.as_ref(), lanes);
            }
            Stmt::Scatter { prim, ptr, index, value, mask } => {
                self.ptr(ptr, Elem::Prim(*prim));
                let lanes = self.vector(index, Prim::I64);
                if let (Some(lanes), Some(found)) = (lanes, self.vector(value, *prim))
                    && lanes != found
                {
                    let message = format!("{} has {lanes} indices for {found} values.", self.show_stmt(stmt));
                    self.fail(Rule::I6, message);
                }
                self.mask(mask.as_ref(), lanes);
            }
            Stmt::Copy { elem, to, from, count } => {
                self.ptr(to, *elem);
                self.ptr(from, *elem);
                self.i64(count);
            }
            Stmt::Alloc { block, bytes, site } => {
                self.assigns(*block, Type::Block);
                self.i64(bytes);
                self.site(*site);
            }
            Stmt::Retain(block) | Stmt::Release(block) => self.is(block, Type::Block, Rule::I3, "An operand"),
            Stmt::RegionNew(region) => self.assigns(*region, Type::Region),
            Stmt::RegionEnd(region) => self.is(region, Type::Region, Rule::I3, "An operand"),
            Stmt::CellNew { cell, region, words, site } => {
                self.assigns(*cell, Type::Scalar(Prim::U32));
                self.is(region, Type::Region, Rule::I3, "An operand");
                self.i64(words);
                self.site(*site);
            }
            Stmt::Show { words, count } => {
                self.is(words, Type::Ptr(Elem::Prim(Prim::I64)), Rule::I3, "An operand");
                self.i64(count);
            }
            Stmt::If { cond, then, els } => {
                self.is(cond, Type::BOOL, Rule::I3, "A condition");
                self.block(then);
                self.block(els);
            }
            Stmt::Switch { scrutinee, cases, default } => {
                match self.exp(scrutinee) {
                    Some(Type::Scalar(prim)) if prim.is_int() => {}
                    Some(ty) => self.operand(scrutinee, ty, "an integer"),
                    None => {}
                }
                for (i, (number, block)) in cases.iter().enumerate() {
                    if cases[..i].iter().any(|(other, _)| other == number) {
                        self.fail(Rule::I3, format!("There are two cases {number}."));
                    }
                    self.block(block);
                }
                self.block(default);
            }
            Stmt::For { var, from, to, form, body } => {
                self.assigns(*var, Type::I64);
                self.i64(from);
                self.i64(to);
                match form {
                    LoopForm::Plain | LoopForm::Independent => {}
                    LoopForm::Reduce(accs) => accs.iter().for_each(|acc| self.accumulator(acc)),
                }
                for message in verify_loop(self, *var, form, body) {
                    self.fail(Rule::I5, message);
                }
                self.block(body);
            }
            Stmt::While { before, cond, body } => {
                self.block(before);
                self.is(cond, Type::BOOL, Rule::I3, "A condition");
                self.block(body);
            }
            Stmt::Call { fun, args, results, site } => {
                self.site(*site);
                match self.fun_types(*fun) {
                    Some((params, ret)) => {
                        self.passes(stmt, args, &params);
                        self.binds(stmt, results, &ret);
                    }
                    None => self.fail(Rule::I1, format!("{} calls no function.", self.show_stmt(stmt))),
                }
            }
            Stmt::Const { id, results, site } => {
                self.site(*site);
                match self.const_types(*id) {
                    Some(ret) => self.binds(stmt, results, &ret),
                    None => self.fail(Rule::I1, format!("{} is no constant.", self.show_stmt(stmt))),
                }
            }
            Stmt::Launch { kernel, args, width, chunks, split, site } => {
                self.site(*site);
                match self.prog.kernels.get(kernel.0 as usize) {
                    Some(kernel) => {
                        let types = |var: &Var| kernel.vars.get(var.0 as usize).map(|info| info.ty);
                        let params: Vec<Option<Type>> = kernel.params.iter().map(types).collect();
                        self.passes(stmt, args, &params);
                    }
                    None => self.fail(Rule::I1, format!("{} launches no kernel.", self.show_stmt(stmt))),
                }
                self.i64(width);
                self.i64(chunks);
                match split {
                    Split::Even | Split::Ordered | Split::Parts { .. } => {}
                    Split::ByOffsets(offsets) => self.ptr(offsets, Elem::Prim(Prim::I64)),
                }
            }
            Stmt::Await { ptr, index } | Stmt::Signal { ptr, index } => {
                self.ptr(ptr, Elem::Prim(Prim::I64));
                self.i64(index);
            }
            Stmt::Fail { site, operands } => self.fail_stmt(stmt, *site, operands),
            Stmt::Group(group) => self.group_stmt(group),
            Stmt::Device(device) => self.device_stmt(stmt, device),
        }
    }

    fn accumulator(&mut self, acc: &Accumulator) {
        let Accumulator { var, op, prim, neutral } = acc;
        self.assigns(*var, Type::Scalar(*prim));
        if op.result(*prim) != Some(*prim) || op.second(*prim) != *prim || neutral.prim() != *prim {
            let message = format!("{} is no accumulator of its operator.", self.show_var(*var));
            self.fail(Rule::I3, message);
        }
    }

    fn fail_stmt(&mut self, stmt: &Stmt, site: SiteId, operands: &[Exp]) {
        self.site(site);
        let Some(site) = self.prog.sites.get(site.0 as usize) else { return };
        let SiteKind::Check(kind) = &site.what else {
            return self.fail(Rule::I3, format!("{} has the site of no check.", self.show_stmt(stmt)));
        };
        let expected = kind.operands();
        if expected.len() != operands.len() {
            let message = format!("{} should have {} operands.", self.show_stmt(stmt), expected.len());
            self.fail(Rule::I3, message);
        }
        for (operand, prim) in operands.iter().zip(expected) {
            self.is(operand, Type::Scalar(prim), Rule::I3, "An operand");
        }
    }

    // # What is passed and assigned

    pub(super) fn assigns(&mut self, var: Var, ty: Type) {
        if let Some(found) = self.var(var)
            && found != ty
        {
            let message = format!("{} has type {}, not {}.", self.show_var(var), show_ty(found), show_ty(ty));
            self.fail(Rule::I4, message);
        }
    }

    /// A parameter without type is reported where it is.
    pub(super) fn passes(&mut self, stmt: &Stmt, args: &[Exp], params: &[Option<Type>]) {
        if args.len() != params.len() {
            let message = format!("{} should pass {} arguments.", self.show_stmt(stmt), params.len());
            self.fail(Rule::I4, message);
        }
        for (arg, param) in args.iter().zip(params) {
            match param {
                Some(ty) => self.is(arg, *ty, Rule::I4, "An argument"),
                None => drop(self.exp(arg)),
            }
        }
    }

    fn binds(&mut self, stmt: &Stmt, results: &[Var], types: &[Type]) {
        if results.len() != types.len() {
            let message = format!("{} should bind {} results.", self.show_stmt(stmt), types.len());
            self.fail(Rule::I4, message);
        }
        for (var, ty) in results.iter().zip(types) {
            self.assigns(*var, *ty);
        }
    }

    fn fun_types(&self, fun: FunId) -> Option<(Vec<Option<Type>>, Vec<Type>)> {
        let fun = self.prog.funs.get(fun.0 as usize)?;
        let types = |var: &Var| fun.vars.get(var.0 as usize).map(|info| info.ty);
        Some((fun.params.iter().map(types).collect(), fun.ret.clone()))
    }

    fn const_types(&self, id: ConstId) -> Option<Vec<Type>> {
        let constant = self.prog.consts.get(id.0 as usize)?;
        Some(self.fun_types(constant.fun)?.1)
    }

    pub(super) fn site(&mut self, site: SiteId) {
        if site.0 as usize >= self.prog.sites.len() {
            self.fail(Rule::I1, format!("There is no site #{}.", site.0));
        }
    }
}
