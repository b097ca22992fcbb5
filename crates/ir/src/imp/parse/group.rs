//! Group kernels, their statements, and those of their hosts.

use super::Parser;
use crate::imp::{
    BinOp, DeviceStmt, GroupArray, GroupKernel, GroupKernelId, GroupStmt, PlanKind, Planned, Prim, Reach,
    Stmt, Var,
};
use crate::text::Parse;

impl Parser {
    /// `group kernel name size 256 (n: i64) arrays (sums: local f32 shared 256) { .. }`
    pub(super) fn group_kernel(&mut self) -> Parse<GroupKernel> {
        self.bump();
        self.expect_word("kernel")?;
        let (name, _) = self.name()?;
        self.expect_word("size")?;
        let size = self.integer("how many threads a group has")?;
        let params = self.list(Parser::binder)?;
        let arrays = self.arrays()?;
        let body = self.block()?;
        let span = self.place();
        Ok(GroupKernel { name, size, params, arrays, vars: self.vars()?, body, span })
    }

    /// Those of a group kernel or a function, if it has any.
    pub(super) fn arrays(&mut self) -> Parse<Vec<GroupArray>> {
        if self.eat_word("arrays") { self.list(Parser::group_array) } else { Ok(Vec::new()) }
    }

    fn group_array(&mut self) -> Parse<GroupArray> {
        let var = self.binder()?;
        let shared = self.eat_word("shared");
        Ok(GroupArray { var, shared, count: self.integer("how many elements an array has")? })
    }

    /// What variables that follow `read` are.
    pub(super) fn read(&mut self, vars: Vec<Var>) -> Parse<Stmt> {
        let elem = self.dot_elem()?;
        let [ptr, index] = self.exactly()?;
        Ok(Stmt::Device(DeviceStmt::Read { vars, elem, ptr, index }))
    }

    /// The rest of a statement that begins with this word, unless it is none of these.
    pub(super) fn device_action(&mut self, word: &str) -> Parse<Option<Stmt>> {
        Ok(Some(match word {
            "barrier" => Stmt::Group(GroupStmt::Barrier),
            "fence" => Stmt::Group(GroupStmt::Fence),
            "atomic" => self.atomic(None)?,
            "publish" => {
                let prim = self.dot_prim()?;
                let [ptr, index, value] = self.exactly()?;
                Stmt::Group(GroupStmt::Publish { prim, ptr, index, value })
            }
            "guard" => Stmt::Group(GroupStmt::Guard(self.block()?)),
            "upload" => {
                let elem = self.dot_elem()?;
                let [to, from, count] = self.exactly()?;
                Stmt::Device(DeviceStmt::Upload { elem, to, from, count })
            }
            "download" => {
                let elem = self.dot_elem()?;
                let [to, from, count] = self.exactly()?;
                Stmt::Device(DeviceStmt::Download { elem, to, from, count })
            }
            "copy_device" => {
                let elem = self.dot_elem()?;
                let [to, from, count] = self.exactly()?;
                Stmt::Device(DeviceStmt::Copy { elem, to, from, count })
            }
            "write" => {
                let elem = self.dot_elem()?;
                let [ptr, index, value] = self.exactly()?;
                Stmt::Device(DeviceStmt::Write { elem, ptr, index, value })
            }
            "clear" => {
                let elem = self.dot_elem()?;
                let [ptr, count] = self.exactly()?;
                Stmt::Device(DeviceStmt::Clear { elem, ptr, count })
            }
            "plan_task" => {
                let [width, elements, grain] = self.exactly()?;
                let said = |kind: &PlanKind| kind.name().is_some_and(|word| self.eat_word(word));
                let kind = PlanKind::ALL.into_iter().find(said).unwrap_or(PlanKind::Usual);
                Stmt::Device(DeviceStmt::Plan { width, elements, grain, kind, site: self.site()? })
            }
            "begin_part" => {
                let [part] = self.exactly()?;
                Stmt::Device(DeviceStmt::Part(part))
            }
            "bring" => {
                let elem = self.dot_elem()?;
                let [ptr, from, count] = self.exactly()?;
                Stmt::Device(DeviceStmt::Bring { elem, ptr, from, count })
            }
            "written" => {
                let elem = self.dot_elem()?;
                let [ptr, from, count] = self.exactly()?;
                Stmt::Device(DeviceStmt::Written { elem, ptr, from, count })
            }
            "select_device" => {
                let [device] = self.exactly()?;
                Stmt::Device(DeviceStmt::Select(device))
            }
            "fetch" => {
                let [region] = self.exactly()?;
                Stmt::Device(DeviceStmt::Fetch(region))
            }
            "settle" => {
                let [region] = self.exactly()?;
                Stmt::Device(DeviceStmt::Settle(region))
            }
            "look" => {
                self.expect('(')?;
                let region = self.exp()?;
                self.expect(',')?;
                let cell = self.exp()?;
                self.expect(',')?;
                let words = self.integer("a number of words")?;
                self.expect(')')?;
                Stmt::Device(DeviceStmt::Look { region, cell, words })
            }
            "launch_groups" => {
                let kernel = GroupKernelId(self.id(|ids| &ids.group_kernels, "a group kernel")?);
                let args = self.exps()?;
                let mut reaches = Vec::new();
                while self.eat_word("reach") {
                    let elem = self.dot_elem()?;
                    let arg = self.integer("the number of an argument")?;
                    let [from, count] = self.exactly()?;
                    reaches.push(Reach { arg, elem, from, count });
                }
                self.expect_word("in")?;
                let groups = self.exp()?;
                Stmt::Device(DeviceStmt::Launch { kernel, args, reaches, groups, site: self.site()? })
            }
            _ => return Ok(None),
        }))
    }

    /// What is assigned to a variable, unless it is none of these.
    pub(super) fn device_assigned(&mut self, var: Var) -> Parse<Option<Stmt>> {
        if self.eat_word("new_device_cell") {
            let [region, words] = self.exactly()?;
            let stmt = DeviceStmt::CellNew { cell: var, region, words, site: self.site()? };
            return Ok(Some(Stmt::Device(stmt)));
        }
        if self.eat_word("atomic") {
            return Ok(Some(self.atomic(Some(var))?));
        }
        if self.eat_word("swap_if") {
            let prim = self.dot_prim()?;
            let [ptr, index, expected, value] = self.exactly()?;
            let stmt = GroupStmt::CompareAndSwap { prim, ptr, index, expected, value, old: var };
            return Ok(Some(Stmt::Group(stmt)));
        }
        if self.eat_word("acquire") {
            let prim = self.dot_prim()?;
            let [ptr, index] = self.exactly()?;
            return Ok(Some(Stmt::Group(GroupStmt::Acquire { var, prim, ptr, index })));
        }
        if self.eat_word("peek") {
            let prim = self.dot_prim()?;
            let [ptr, index] = self.exactly()?;
            return Ok(Some(Stmt::Group(GroupStmt::Peek { var, prim, ptr, index })));
        }
        if self.eat_word("count_before") {
            let [tile_states, tile, own, shared] = self.exactly()?;
            return Ok(Some(Stmt::Group(GroupStmt::CountBefore { var, tile_states, tile, own, shared })));
        }
        if self.eat_word("look_back") {
            let (op, prim) = self.dot_operator()?;
            let [tile_states, tile, own, shared] = self.exactly()?;
            return Ok(Some(Stmt::Group(GroupStmt::LookBack {
                var,
                op,
                prim,
                tile_states,
                tile,
                own,
                shared,
            })));
        }
        if self.eat_word("scan_group") {
            let (op, prim) = self.dot_operator()?;
            let [own, shared] = self.exactly()?;
            return Ok(Some(Stmt::Group(GroupStmt::Scan { var, op, prim, own, shared })));
        }
        if self.eat_word("is_last") {
            let [shared] = self.exactly()?;
            return Ok(Some(Stmt::Group(GroupStmt::IsLast { var, shared })));
        }
        if self.eat_word("has_failed") {
            let [] = self.exactly()?;
            return Ok(Some(Stmt::Group(GroupStmt::HasFailed { var })));
        }
        if self.eat_word("pool") {
            let [scratch, bytes] = self.exactly()?;
            return Ok(Some(Stmt::Group(GroupStmt::Pool { var, scratch, bytes })));
        }
        if let Some(what) = Planned::ALL.into_iter().find(|what| self.eat_word(what.name())) {
            let [] = self.exactly()?;
            return Ok(Some(Stmt::Device(DeviceStmt::Planned { var, what })));
        }
        if self.eat_word("here") {
            let elem = self.dot_elem()?;
            let [ptr] = self.exactly()?;
            return Ok(Some(Stmt::Device(DeviceStmt::Here { var, elem, ptr })));
        }
        if self.eat_word("alloc_device") {
            let [bytes] = self.exactly()?;
            return Ok(Some(Stmt::Device(DeviceStmt::Alloc { block: var, bytes, site: self.site()? })));
        }
        Ok(None)
    }

    /// `.add.i32(ptr, index, value)`
    fn dot_operator(&mut self) -> Parse<(BinOp, Prim)> {
        self.expect('.')?;
        Ok((self.bin_op()?, self.dot_prim()?))
    }

    fn atomic(&mut self, old: Option<Var>) -> Parse<Stmt> {
        let (op, prim) = self.dot_operator()?;
        let [ptr, index, value] = self.exactly()?;
        Ok(Stmt::Group(GroupStmt::Atomic { op, prim, ptr, index, value, old }))
    }
}
