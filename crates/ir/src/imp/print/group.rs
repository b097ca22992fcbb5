//! Group kernels, their statements, and those of their hosts.

use super::stmt::show_site;
use super::{Printer, show_elem};
use crate::imp::{DeviceStmt, GroupArray, GroupKernel, GroupKernelId, GroupStmt, Reach};

impl<'a> Printer<'a> {
    /// `group kernel name size 256 (n: i64) arrays (sums: local f32 shared 256) {`
    pub(super) fn group_kernel(&mut self, id: GroupKernelId, kernel: &'a GroupKernel) {
        self.enter(&kernel.vars);
        let params = self.binders(&kernel.params);
        let arrays = self.arrays(&kernel.arrays);
        let name = self.group_kernels.get(id.0);
        self.item(&format!("group kernel {name} size {} ({params}){arrays} {{", kernel.size));
        self.indent += 1;
        self.stmts(&kernel.body);
        self.end(kernel.span);
    }

    /// Those of a group kernel or a function, if it has any.
    pub(super) fn arrays(&mut self, arrays: &[GroupArray]) -> String {
        let mut shown = Vec::with_capacity(arrays.len());
        for array in arrays {
            let shared = if array.shared { "shared " } else { "" };
            shown.push(format!("{} {shared}{}", self.binder(array.var), array.count));
        }
        if shown.is_empty() { String::new() } else { format!(" arrays ({})", shown.join(", ")) }
    }
}

impl Printer<'_> {
    pub(super) fn group_stmt(&mut self, stmt: &GroupStmt) {
        match stmt {
            GroupStmt::Barrier => self.push("barrier"),
            GroupStmt::Fence => self.push("fence"),
            GroupStmt::Atomic { op, prim, ptr, index, value, old } => {
                let old = old.map_or(String::new(), |old| format!("{} = ", self.binder(old)));
                let operands = [ptr, index, value].map(|x| self.exp(x)).join(", ");
                self.push(&format!("{old}atomic.{}.{}({operands})", op.name(), prim.name()));
            }
            GroupStmt::CompareAndSwap { prim, ptr, index, expected, value, old } => {
                let old = self.binder(*old);
                let operands = [ptr, index, expected, value].map(|x| self.exp(x)).join(", ");
                self.push(&format!("{old} = swap_if.{}({operands})", prim.name()));
            }
            GroupStmt::Acquire { var, prim, ptr, index } => {
                let var = self.binder(*var);
                let operands = [ptr, index].map(|x| self.exp(x)).join(", ");
                self.push(&format!("{var} = acquire.{}({operands})", prim.name()));
            }
            GroupStmt::Peek { var, prim, ptr, index } => {
                let var = self.binder(*var);
                let operands = [ptr, index].map(|x| self.exp(x)).join(", ");
                self.push(&format!("{var} = peek.{}({operands})", prim.name()));
            }
            GroupStmt::Publish { prim, ptr, index, value } => {
                let operands = [ptr, index, value].map(|x| self.exp(x)).join(", ");
                self.push(&format!("publish.{}({operands})", prim.name()));
            }
            GroupStmt::CountBefore { var, tile_states, tile, own, shared } => {
                let var = self.binder(*var);
                let operands = [tile_states, tile, own, shared].map(|x| self.exp(x)).join(", ");
                self.push(&format!("{var} = count_before({operands})"));
            }
            GroupStmt::LookBack { var, op, prim, tile_states, tile, own, shared } => {
                let var = self.binder(*var);
                let operands = [tile_states, tile, own, shared].map(|x| self.exp(x)).join(", ");
                self.push(&format!("{var} = look_back.{}.{}({operands})", op.name(), prim.name()));
            }
            GroupStmt::Scan { var, op, prim, own, shared } => {
                let var = self.binder(*var);
                let operands = [own, shared].map(|x| self.exp(x)).join(", ");
                self.push(&format!("{var} = scan_group.{}.{}({operands})", op.name(), prim.name()));
            }
            GroupStmt::IsLast { var, shared } => {
                let (var, shared) = (self.binder(*var), self.exp(shared));
                self.push(&format!("{var} = is_last({shared})"));
            }
            GroupStmt::HasFailed { var } => {
                let var = self.binder(*var);
                self.push(&format!("{var} = has_failed()"));
            }
            GroupStmt::Pool { var, scratch, bytes } => {
                let var = self.binder(*var);
                let operands = [scratch, bytes].map(|x| self.exp(x)).join(", ");
                self.push(&format!("{var} = pool({operands})"));
            }
            GroupStmt::Guard(block) => {
                self.push("guard ");
                self.block(block);
            }
        }
    }

    pub(super) fn device_stmt(&mut self, stmt: &DeviceStmt) {
        let mut moved = |name: &str, elem, operands: &[&crate::imp::Exp]| {
            let operands: Vec<String> = operands.iter().map(|x| self.exp(x)).collect();
            self.push(&format!("{name}.{}({})", show_elem(elem), operands.join(", ")));
        };
        match stmt {
            DeviceStmt::Upload { elem, to, from, count } => moved("upload", *elem, &[to, from, count]),
            DeviceStmt::Download { elem, to, from, count } => moved("download", *elem, &[to, from, count]),
            DeviceStmt::Copy { elem, to, from, count } => moved("copy_device", *elem, &[to, from, count]),
            DeviceStmt::Write { elem, ptr, index, value } => moved("write", *elem, &[ptr, index, value]),
            DeviceStmt::Clear { elem, ptr, count } => moved("clear", *elem, &[ptr, count]),
            DeviceStmt::Plan { width, elements, grain, kind, site } => {
                let [width, elements, grain] = [width, elements, grain].map(|exp| self.exp(exp));
                let kind = kind.name().map(|word| format!("{word} ")).unwrap_or_default();
                self.push(&format!("plan_task({width}, {elements}, {grain}) {kind}{}", show_site(*site)));
            }
            DeviceStmt::Part(part) => self.push(&format!("begin_part({})", self.exp(part))),
            DeviceStmt::Planned { var, what } => {
                let var = self.binder(*var);
                self.push(&format!("{var} = {}()", what.name()));
            }
            DeviceStmt::Bring { elem, ptr, from, count } => moved("bring", *elem, &[ptr, from, count]),
            DeviceStmt::Here { var, elem, ptr } => {
                let var = self.binder(*var);
                self.push(&format!("{var} = here.{}({})", show_elem(*elem), self.exp(ptr)));
            }
            DeviceStmt::Written { elem, ptr, from, count } => moved("written", *elem, &[ptr, from, count]),
            DeviceStmt::Select(device) => self.push(&format!("select_device({})", self.exp(device))),
            DeviceStmt::Fetch(region) => self.push(&format!("fetch({})", self.exp(region))),
            DeviceStmt::Settle(region) => self.push(&format!("settle({})", self.exp(region))),
            DeviceStmt::Look { region, cell, words } => {
                self.push(&format!("look({}, {}, {words})", self.exp(region), self.exp(cell)));
            }
            DeviceStmt::CellNew { cell, region, words, site } => {
                let cell = self.binder(*cell);
                let operands = [region, words].map(|x| self.exp(x)).join(", ");
                self.push(&format!("{cell} = new_device_cell({operands}) {}", show_site(*site)));
            }
            DeviceStmt::CellPlace { ptr, block, region, cell, site } => {
                let vars = [ptr, block].map(|var| self.binder(*var)).join(", ");
                let operands = [region, cell].map(|x| self.exp(x)).join(", ");
                self.push(&format!("{vars} = cell_place({operands}) {}", show_site(*site)));
            }
            DeviceStmt::Read { vars, elem, ptr, index } => {
                let var = vars.iter().map(|var| self.binder(*var)).collect::<Vec<_>>().join(", ");
                let operands = [ptr, index].map(|x| self.exp(x)).join(", ");
                self.push(&format!("{var} = read.{}({operands})", show_elem(*elem)));
            }
            DeviceStmt::Alloc { block, bytes, site } => {
                let block = self.binder(*block);
                self.push(&format!("{block} = alloc_device({}) {}", self.exp(bytes), show_site(*site)));
            }
            DeviceStmt::Launch { kernel, args, reaches, groups, site } => {
                let (kernel, args) = (self.group_kernels.get(kernel.0), self.exps(args));
                let mut within = String::new();
                for Reach { arg, elem, from, count } in reaches {
                    let operands = [from, count].map(|x| self.exp(x)).join(", ");
                    within += &format!(" reach.{} {arg} ({operands})", show_elem(*elem));
                }
                let groups = self.exp(groups);
                self.push(&format!("launch_groups {kernel}{args}{within} in {groups} {}", show_site(*site)));
            }
        }
    }
}
