//! vectorise: neighbouring iterations of a loop side by side.
//!
//! Loops whose iterations do not depend on each other, and reductions, are done in groups: lane `l` of a vector is
//! iteration `first + l`.
//!
//! ```text
//! for i in 0 .. n independent {            for group in 0 .. groups {
//!   y = xs[i];                               first = group * 16;
//!   while y < limit { y = y * y }            y = load_lanes(xs, first);
//!   ys[i] = y                                active = splat true;
//! }                                          while { active = active & (y < splat limit) } any active {
//!                                              y = select active (y * y) y
//!                                            }
//!                                            store_lanes(ys, first, y)
//!                                          }
//!                                          <the last n % 16 iterations, with a mask>
//! ```
//!
//! As in ISPC (Pharr and Mark, "ispc: A SPMD compiler for high-performance CPU programming"), the whole body is turned, with its
//! loops and branches, at whichever level of a nest that is best (`plan`); compilers of C turn innermost loops only.
//!
//! - Needs: loops marked `Independent` or `Reduce`, whose variables nobody looks at after the loop.
//! - Gives: loops over groups, marked `Plain`. Sums of floats are added in another order, by lanes, always the same.
//! - Keeps: what iterations do to memory, and failures. If several iterations of a group fail, it is one of them that is
//!   reported.
//! - Leaves alone: functions that kernels on a device call, where a thread is a lane.
//! - Refuses: bodies with calls, launches, allocation or regions, with pointers out of memory that vary, and copies from or to
//!   places that vary. Loops inside them are looked at on their own.
//! - Cost: quadratic in the depth of loops, otherwise linear; a loop becomes at most three loops, those inside it too.
//!
//! `tree` reads the body and finds what is live, `shape` what differs between iterations, `interior` what does not at some
//! distance from borders, `estimate` and `plan` decide, `loops`
//! makes the loops around groups and `widen` the groups.

mod cost;
mod estimate;
mod interior;
mod jam;
mod loops;
mod plan;
mod shape;
mod tree;
mod widen;

pub use cost::Machine;
use loops::Loops;
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::reach::on_device;
use norn_ir::imp::{Block, Exp, Prog, Stmt, VarInfo};
use plan::{Loop, Planner};

/// For a machine as most are.
pub fn vectorise(prog: &mut Prog) {
    vectorise_for(prog, Machine::default());
}

pub fn vectorise_for(prog: &mut Prog, machine: Machine) {
    let on_device = on_device(prog);
    for (fun, _) in prog.funs.iter_mut().zip(on_device).filter(|(_, on_device)| !on_device) {
        turn(machine, &mut fun.vars, &mut fun.body);
    }
    for kernel in &mut prog.kernels {
        turn(machine, &mut kernel.vars, &mut kernel.body);
    }
}

/// The code of a function or kernel.
fn turn(machine: Machine, vars: &mut Vec<VarInfo>, body: &mut Block) {
    let before = vars.clone();
    let old = std::mem::take(body);
    let planner = Planner::new(&before, machine);
    let code = CodeBuilder::with_vars(std::mem::take(vars));
    let mut turn = Turn { planner: &planner, code, depth: 0 };
    turn.block(&old);
    (*vars, *body) = turn.code.finish();
}

struct Turn<'a> {
    planner: &'a Planner<'a>,
    code: CodeBuilder,
    /// How many loops are around.
    depth: usize,
}

impl Turn<'_> {
    fn block(&mut self, block: &Block) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn inner(&mut self, block: &Block) -> Block {
        self.code.open();
        self.block(block);
        self.code.close()
    }

    fn looped(&mut self, block: &Block) -> Block {
        self.depth += 1;
        let block = self.inner(block);
        self.depth -= 1;
        block
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let stmt = match stmt {
            Stmt::If { cond, then, els } => {
                Stmt::If { cond: cond.clone(), then: self.inner(then), els: self.inner(els) }
            }
            Stmt::Switch { scrutinee, cases, default } => Stmt::Switch {
                scrutinee: scrutinee.clone(),
                cases: cases.iter().map(|(value, case)| (*value, self.inner(case))).collect(),
                default: self.inner(default),
            },
            Stmt::While { before, cond, body } => {
                Stmt::While { before: self.looped(before), cond: cond.clone(), body: self.looped(body) }
            }
            Stmt::For { var, from, to, form, body } => {
                return self.count(Loop { var: *var, from, to, form, block: body });
            }
            Stmt::Set(..)
            | Stmt::Store { .. }
            | Stmt::StoreLanes { .. }
            | Stmt::Scatter { .. }
            | Stmt::Copy { .. }
            | Stmt::Alloc { .. }
            | Stmt::Retain(_)
            | Stmt::Release(_)
            | Stmt::RegionNew(_)
            | Stmt::RegionEnd(_)
            | Stmt::CellNew { .. }
            | Stmt::RegionKeep { .. }
            | Stmt::Call { .. }
            | Stmt::Const { .. }
            | Stmt::Launch { .. }
            | Stmt::Await { .. }
            | Stmt::Signal { .. }
            | Stmt::Group(_)
            | Stmt::Device(_)
            | Stmt::Fail { .. } => stmt.clone(),
        };
        self.code.push(stmt);
    }

    fn count(&mut self, it: Loop<'_>) {
        let planner = self.planner;
        let chosen = planner.choose(it, self.depth);
        let Some(chosen) = chosen else { return self.rows(it) };
        let mut code = std::mem::take(&mut self.code);
        let loops = Loops { code: &mut code, machine: planner.machine, it, chosen: &chosen };
        loops.make(|code, from, to| {
            std::mem::swap(code, &mut self.code);
            self.one_by_one(it, from, to);
            std::mem::swap(code, &mut self.code);
        });
        self.code = code;
    }

    /// A loop that has no vectors itself: perhaps several iterations side by side, otherwise as it is.
    fn rows(&mut self, it: Loop<'_>) {
        let Some(rows) = jam::rows(self.planner, it, self.depth) else {
            return self.one_by_one(it, it.from.clone(), it.to.clone());
        };
        match jam::Panels::begin(&mut self.code, it) {
            None => self.jam(it, rows),
            Some(panels) => {
                self.depth += 1;
                let row = Loop { block: &panels.row, ..it };
                self.with_new_vars(|turn| turn.jam(row, rows));
                self.depth -= 1;
                panels.end(&mut self.code);
            }
        }
    }

    fn jam(&mut self, it: Loop<'_>, rows: u16) {
        self.code.open();
        let done = jam::jam(&mut self.code, self.planner, it, rows);
        let block = self.code.close();
        // The loops inside are new ones.
        self.with_new_vars(|turn| turn.block(&block));
        let done = self.code.atom("done", done);
        self.one_by_one(it, done, it.to.clone());
    }

    /// Goes on with code that mentions variables that were not there before.
    fn with_new_vars(&mut self, run: impl FnOnce(&mut Turn<'_>)) {
        let vars = self.code.vars().to_vec();
        let planner = Planner::new(&vars, self.planner.machine);
        let mut turn = Turn { planner: &planner, code: std::mem::take(&mut self.code), depth: self.depth };
        run(&mut turn);
        self.code = turn.code;
    }

    /// The loop as it is, with vectors in the loops inside at most.
    fn one_by_one(&mut self, it: Loop<'_>, from: Exp, to: Exp) {
        let body = self.looped(it.block);
        self.code.for_(it.var, from, to, it.form.clone(), body);
    }
}
