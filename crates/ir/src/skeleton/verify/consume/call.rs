//! Calls: which arguments are consumed, and what the results share.

use super::alias::{Memory, Root};
use super::{Summary, Walk};
use crate::skeleton::outline::Head;
use crate::skeleton::{Atom, FunId, Var};
use std::collections::BTreeSet;

impl Walk<'_> {
    pub(super) fn call(&mut self, vars: &[Var], fun: FunId, args: &[Atom]) {
        let callee = &self.prog.funs[fun.0 as usize];
        let operands: Vec<Var> = args.iter().filter_map(|arg| arg.var()).collect();
        let taken = callee.params.iter().zip(args).filter(|(param, _)| param.unique);
        let taken: Vec<Var> = taken.filter_map(|(_, arg)| arg.var()).collect();
        self.consume_some(&taken, &operands);
        let results = match &self.summaries[fun.0 as usize] {
            Some(summary) => self.by_summary(vars, callee, args, summary),
            None => self.by_signature(vars, callee, args),
        };
        for ((var, memory), ret) in vars.iter().zip(results).zip(callee.ret) {
            let own = if ret.unique { Memory::of_array(*var).own } else { memory.own };
            self.bind(*var, Memory { own, held: memory.held });
        }
    }

    fn by_summary(&mut self, vars: &[Var], callee: &Head, args: &[Atom], summary: &Summary) -> Vec<Memory> {
        let name = |root: &Root| {
            let owner = summary.results.iter().position(|memory| memory.own.contains(root))?;
            vars.get(owner).map(|var| Root::Array(*var))
        };
        for root in &summary.frozen {
            if let Some(Root::Array(var)) = name(root) {
                self.frozen[var.0 as usize] = true;
            }
        }
        let translate = |roots: &BTreeSet<Root>| {
            let mut here = BTreeSet::new();
            for root in roots {
                let (Root::Array(var) | Root::Cells(var)) = root;
                let param = callee.params.iter().position(|param| param.var == *var);
                match (root, param) {
                    (Root::Cells(_), Some(i)) => here.extend(self.atom_memory(args[i]).held),
                    (Root::Array(_), Some(i)) if !callee.params[i].unique => {
                        here.extend(self.atom_memory(args[i]).own);
                    }
                    (Root::Array(_) | Root::Cells(_), _) => here.extend(name(root)),
                }
            }
            here
        };
        summary
            .results
            .iter()
            .map(|memory| Memory { own: translate(&memory.own), held: translate(&memory.held) })
            .collect()
    }

    /// Within a recursive group: whatever is not unique may share memory.
    fn by_signature(&mut self, vars: &[Var], callee: &Head, args: &[Atom]) -> Vec<Memory> {
        let mut shared = Memory::default();
        for (param, arg) in callee.params.iter().zip(args) {
            let memory = self.atom_memory(*arg);
            shared.held.extend(memory.held);
            if !param.unique {
                shared.held.extend(&memory.own);
                shared.own.extend(memory.own);
            }
        }
        let plain = vars.iter().zip(callee.ret).filter(|(_, ret)| !ret.unique).map(|(var, _)| *var);
        shared.own.extend(plain.take(1).map(Root::Array));
        vec![shared; vars.len()]
    }
}
