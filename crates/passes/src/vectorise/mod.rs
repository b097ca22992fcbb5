//! Vectorise loops: neighbouring iterations run in the lanes of vectors.
//!
//! Loops with independent iterations, and reductions, run in groups of iterations: lane `l` of a vector is
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
//! As in ISPC (Pharr and Mark, "ispc: A SPMD compiler for high-performance CPU programming"), the whole body is vectorised, with its
//! loops and branches, at whichever level of a nest is best (`plan`); C compilers vectorise innermost loops only.
//!
//! - Needs: loops marked `Independent` or `Reduce`, whose variables are not read after the loop.
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
//! makes the loops around groups and `widen` the groups. `jam` does several rows of a `product` at a time (unroll-and-jam), `panels` cuts its
//! columns into panels that fit into a cache, `pack` makes them contiguous, and `chunks` gives it enough rows for that.

mod chunks;
mod cost;
mod estimate;
mod interior;
mod jam;
mod loops;
mod pack;
mod panels;
mod plan;
mod product;
mod shape;
mod tree;
mod widen;

pub use cost::Machine;
use loops::Loops;
use norn_base::Span;
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::reach::on_device;
use norn_ir::imp::{Block, Exp, Prog, Site, SiteId, SiteKind, Stmt, VarInfo};
use panels::Panels;
use plan::{Loop, Planner};

/// For a machine as most are.
pub fn vectorise(prog: &mut Prog) {
    vectorise_for(prog, Machine::default());
}

pub fn vectorise_for(prog: &mut Prog, machine: Machine) {
    let on_device = on_device(prog);
    let sites = &mut prog.sites;
    for (fun, _) in prog.funs.iter_mut().zip(on_device).filter(|(_, on_device)| !on_device) {
        vectorise_body(machine, sites, fun.span, &mut fun.vars, &mut fun.body);
    }
    let mut packing = Vec::new();
    for kernel in &mut prog.kernels {
        let packed = vectorise_body(machine, sites, kernel.span, &mut kernel.vars, &mut kernel.body);
        packing.push(packed.contains(&(kernel.from.into(), kernel.to.into())));
    }
    chunks::widen_chunks(prog, &packing);
}

/// The code of a function or kernel. Yields the bounds of those of its loops that work on packed panels.
fn vectorise_body(
    machine: Machine,
    sites: &mut Vec<Site>,
    span: Span,
    vars: &mut Vec<VarInfo>,
    body: &mut Block,
) -> Vec<(Exp, Exp)> {
    let before = vars.clone();
    let old = std::mem::take(body);
    let planner = Planner::new(&before, machine);
    let code = CodeBuilder::with_vars(std::mem::take(vars));
    let mut notes = Notes { sites, span, packed: Vec::new() };
    let mut vectoriser = Vectoriser { planner: &planner, code, depth: 0, notes: &mut notes };
    vectoriser.block(&old);
    (*vars, *body) = vectoriser.code.finish();
    notes.packed
}

struct Vectoriser<'a, 'n> {
    planner: &'a Planner<'a>,
    code: CodeBuilder,
    /// How many loops are around.
    depth: usize,
    notes: &'a mut Notes<'n>,
}

/// What is written down about a function or kernel besides its code.
struct Notes<'n> {
    sites: &'n mut Vec<Site>,
    /// Of the function or kernel.
    span: Span,
    /// The bounds of the loops that work on packed panels.
    packed: Vec<(Exp, Exp)>,
}

impl Notes<'_> {
    /// The site that allocates memory for panels: the operator that the loops were.
    fn site(&mut self) -> SiteId {
        let site = Site { what: SiteKind::Operator("map".to_string()), span: self.span };
        let found = self.sites.iter().position(|other| *other == site);
        let number = found.unwrap_or_else(|| {
            self.sites.push(site);
            self.sites.len() - 1
        });
        SiteId(number as u32)
    }
}

impl Vectoriser<'_, '_> {
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
            | Stmt::Show { .. }
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
        let notes = &mut self.notes;
        match Panels::begin(&mut self.code, self.planner, it, &rows, || notes.site()) {
            None => self.jam(it, rows.count),
            Some(panels) => {
                if panels.are_packed() {
                    self.notes.packed.push((it.from.clone(), it.to.clone()));
                }
                self.depth += 1;
                let row = Loop { block: &panels.row, ..it };
                self.with_new_vars(|this| this.jam(row, rows.count));
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
        self.with_new_vars(|this| this.block(&block));
        let done = self.code.atom("done", done);
        self.one_by_one(it, done, it.to.clone());
    }

    /// Goes on with code that mentions variables that were not there before.
    fn with_new_vars(&mut self, run: impl FnOnce(&mut Vectoriser<'_, '_>)) {
        let vars = self.code.vars().to_vec();
        let planner = Planner::new(&vars, self.planner.machine);
        let code = std::mem::take(&mut self.code);
        let mut vectoriser = Vectoriser { planner: &planner, code, depth: self.depth, notes: self.notes };
        run(&mut vectoriser);
        self.code = vectoriser.code;
    }

    /// The loop as it is, with vectors in the loops inside at most.
    fn one_by_one(&mut self, it: Loop<'_>, from: Exp, to: Exp) {
        let body = self.looped(it.block);
        self.code.for_(it.var, from, to, it.form.clone(), body);
    }
}
