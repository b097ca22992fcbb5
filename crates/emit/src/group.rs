//! What only threads of groups do.

use crate::atomic::Atomics;
use crate::code::{Code, join};
use crate::dialect::{Side, memory_type};
use crate::scalar::{self, Text};
use crate::stmt::Assignment;
use norn_ir::imp::{BinOp, Elem, Exp, GroupExp, GroupStmt, Prim, Type, Var};

/// Where an element lies that several threads change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Space {
    Global,
    /// An array of the group.
    Shared,
}

pub(crate) fn group_number(number: GroupExp) -> Text {
    Text::primary(match number {
        GroupExp::Thread => "norn_thread()",
        GroupExp::Group => "norn_group()",
        GroupExp::Groups => "norn_groups()",
    })
}

impl Code<'_> {
    pub fn group_action(&mut self, stmt: &GroupStmt) {
        match stmt {
            GroupStmt::Barrier => self.line("norn_barrier();"),
            GroupStmt::Fence => self.line("norn_fence();"),
            GroupStmt::Atomic { op, prim, ptr, index, value, old: None } => {
                let change = self.change(*op, *prim, ptr, index, value, Atomics::improve);
                self.line(format!("{};", change.text));
            }
            GroupStmt::Publish { prim, ptr, index, value } => {
                let (space, place) = self.shared_place(ptr, index);
                let value = self.exp(value);
                let function = self.needs.atomics.publish(*prim, space);
                self.line(format!("{};", Text::call(function, &[&place, &value]).text));
            }
            GroupStmt::Guard(block) => self.guard(block),
            GroupStmt::Atomic { old: Some(_), .. }
            | GroupStmt::CompareAndSwap { .. }
            | GroupStmt::Acquire { .. }
            | GroupStmt::Peek { .. }
            | GroupStmt::CountBefore { .. }
            | GroupStmt::LookBack { .. }
            | GroupStmt::Scan { .. }
            | GroupStmt::IsLast { .. }
            | GroupStmt::HasFailed { .. }
            | GroupStmt::Pool { .. } => unreachable!("emit: an assignment is no action"),
        }
    }

    pub fn group_assignment(&mut self, stmt: &GroupStmt) -> Option<Assignment> {
        let (var, value) = match stmt {
            GroupStmt::Barrier
            | GroupStmt::Fence
            | GroupStmt::Publish { .. }
            | GroupStmt::Guard(_)
            | GroupStmt::Atomic { old: None, .. } => return None,
            GroupStmt::Atomic { op, prim, ptr, index, value, old: Some(old) } => {
                (*old, self.change(*op, *prim, ptr, index, value, Atomics::change))
            }
            GroupStmt::CompareAndSwap { prim, ptr, index, expected, value, old } => {
                let (space, place) = self.shared_place(ptr, index);
                let (expected, value) = (self.exp(expected), self.exp(value));
                let function = self.needs.atomics.swap_if(*prim, space);
                (*old, Text::call(function, &[&place, &expected, &value]))
            }
            GroupStmt::Acquire { var, prim, ptr, index } => {
                let (space, place) = self.shared_place(ptr, index);
                (*var, Text::call(self.needs.atomics.acquire(*prim, space), &[&place]))
            }
            GroupStmt::Peek { var, prim, ptr, index } => {
                let (space, place) = self.shared_place(ptr, index);
                (*var, Text::call(self.needs.atomics.peek(*prim, space), &[&place]))
            }
            GroupStmt::CountBefore { var, tile_states, tile, own, shared } => {
                let [tile_states, tile, own, shared] =
                    [tile_states, tile, own, shared].map(|exp| self.exp(exp));
                (*var, Text::call("norn_count_before", &[&tile_states, &tile, &own, &shared]))
            }
            GroupStmt::LookBack { var, op, prim, tile_states, tile, own, shared } => {
                let combined = self.combined(*op, *prim);
                let neutral = op.neutral(*prim).expect("emit: an operator without a neutral element");
                let neutral = scalar::constant(self.needs, neutral).text;
                let function = self.needs.scans.look_back(*op, *prim, combined, neutral);
                let [tile_states, tile, own, shared] =
                    [tile_states, tile, own, shared].map(|exp| self.exp(exp));
                (*var, Text::call(function, &[&tile_states, &tile, &own, &shared]))
            }
            GroupStmt::Scan { var, op, prim, own, shared } => {
                let combined = self.combined(*op, *prim);
                let function = self.needs.scans.scan(*op, *prim, combined);
                let (own, shared) = (self.exp(own), self.exp(shared));
                (*var, Text::call(function, &[&own, &shared]))
            }
            GroupStmt::IsLast { var, shared } => {
                let shared = self.exp(shared);
                (*var, Text::call("norn_is_last", &[&Text::primary("&norn_run->arrived"), &shared]))
            }
            GroupStmt::HasFailed { var } => (*var, Text::primary("norn_has_failed(norn_run)")),
            GroupStmt::Pool { var, scratch, bytes } => {
                let (scratch, bytes) = (self.exp(scratch), self.exp(bytes));
                (*var, Text::call("NORN_POOL", &[&scratch, &bytes]))
            }
        };
        Some(Assignment { var, value, memory: None })
    }

    /// What comes out of `x` and `y`.
    fn combined(&mut self, op: BinOp, prim: Prim) -> String {
        self.needs.operator(prim);
        scalar::bin(self.needs, op, prim, &Text::primary("x"), &Text::primary("y")).text
    }

    /// An element becomes something else at once; what it was.
    fn change(
        &mut self,
        op: BinOp,
        prim: Prim,
        ptr: &Exp,
        index: &Exp,
        value: &Exp,
        by: fn(&mut Atomics, BinOp, Prim, Space, String) -> String,
    ) -> Text {
        assert!(op.second(prim) == prim, "emit: `{}` combines no two elements", op.name());
        let (space, place) = self.shared_place(ptr, index);
        let value = self.exp(value);
        // Elements are seen as words.
        let combined = self.combined(op, prim);
        let function = by(&mut self.needs.atomics, op, prim, space, combined);
        Text::call(function, &[&place, &value])
    }

    /// The address of an element, and what kind of memory that is in.
    fn shared_place(&mut self, ptr: &Exp, index: &Exp) -> (Space, Text) {
        match ptr {
            Exp::Var(var) if matches!(self.var_ty(*var), Type::Local(_)) => {
                let name = self.name(*var).to_string();
                assert!(self.shared.contains(var), "emit: `{name}` is changed for others, who do not see it");
                (Space::Shared, self.place(ptr, index))
            }
            _ => (Space::Global, self.place(ptr, index)),
        }
    }

    /// The declaration of an array.
    pub fn array(&mut self, var: Var, count: u32, shared: bool) {
        let ty = self.var_ty(var);
        let (elem, bytes) = match ty {
            Type::Local(elem @ Elem::Prim(prim)) => (memory_type(prim).to_string(), elem.bytes()),
            // Any pointer can be stored.
            Type::Local(elem @ Elem::Any) => match self.dialect.side() {
                Side::Device => ("NORN_GLOBAL void *".to_string(), elem.bytes()),
                Side::Cpu => ("void *".to_string(), elem.bytes()),
            },
            Type::Local(elem @ (Elem::Block | Elem::Region)) => (self.c_type(elem.ty(), None), elem.bytes()),
            Type::Scalar(_)
            | Type::Vector(..)
            | Type::Ptr(_)
            | Type::Remote(_)
            | Type::Block
            | Type::Region => unreachable!("emit: an array that is none (I9)"),
        };
        self.needs.value(ty);
        let declaration = join(&elem, self.name(var));
        if !shared {
            return self.line(format!("{declaration}[{}];", count.max(1)));
        }
        self.shared.push(var);
        // An element that is changed at once is changed with the word around it, which has to be one of the array's; and neighbours can
        // be loaded at once if it is known where they lie.
        let per_word = (4 / bytes).max(1) as u32;
        let count = count.max(1).next_multiple_of(per_word);
        self.line(format!("NORN_SHARED {declaration}[{count}] NORN_ALIGNED;"));
    }

    /// What memmove would do.
    pub fn copy_one_by_one(&mut self, elem: Elem, to: &Text, from: &Text, count: &Text) {
        let ty = self.c_type(Type::Ptr(elem), None);
        self.open("{");
        self.line(format!("{};", join(&ty, &format!("out_to = {}", to.text))));
        self.line(format!("{};", join(&ty, &format!("out_from = {}", from.text))));
        self.line(format!("i64 out_count = {};", count.text));
        self.line("for (i64 out_i = 0; out_i < out_count; out_i++) out_to[out_i] = out_from[out_i];");
        self.close("}");
    }
}
