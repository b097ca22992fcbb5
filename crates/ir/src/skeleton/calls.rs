//! The call graph: functions in groups that call each other, callees before callers.
//!
//! Tarjan's algorithm, with a stack of its own, since chains of calls can be long. A constant counts
//! as a call of its function.

use super::walk::Part;
use super::{Body, ControlExp, Exp, FunId, Operators, Prog};

/// Strongly connected components; each in the order of the program, and after those that it calls.
pub fn call_groups<O: Operators>(prog: &Prog<O>) -> Vec<Vec<FunId>> {
    let callees: Vec<Vec<usize>> = prog.funs.iter().map(|fun| callees(prog, &fun.body)).collect();
    let of_ids = |group: Vec<usize>| group.into_iter().map(|id| FunId(id as u32)).collect();
    components(&callees).into_iter().map(of_ids).collect()
}

/// The strongly connected components of a graph in which each node has these successors; each component in the order of the nodes, and after those that it
/// leads to.
pub fn components(callees: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search {
        callees,
        index: vec![None; callees.len()],
        low: vec![0; callees.len()],
        on_stack: vec![false; callees.len()],
        stack: Vec::new(),
        next: 0,
        groups: Vec::new(),
    };
    for root in 0..callees.len() {
        search.visit(root);
    }
    search.groups
}

/// The functions that a body calls, or whose constants it uses.
pub fn callees<O: Operators>(prog: &Prog<O>, body: &Body<O>) -> Vec<usize> {
    let mut found = Vec::new();
    collect_callees(prog, body, &mut found);
    found.sort_unstable();
    found.dedup();
    found.retain(|id| *id < prog.funs.len());
    found
}

fn collect_callees<O: Operators>(prog: &Prog<O>, body: &Body<O>, found: &mut Vec<usize>) {
    for stm in &body.stms {
        if let Exp::Control(ControlExp::Call { fun, .. }) = &stm.exp {
            found.push(fun.0 as usize);
        }
        if let Exp::Control(ControlExp::Const(id)) = &stm.exp
            && let Some(constant) = prog.consts.get(id.0 as usize)
        {
            found.push(constant.fun.0 as usize);
        }
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => collect_callees(prog, body, found),
            Part::Lambda(lambda) => collect_callees(prog, &lambda.body, found),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
}

struct Search<'a> {
    callees: &'a [Vec<usize>],
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
    groups: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn visit(&mut self, root: usize) {
        if self.index[root].is_some() {
            return;
        }
        self.enter(root);
        // A function, and how many of its callees have been looked at.
        let mut work = vec![(root, 0)];
        while let Some((fun, done)) = work.last_mut() {
            let fun = *fun;
            match self.callees[fun].get(*done) {
                Some(&callee) => {
                    *done += 1;
                    match self.index[callee] {
                        None => {
                            self.enter(callee);
                            work.push((callee, 0));
                        }
                        Some(index) if self.on_stack[callee] => self.low[fun] = self.low[fun].min(index),
                        Some(_) => {}
                    }
                }
                None => {
                    work.pop();
                    if let Some((caller, _)) = work.last() {
                        self.low[*caller] = self.low[*caller].min(self.low[fun]);
                    }
                    self.leave(fun);
                }
            }
        }
    }

    fn enter(&mut self, fun: usize) {
        self.index[fun] = Some(self.next);
        self.low[fun] = self.next;
        self.next += 1;
        self.stack.push(fun);
        self.on_stack[fun] = true;
    }

    /// If nothing leads further back from here, the group is complete.
    fn leave(&mut self, fun: usize) {
        if Some(self.low[fun]) != self.index[fun] {
            return;
        }
        let mut group = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member] = false;
            group.push(member);
            if member == fun {
                break;
            }
        }
        group.sort_unstable();
        self.groups.push(group);
    }
}
