//! Which kernels may begin when one before them has failed, and the host has not looked yet.
//!
//! Those have to ask, before they read what the other has left unfinished. All others need not, and asking is a read from memory that everything in the kernel
//! waits for. After the host has waited for the device nothing has failed, or the program has ended; so it is a matter of the paths from launch to launch
//! that have no wait between them.
//!
//! Method: data flow over the host's functions, forwards, of one bit: whether a launch that may fail can be unfinished. Calls by a summary for each value of the bit, to a fixed point.
//! Several devices have a state each, and a wait is for one of them: there, all ask.

use norn_ir::imp::reach::calls;
use norn_ir::imp::walk::for_each_stmt;
use norn_ir::imp::{Block, DeviceStmt, FunId, Prog, Stmt};

/// For each group kernel, whether it has to ask.
pub(crate) fn ask_first(prog: &Prog, may_fail: &[bool]) -> Vec<bool> {
    let any = may_fail.contains(&true);
    if !any || has_several_devices(prog) {
        return vec![any; may_fail.len()];
    }
    let funs = prog.funs.len();
    let mut flow = Flow {
        prog,
        may_fail,
        asks: vec![false; may_fail.len()],
        begins: vec![[false; 2]; funs],
        ends: vec![[false; 2]; funs],
        changed: true,
    };
    let mut called = vec![false; funs];
    prog.funs.iter().flat_map(|fun| calls(&fun.body)).for_each(|fun| called[fun.0 as usize] = true);
    prog.entries.iter().for_each(|entry| flow.begins[entry.fun.0 as usize][0] = true);
    for (begins, called) in flow.begins.iter_mut().zip(called) {
        // Whoever calls it, if we do not know.
        begins[1] = !called && !begins[0];
    }
    while std::mem::take(&mut flow.changed) {
        for (at, fun) in prog.funs.iter().enumerate() {
            for pending in [false, true]
                .into_iter()
                .filter(|pending| flow.begins[at][*pending as usize])
                .collect::<Vec<_>>()
            {
                let end = flow.block(&fun.body, pending);
                flow.changed |= end && !flow.ends[at][pending as usize];
                flow.ends[at][pending as usize] |= end;
            }
        }
    }
    flow.asks
}

fn has_several_devices(prog: &Prog) -> bool {
    let mut found = false;
    let mut look = |block: &Block| {
        for_each_stmt(block, &mut |stmt| {
            found |= matches!(
                stmt,
                Stmt::Device(DeviceStmt::Select(_) | DeviceStmt::Part(_) | DeviceStmt::Plan { .. })
            )
        })
    };
    prog.funs.iter().for_each(|fun| look(&fun.body));
    found
}

struct Flow<'a> {
    prog: &'a Prog,
    may_fail: &'a [bool],
    asks: Vec<bool>,
    /// Whether each function is called while nothing can have failed, and while something can.
    begins: Vec<[bool; 2]>,
    /// Whether something can have failed at its end, then.
    ends: Vec<[bool; 2]>,
    changed: bool,
}

impl Flow<'_> {
    fn block(&mut self, block: &Block, pending: bool) -> bool {
        block.iter().fold(pending, |pending, stmt| self.stmt(stmt, pending))
    }

    /// Whether something can have failed behind a statement.
    fn stmt(&mut self, stmt: &Stmt, pending: bool) -> bool {
        match stmt {
            Stmt::If { then, els, .. } => self.block(then, pending) | self.block(els, pending),
            Stmt::Switch { cases, default, .. } => {
                let cases = cases.iter().fold(false, |any, (_, case)| any | self.block(case, pending));
                cases | self.block(default, pending)
            }
            Stmt::For { body, .. } => {
                let again = pending | self.block(body, pending);
                pending | self.block(body, again)
            }
            Stmt::While { before, body, .. } => {
                let once = self.block(before, pending);
                let again = self.block(body, once);
                once | self.block(before, again)
            }
            Stmt::Call { fun, .. } => self.call(*fun, pending),
            Stmt::Const { id, .. } => {
                let fun = self.prog.consts[id.0 as usize].fun;
                // It may have been computed before.
                pending | self.call(fun, pending)
            }
            Stmt::Device(DeviceStmt::Launch { kernel, .. }) => {
                let kernel = kernel.0 as usize;
                self.changed |= pending && !self.asks[kernel];
                self.asks[kernel] |= pending;
                pending | self.may_fail[kernel]
            }
            Stmt::Device(device) => pending && !device.waits(),
            _ => pending,
        }
    }

    fn call(&mut self, fun: FunId, pending: bool) -> bool {
        let (fun, pending) = (fun.0 as usize, pending as usize);
        self.changed |= !self.begins[fun][pending];
        self.begins[fun][pending] = true;
        self.ends[fun][pending]
    }
}
