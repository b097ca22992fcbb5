//! Statements.

use super::{Printer, show_elem};
use crate::imp::names::constant;
use crate::imp::{Accumulator, Block, LoopForm, SiteId, Split, Stmt, Var};

impl Printer<'_> {
    /// Each on a line of its own.
    pub(super) fn stmts(&mut self, block: &Block) {
        for stmt in block {
            self.line();
            self.stmt(stmt);
        }
    }

    pub(super) fn block(&mut self, block: &Block) {
        self.push("{");
        self.indent += 1;
        self.stmts(block);
        self.indent -= 1;
        self.line();
        self.push("}");
    }

    pub fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Set(var, exp) => {
                let var = self.binder(*var);
                self.push(&format!("{var} = {}", self.exp(exp)));
            }
            Stmt::Store { elem, ptr, index, value } => {
                let place = self.place_at(ptr, &self.exp(index), show_elem(*elem));
                self.push(&format!("{place} = {}", self.exp(value)));
            }
            Stmt::StoreLanes { prim, ptr, index, value, mask } => {
                let index = format!("{} ..", self.exp(index)) + &self.mask(mask.as_ref());
                let place = self.place_at(ptr, &index, prim.name());
                self.push(&format!("{place} = {}", self.exp(value)));
            }
            Stmt::Scatter { prim, ptr, index, value, mask } => {
                let index = format!("each {}", self.exp(index)) + &self.mask(mask.as_ref());
                let place = self.place_at(ptr, &index, prim.name());
                self.push(&format!("{place} = {}", self.exp(value)));
            }
            Stmt::Copy { elem, to, from, count } => {
                let operands = [to, from, count].map(|x| self.exp(x)).join(", ");
                self.push(&format!("copy.{}({operands})", show_elem(*elem)));
            }
            Stmt::Alloc { block, bytes, site } => {
                let block = self.binder(*block);
                self.push(&format!("{block} = alloc({}) {}", self.exp(bytes), show_site(*site)));
            }
            Stmt::Retain(block) => self.push(&format!("retain({})", self.exp(block))),
            Stmt::Release(block) => self.push(&format!("release({})", self.exp(block))),
            Stmt::RegionNew(region) => {
                let region = self.binder(*region);
                self.push(&format!("{region} = new_region"));
            }
            Stmt::RegionEnd(region) => self.push(&format!("end_region({})", self.exp(region))),
            Stmt::CellNew { cell, region, words, site } => {
                let cell = self.binder(*cell);
                let (region, words) = (self.exp(region), self.exp(words));
                self.push(&format!("{cell} = new_cell({region}, {words}) {}", show_site(*site)));
            }
            Stmt::Show { words, count } => {
                self.push(&format!("show({}, {})", self.exp(words), self.exp(count)));
            }
            Stmt::If { cond, then, els } => {
                self.push(&format!("if {} ", self.exp(cond)));
                self.block(then);
                match els.as_slice() {
                    [] => {}
                    [stmt @ Stmt::If { .. }] => {
                        self.push(" else ");
                        self.stmt(stmt);
                    }
                    _ => {
                        self.push(" else ");
                        self.block(els);
                    }
                }
            }
            Stmt::Switch { scrutinee, cases, default } => {
                self.push(&format!("switch {}", self.exp(scrutinee)));
                for (number, block) in cases {
                    self.push(&format!(" case {number} "));
                    self.block(block);
                }
                self.push(" else ");
                self.block(default);
            }
            Stmt::For { var, from, to, form, body } => {
                let var = self.binder(*var);
                self.push(&format!("for {var} = {} .. {} ", self.exp(from), self.exp(to)));
                self.loop_form(form);
                self.block(body);
            }
            Stmt::While { before, cond, body } => {
                self.push("while ");
                if !before.is_empty() {
                    self.block(before);
                    self.push(" ");
                }
                self.push(&format!("{} ", self.exp(cond)));
                self.block(body);
            }
            Stmt::Call { fun, args, results, site } => {
                self.results(results);
                let (fun, args) = (self.funs.get(fun.0), self.exps(args));
                self.push(&format!("call {fun}{args} {}", show_site(*site)));
            }
            Stmt::Const { id, results, site } => {
                self.results(results);
                self.push(&format!("const {} {}", self.constant(*id), show_site(*site)));
            }
            Stmt::Launch { kernel, args, width, chunks, split, site } => {
                let (kernel, args) = (self.kernels.get(kernel.0), self.exps(args));
                let (width, chunks) = (self.exp(width), self.exp(chunks));
                let split = match split {
                    Split::Even => String::new(),
                    Split::ByOffsets(offsets) => format!("by {} ", self.exp(offsets)),
                    Split::Ordered => "ordered ".to_string(),
                    Split::Parts { wait: true } => "parts wait ".to_string(),
                    Split::Parts { wait: false } => "parts ".to_string(),
                };
                let site = show_site(*site);
                self.push(&format!("launch {kernel}{args} over {width} in {chunks} {split}{site}"));
            }
            Stmt::Await { ptr, index } => {
                self.push(&format!("await({}, {})", self.exp(ptr), self.exp(index)));
            }
            Stmt::Signal { ptr, index } => {
                self.push(&format!("signal({}, {})", self.exp(ptr), self.exp(index)));
            }
            Stmt::Fail { site, operands } => {
                self.push(&format!("fail{} {}", self.exps(operands), show_site(*site)));
            }
            Stmt::Group(stmt) => self.group_stmt(stmt),
            Stmt::Device(stmt) => self.device_stmt(stmt),
        }
    }

    fn loop_form(&mut self, form: &LoopForm) {
        match form {
            LoopForm::Plain => {}
            LoopForm::Independent => self.push("independent "),
            LoopForm::Reduce(accs) => {
                let accs: Vec<String> = accs.iter().map(|acc| self.accumulator(acc)).collect();
                self.push(&format!("reduce ({}) ", accs.join(", ")));
            }
        }
    }

    /// `add.f32 sum neutral 0f32`
    fn accumulator(&self, acc: &Accumulator) -> String {
        let Accumulator { var, op, prim, neutral } = acc;
        format!("{}.{} {} neutral {}", op.name(), prim.name(), self.var(*var), constant(*neutral))
    }

    fn results(&mut self, results: &[Var]) {
        if !results.is_empty() {
            let binders = self.binders(results);
            self.push(&format!("{binders} = "));
        }
    }
}

/// Sites have no names.
pub(super) fn show_site(site: SiteId) -> String {
    format!("#{}", site.0)
}
