//! What in the code of a point depends on an index, and what points that differ in it would cost side by side.
//!
//! ```text
//! for c { x = image[y, z + c]; sum = sum + x * filter[o, c] }      on o: the load from `filter`, the product, `sum`; not `x`, nor counting
//! ```
//!
//! A variable depends on the index if what it is assigned does, or if a condition or a loop around the assignment does. What does not depend on it costs once, the rest once for each point. Only what
//! stands in loops counts: that is where the time goes.
//!
//! Refuses: statements that may not be there several times (`can_be_copied`), loops that some points go through more often than others, branches in loops that load what is a point's own, and more
//! values than registers are likely to hold.

use norn_ir::imp::walk::{Part, holds};
use norn_ir::imp::{Block, Exp, GroupStmt, Stmt, Var};
use rustc_hash::FxHashSet;

/// Costs, roughly in instructions: of a load by which neighbouring threads read different places, of one by which all read the same, of counting in a loop. Loops with at most `UNROLLED` iterations are
/// written out by compilers.
const OWN_LOAD: u64 = 8;
const SAME_LOAD: u64 = 3;
const COUNTING: u64 = 3;
const UNROLLED: i64 = 64;
/// So many times a loop is taken to run, compared with what is around it.
const TIMES: u64 = 8;
/// So many values that differ may be assigned in loops: each is in registers once for every point.
const MOST_VALUES: usize = 12;

/// Variables whose values depend on an index.
pub struct Dependence(FxHashSet<Var>);

impl Dependence {
    pub fn on(index: Var, code: &Block) -> Dependence {
        let mut found = Dependence(FxHashSet::from_iter([index]));
        loop {
            let before = found.0.len();
            found.note(code, false);
            if found.0.len() == before {
                return found;
            }
        }
    }

    pub fn of(&self, exp: &Exp) -> bool {
        let mut found = false;
        exp.for_each_var(&mut |var| found |= self.0.contains(&var));
        found
    }

    pub fn of_var(&self, var: Var) -> bool {
        self.0.contains(&var)
    }

    /// Whether anything in a statement depends on it.
    pub fn in_stmt(&self, stmt: &Stmt) -> bool {
        let mut found = false;
        stmt.for_each_part(&mut |part| {
            found |= match part {
                Part::Assigned(var) => self.of_var(var),
                Part::Exp(exp) => self.of(exp),
                Part::Block(block) => block.iter().any(|stmt| self.in_stmt(stmt)),
                Part::Accumulator(acc) => self.of_var(acc.var),
            };
        });
        found
    }

    /// Whether what comes to pass in a statement, of the blocks inside of it, is the same for all.
    pub fn is_uniform(&self, stmt: &Stmt) -> bool {
        let mut depends = false;
        let mut has_blocks = false;
        stmt.for_each_part(&mut |part| match part {
            Part::Exp(exp) => depends |= self.of(exp),
            Part::Block(_) => has_blocks = true,
            Part::Assigned(_) | Part::Accumulator(_) => {}
        });
        has_blocks && !depends
    }

    fn note(&mut self, block: &Block, is_inside: bool) {
        for stmt in block {
            let mut depends = is_inside;
            stmt.for_each_part(&mut |part| {
                if let Part::Exp(exp) = part {
                    depends |= self.of(exp);
                }
            });
            stmt.for_each_part(&mut |part| match part {
                Part::Assigned(var) if depends => _ = self.0.insert(var),
                Part::Block(block) => self.note(block, depends),
                Part::Assigned(_) | Part::Exp(_) | Part::Accumulator(_) => {}
            });
        }
    }
}

/// What so many points cost side by side that differ in this index, for each 100 that they cost one by one. None: it cannot be done, or there are no loops. `lanes` is
/// the index in which neighbouring threads differ.
pub fn saving(point: &Block, index: Var, lanes: Var, points: u64) -> Option<u64> {
    let dependence = Dependence::on(index, point);
    let can_be_done = can_be_copied(point, true)
        && loops_are_uniform(point, &dependence)
        && !branches_load(point, false, &dependence);
    can_be_done.then_some(())?;
    let lanes = Dependence::on(lanes, point);
    let mut costs = Costs { dependence: &dependence, lanes: &lanes, common: 0, own: 0, values: 0 };
    costs.add(point, 0);
    let Costs { common, own, values, .. } = costs;
    (common + own > 0 && values <= MOST_VALUES)
        .then(|| 100 * (common + points * own) / (points * (common + own)))
}

/// The same for the iterations of a loop around loops, if there is one: the least of all.
pub fn best_loop(point: &Block, lanes: Var) -> Option<u64> {
    const ROWS: u64 = 8;
    let mut least = None;
    for stmt in point {
        if let Stmt::For { var, body, .. } = stmt {
            least = least.into_iter().chain(saving(body, *var, lanes, ROWS)).min();
        }
        stmt.for_each_part(&mut |part| {
            if let Part::Block(block) = part {
                least = least.into_iter().chain(best_loop(block, lanes)).min();
            }
        });
    }
    least
}

/// Whether there are only such statements as may be there several times. Points behind the end do the last one again: this only stores, once at the end, what is there then.
fn can_be_copied(block: &Block, may_store: bool) -> bool {
    block.iter().all(|stmt| match stmt {
        Stmt::Set(..) | Stmt::Fail { .. } => true,
        Stmt::Store { elem: _, ptr, index, value } => {
            may_store && ![ptr, index, value].into_iter().any(Exp::reads_memory)
        }
        Stmt::Group(GroupStmt::Guard(block)) => can_be_copied(block, may_store),
        Stmt::If { then, els, .. } => can_be_copied(then, false) && can_be_copied(els, false),
        Stmt::For { body, .. } => can_be_copied(body, false),
        Stmt::While { before, body, .. } => can_be_copied(before, false) && can_be_copied(body, false),
        Stmt::StoreLanes { .. }
        | Stmt::Scatter { .. }
        | Stmt::Copy { .. }
        | Stmt::Alloc { .. }
        | Stmt::Retain(_)
        | Stmt::Release(_)
        | Stmt::RegionNew(_)
        | Stmt::RegionEnd(_)
        | Stmt::CellNew { .. }
        | Stmt::Switch { .. }
        | Stmt::Call { .. }
        | Stmt::Const { .. }
        | Stmt::Launch { .. }
        | Stmt::Await { .. }
        | Stmt::Signal { .. }
        | Stmt::Show { .. }
        | Stmt::Group(_)
        | Stmt::Device(_) => false,
    })
}

/// Whether all points go through loops as often as each other.
fn loops_are_uniform(block: &Block, dependence: &Dependence) -> bool {
    block.iter().all(|stmt| {
        let differs = dependence.in_stmt(stmt) && !dependence.is_uniform(stmt);
        match stmt {
            Stmt::For { .. } | Stmt::While { .. } if differs => false,
            Stmt::If { then, els, .. } if differs => !holds(then, is_loop) && !holds(els, is_loop),
            _ => !any_inside(stmt, |block| !loops_are_uniform(block, dependence)),
        }
    })
}

/// Whether points load something of their own in branches in loops.
fn branches_load(block: &Block, is_in_loop: bool, dependence: &Dependence) -> bool {
    let loads_own = |stmt: &Stmt| loads(stmt) && dependence.in_stmt(stmt);
    block.iter().any(|stmt| match stmt {
        Stmt::If { then, els, .. } if is_in_loop => holds(then, loads_own) || holds(els, loads_own),
        Stmt::For { body, .. } | Stmt::While { body, .. } => branches_load(body, true, dependence),
        _ => any_inside(stmt, |block| branches_load(block, is_in_loop, dependence)),
    })
}

fn any_inside(stmt: &Stmt, is: impl Fn(&Block) -> bool) -> bool {
    let mut found = false;
    stmt.for_each_part(&mut |part| {
        if let Part::Block(block) = part {
            found |= is(block);
        }
    });
    found
}

/// Whether it loads something; not what stands inside of it.
fn loads(stmt: &Stmt) -> bool {
    let mut found = false;
    stmt.for_each_part(&mut |part| {
        if let Part::Exp(exp) = part {
            found |= exp.reads_memory();
        }
    });
    found
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::For { .. } | Stmt::While { .. })
}

fn is_unrolled(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::For { from, to, .. } => {
            from.as_i64().zip(to.as_i64()).is_some_and(|(from, to)| to.saturating_sub(from) <= UNROLLED)
        }
        _ => false,
    }
}

/// What loops cost: what is the same for all points, and what each has for itself.
struct Costs<'a> {
    dependence: &'a Dependence,
    lanes: &'a Dependence,
    common: u64,
    own: u64,
    /// How many variables that differ are assigned in loops.
    values: usize,
}

impl Costs<'_> {
    /// `weight` is 0 outside of loops.
    fn add(&mut self, block: &Block, weight: u64) {
        for stmt in block {
            let inside = match stmt {
                Stmt::For { .. } | Stmt::While { .. } => (weight * TIMES).max(1),
                _ => weight,
            };
            if inside != weight && !is_unrolled(stmt) {
                self.common += COUNTING * inside;
            }
            let is_own = self.dependence.in_stmt(stmt) && !self.dependence.is_uniform(stmt);
            stmt.for_each_part(&mut |part| match part {
                Part::Exp(exp) => {
                    let cost = self.exp(exp) * weight;
                    match is_own {
                        true => self.own += cost,
                        false => self.common += cost,
                    }
                }
                Part::Assigned(var) if weight > 0 && self.dependence.of_var(var) => self.values += 1,
                Part::Block(block) => self.add(block, inside),
                Part::Assigned(_) | Part::Accumulator(_) => {}
            });
        }
    }

    fn exp(&self, exp: &Exp) -> u64 {
        let own = match exp {
            Exp::Const(_) | Exp::Var(_) => 0,
            Exp::Load { index, ptr, .. } if self.lanes.of(index) || self.lanes.of(ptr) => OWN_LOAD,
            Exp::Load { .. } => SAME_LOAD,
            _ => 1,
        };
        let mut all = own;
        exp.for_each_child(&mut |child| all += self.exp(child));
        all
    }
}
