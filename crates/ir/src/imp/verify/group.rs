//! Group kernels, their statements, and those of their hosts.

use super::{Checker, Rule};
use crate::imp::walk::for_each_stmt;
use crate::imp::{
    BinOp, DeviceStmt, Elem, Exp, GroupArray, GroupKernel, GroupStmt, Prim, Reach, Stmt, Type, Var,
};

impl<'a> Checker<'a> {
    pub(super) fn group_kernel(&mut self, kernel: &'a GroupKernel) {
        self.params(&kernel.params);
        if kernel.size == 0 {
            self.fail(Rule::I9, "Its groups have no threads.");
        }
        for param in &kernel.params {
            match self.vars.get(param.0 as usize).map(|info| info.ty) {
                Some(Type::Scalar(_) | Type::Ptr(_) | Type::Region) | None => {}
                Some(Type::Vector(..) | Type::Remote(_) | Type::Local(_) | Type::Block) => {
                    self.fail(Rule::I9, format!("No host can pass {}.", self.show_var(*param)))
                }
            }
        }
        for array in &kernel.arrays {
            self.array(array);
        }
        self.block(&kernel.body);
        for_each_stmt(&kernel.body, &mut |stmt| match stmt {
            Stmt::Group(GroupStmt::Pool { bytes: Exp::Var(bytes), .. }) if kernel.params.contains(bytes) => {}
            Stmt::Group(GroupStmt::Pool { .. }) => {
                self.fail(Rule::I9, "How many bytes its pool has is no parameter.")
            }
            _ => {}
        });
        let arrays = kernel.arrays.iter().map(|array| array.var);
        let known: Vec<Var> = kernel.params.iter().copied().chain(arrays).collect();
        self.flow(&known, &kernel.body, &[]);
    }

    pub(super) fn array(&mut self, array: &GroupArray) {
        match self.var(array.var) {
            Some(Type::Local(_)) | None => {}
            Some(_) => self.fail(Rule::I9, format!("{} is no array.", self.show_var(array.var))),
        }
    }
}

impl Checker<'_> {
    pub(super) fn group_stmt(&mut self, stmt: &GroupStmt) {
        match stmt {
            GroupStmt::Barrier | GroupStmt::Fence => {}
            GroupStmt::Atomic { op, prim, ptr, index, value, old } => {
                self.place(ptr, crate::imp::Elem::Prim(*prim));
                self.i64(index);
                self.is(value, Type::Scalar(*prim), Rule::I3, "An operand");
                self.yields_its_own(*op, *prim);
                if let Some(old) = old {
                    self.assigns(*old, Type::Scalar(*prim));
                }
            }
            GroupStmt::CompareAndSwap { prim, ptr, index, expected, value, old } => {
                self.place(ptr, crate::imp::Elem::Prim(*prim));
                self.i64(index);
                self.is(expected, Type::Scalar(*prim), Rule::I3, "An operand");
                self.is(value, Type::Scalar(*prim), Rule::I3, "An operand");
                self.assigns(*old, Type::Scalar(*prim));
            }
            GroupStmt::Acquire { var, prim, ptr, index } | GroupStmt::Peek { var, prim, ptr, index } => {
                self.place(ptr, crate::imp::Elem::Prim(*prim));
                self.i64(index);
                self.assigns(*var, Type::Scalar(*prim));
            }
            GroupStmt::Publish { prim, ptr, index, value } => {
                self.place(ptr, crate::imp::Elem::Prim(*prim));
                self.i64(index);
                self.is(value, Type::Scalar(*prim), Rule::I3, "An operand");
            }
            GroupStmt::CountBefore { var, tile_states, tile, own, shared } => {
                self.place(tile_states, crate::imp::Elem::Prim(Prim::I32));
                self.i64(tile);
                self.i64(own);
                self.place(shared, crate::imp::Elem::Prim(Prim::I64));
                self.assigns(*var, Type::Scalar(Prim::I64));
            }
            GroupStmt::LookBack { var, op, prim, tile_states, tile, own, shared } => {
                self.place(tile_states, crate::imp::Elem::Prim(Prim::I32));
                self.i64(tile);
                self.combined(*op, *prim, own, shared);
                if !prim.is_int() || op.neutral(*prim).is_none() {
                    self.fail(Rule::I3, format!("`{}` cannot be what tiles tell each other.", op.name()));
                }
                self.assigns(*var, Type::Scalar(*prim));
            }
            GroupStmt::Scan { var, op, prim, own, shared } => {
                self.combined(*op, *prim, own, shared);
                self.assigns(*var, Type::Scalar(*prim));
            }
            GroupStmt::IsLast { var, shared } => {
                self.place(shared, crate::imp::Elem::Prim(Prim::I32));
                self.assigns(*var, Type::Scalar(Prim::Bool));
            }
            GroupStmt::HasFailed { var } => self.assigns(*var, Type::Scalar(Prim::Bool)),
            GroupStmt::Pool { var, scratch, bytes } => {
                self.ptr(scratch, crate::imp::Elem::Prim(Prim::U8));
                self.i64(bytes);
                self.assigns(*var, Type::Ptr(crate::imp::Elem::Prim(Prim::U8)));
            }
            GroupStmt::Guard(block) => self.block(block),
        }
    }

    /// Numbers of 32 or 64 bits that threads combine.
    fn combined(&mut self, op: BinOp, prim: Prim, own: &Exp, shared: &Exp) {
        self.is(own, Type::Scalar(prim), Rule::I3, "An operand");
        self.place(shared, crate::imp::Elem::Prim(prim));
        self.yields_its_own(op, prim);
        if prim.size() < 4 {
            self.fail(Rule::I3, format!("`{}` has too few bits.", prim.name()));
        }
    }

    fn yields_its_own(&mut self, op: BinOp, prim: Prim) {
        if op.result(prim) != Some(prim) {
            self.fail(Rule::I3, format!("`{}` yields something else.", op.name()));
        }
    }

    pub(super) fn device_stmt(&mut self, stmt: &Stmt, device: &DeviceStmt) {
        match device {
            DeviceStmt::Alloc { block, bytes, site } => {
                self.assigns(*block, Type::Block);
                self.i64(bytes);
                self.site(*site);
            }
            DeviceStmt::Launch { kernel, args, reaches, groups, site } => {
                self.site(*site);
                self.i64(groups);
                for Reach { arg, elem, from, count } in reaches {
                    match args.get(*arg) {
                        Some(ptr) => self.remote(ptr, *elem),
                        None => self.fail(Rule::I3, format!("There is no argument {arg}.")),
                    }
                    self.i64(from);
                    self.i64(count);
                }
                match self.prog.group_kernels.get(kernel.0 as usize) {
                    Some(kernel) => {
                        let types = |var: &Var| kernel.vars.get(var.0 as usize).map(|info| info.ty.of_host());
                        let params: Vec<Option<Type>> = kernel.params.iter().map(types).collect();
                        self.passes(stmt, args, &params);
                    }
                    None => self.fail(Rule::I1, format!("{} launches no kernel.", self.show_stmt(stmt))),
                }
            }
            DeviceStmt::Read { vars, elem, ptr, index } => {
                self.remote(ptr, *elem);
                self.i64(index);
                vars.iter().for_each(|var| self.assigns(*var, elem.ty()));
            }
            DeviceStmt::Write { elem, ptr, index, value } => {
                self.remote(ptr, *elem);
                self.i64(index);
                self.is(value, elem.ty(), Rule::I3, "An operand");
            }
            DeviceStmt::Upload { elem, to, from, count } => {
                self.remote(to, *elem);
                self.ptr(from, *elem);
                self.i64(count);
            }
            DeviceStmt::Download { elem, to, from, count } => {
                self.ptr(to, *elem);
                self.remote(from, *elem);
                self.i64(count);
            }
            DeviceStmt::Copy { elem, to, from, count } => {
                self.remote(to, *elem);
                self.remote(from, *elem);
                self.i64(count);
            }
            DeviceStmt::Clear { elem, ptr, count } => {
                self.remote(ptr, *elem);
                self.i64(count);
            }
            DeviceStmt::Plan { width, elements, grain, kind: _, site } => {
                self.i64(width);
                self.i64(elements);
                self.i64(grain);
                self.site(*site);
            }
            DeviceStmt::Part(part) => self.i64(part),
            DeviceStmt::Planned { var, what: _ } => self.assigns(*var, Type::Scalar(Prim::I64)),
            DeviceStmt::Here { var, elem, ptr } => {
                self.remote(ptr, *elem);
                self.assigns(*var, Type::Ptr(*elem));
            }
            DeviceStmt::Bring { elem, ptr, from, count } | DeviceStmt::Written { elem, ptr, from, count } => {
                self.remote(ptr, *elem);
                self.i64(from);
                self.i64(count);
            }
            DeviceStmt::Select(device) => self.i64(device),
            DeviceStmt::Fetch(region) | DeviceStmt::Settle(region) => {
                self.is(region, Type::Region, Rule::I3, "An operand")
            }
            DeviceStmt::Look { region, cell, words: _ } => {
                self.is(region, Type::Region, Rule::I3, "An operand");
                self.is(cell, Type::Scalar(Prim::U32), Rule::I3, "An operand");
            }
            DeviceStmt::CellNew { cell, region, words, site } => {
                self.assigns(*cell, Type::Scalar(Prim::U32));
                self.is(region, Type::Region, Rule::I3, "An operand");
                self.i64(words);
                self.site(*site);
            }
            DeviceStmt::CellPlace { ptr, block, region, cell, site } => {
                self.assigns(*ptr, Type::Remote(Elem::Prim(Prim::U64)));
                self.assigns(*block, Type::Block);
                self.is(region, Type::Region, Rule::I3, "An operand");
                self.is(cell, Type::Scalar(Prim::U32), Rule::I3, "An operand");
                self.site(*site);
            }
        }
    }
}
