//! Which loops of a nest become vectors, and how.
//!
//! A loop is either done with vectors itself, with everything inside it, or left to the loops inside. The
//! cheaper by estimate is chosen: contiguous loads make a level cheap, gathers and operations that are done lane by lane
//! make it expensive, a reduction pays for combining its lanes at the end.
//!
//! ```text
//! for row { for column reduce { sum += m[row*n + column] } }            // columns: rows would be gathered
//! for column { for k reduce { sum += a[k] * b[k*n + column] } }         // columns: k would be gathered
//! for i { for j reduce { force += f(x[i], x[j]) } }                     // i: nothing to combine at the end
//! for row { for e in offsets[row] .. reduce { sum += v[e] * x[col[e]] } }   // e: rows differ in length
//! ```

use super::cost::Machine;
use super::estimate::{Group, LATENCY, UNKNOWN_TRIPS, chained, known_trips, scalar};
use super::interior::interior;
use super::shape::{Shape, Shapes, shapes};
use super::tree::{Body, NodeKind, VarSet, read};
use norn_ir::imp::{Block, Exp, LoopForm, Stmt, Var, VarInfo};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    pub lanes: u16,
    /// How many vectors side by side.
    pub copies: u16,
    pub rest: Rest,
    /// What happens with those outside of the interior, if the loop has one.
    pub borders: Rest,
    /// Whether a short loop is better left alone, which is to be tested when it runs.
    pub tested: bool,
}

/// What happens with iterations that do not fill a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// They are a group with a mask.
    Masked,
    /// They run one after the other, and loops inside may be vectors.
    OneByOne,
}

/// A loop of a function.
#[derive(Clone, Copy)]
pub struct Loop<'a> {
    pub var: Var,
    pub from: &'a Exp,
    pub to: &'a Exp,
    pub form: &'a LoopForm,
    pub block: &'a Block,
}

/// A loop that is to be done with vectors.
pub struct Chosen<'a> {
    pub plan: Plan,
    pub body: Body<'a>,
    /// Of any group, and of one in the interior.
    pub shapes: Shapes<'a>,
    pub inner: Option<Shapes<'a>>,
}

pub struct Planner<'a> {
    pub vars: &'a [VarInfo],
    pub machine: Machine,
}

impl<'a> Planner<'a> {
    pub fn new(vars: &'a [VarInfo], machine: Machine) -> Planner<'a> {
        Planner { vars, machine }
    }

    /// The plan for a loop inside `depth` others, if it is better than leaving the work to the loops inside.
    pub fn choose<'b>(&'b self, it: Loop<'b>, depth: usize) -> Option<Chosen<'b>> {
        self.compare(it, depth).0
    }

    /// The plan, if there is one, and what the loop costs.
    fn compare<'b>(&'b self, it: Loop<'b>, depth: usize) -> (Option<Chosen<'b>>, f64) {
        let step = chained(it.form, self.block(it.block, depth + 1) + 1.0);
        let times = self.times(it, depth);
        let inside = times * step;
        match self.here(it, depth, step) {
            Some((chosen, cost)) if cost < 0.8 * inside => (Some(chosen), cost),
            Some(_) | None => (None, inside),
        }
    }

    fn times(&self, it: Loop<'_>, depth: usize) -> f64 {
        match known_trips(it.from, it.to) {
            Some(trips) => trips as f64,
            None if depth == 0 => 16.0 * UNKNOWN_TRIPS,
            None => UNKNOWN_TRIPS,
        }
    }

    /// The best plan with vectors at this loop, and its cost. `step` is what an iteration costs otherwise.
    fn here<'b>(&'b self, it: Loop<'b>, depth: usize, step: f64) -> Option<(Chosen<'b>, f64)> {
        let accumulators: VarSet = match it.form {
            LoopForm::Plain => return None,
            LoopForm::Independent => VarSet::new(),
            LoopForm::Reduce(accumulators) => accumulators.iter().map(|acc| acc.var).collect(),
        };
        let body = read(it.block, &accumulators)?;
        let everywhere = shapes(self.vars, it.var, &accumulators, &body, None)?;
        let inner = interior(it.var, &body).map(Rc::new);
        let inner = inner.and_then(|inner| shapes(self.vars, it.var, &accumulators, &body, Some(inner)));
        let shapes = inner.as_ref().unwrap_or(&everywhere);
        let times = self.times(it, depth);
        let sizes = [8u16, 4, 2, 1];
        let lanes = sizes.map(|size| self.machine.vector_bytes / size);
        let mut best: Option<(f64, u16)> = None;
        // What all lanes share would always speak for more lanes. It is better shared by several vectors.
        for lanes in lanes.into_iter().filter(|lanes| *lanes >= 2 && (*lanes as f64) <= times) {
            let group = Group { machine: self.machine, shapes, lanes, scalars: 0.0 };
            let cost = group.body(&body) / lanes as f64;
            if best.is_none_or(|(least, _)| cost < 0.9 * least) {
                best = Some((cost, lanes));
            }
        }
        let (_, lanes) = best?;
        let estimate = Group { machine: self.machine, shapes, lanes, scalars: 1.0 };
        let group = estimate.body(&body) + 2.0;
        let cost = times / lanes as f64 * group;
        let rest_of = |group: f64| match group < 0.5 * lanes as f64 * step {
            true => Rest::Masked,
            false => Rest::OneByOne,
        };
        let rest = rest_of(group);
        let borders = match inner {
            Some(_) => rest_of(Group { shapes: &everywhere, ..estimate }.body(&body) + 2.0),
            None => rest,
        };
        let copies = self.copies(it, &estimate, &body);
        let tested = depth > 0 && known_trips(it.from, it.to).is_none() && !has_loops(&body);
        let plan = Plan { lanes, copies, rest, borders, tested };
        let ends = if accumulators.is_empty() { 4.0 } else { 8.0 + 8.0 * accumulators.len() as f64 };
        let cost = cost + ends + if known_trips(it.from, it.to).is_some() { 0.0 } else { group };
        Some((Chosen { plan, body, shapes: everywhere, inner }, cost))
    }

    /// Several vectors side by side where a chain of operations would keep the machine waiting.
    fn copies(&self, it: Loop<'_>, group: &Group<'_>, body: &Body<'_>) -> u16 {
        let copies = match hottest(body) {
            Some(Hot::Together(LoopForm::Plain, bounds, hot)) => {
                // All lanes go through it equally often, and wait for memory or for the iteration before.
                let together = bounds.iter().all(|bound| group.shapes.exp(bound) == Shape::Uniform);
                // A quarter of the registers for what iterations hand on, since each of them computes with more.
                let carried = hot.needs.intersection(&hot.assigns).count().clamp(1, 64) as u16;
                let most = (self.machine.registers / 4 / carried).max(1);
                match group.body(hot) {
                    cost if cost <= 8.0 && together => 4,
                    cost if cost <= 30.0 && together && !reads(hot) => most.clamp(2, 4),
                    cost if cost <= 30.0 => 2,
                    cost if cost <= 120.0 && together && !reads(hot) => most.min(2),
                    _ => 1,
                }
            }
            Some(Hot::Together(LoopForm::Independent, ..)) => 1,
            Some(Hot::Together(LoopForm::Reduce(accumulators), _, hot)) => {
                // Half of the registers for the accumulators.
                let count = accumulators.len().clamp(1, 64) as u16;
                let most = (self.machine.registers / 2 / count).max(1);
                let ideal: u16 = match group.body(hot) / count as f64 {
                    cost if cost <= 7.0 => 4,
                    cost if cost <= 30.0 => 2,
                    _ => 1,
                };
                ideal.min(1 << most.ilog2())
            }
            Some(Hot::Alone(hot)) if group.body(hot) <= 24.0 && !reads(hot) => 2,
            Some(Hot::Alone(_)) => 1,
            None => match it.form {
                LoopForm::Plain | LoopForm::Independent => 1,
                LoopForm::Reduce(accumulators) => {
                    let most = (8 / accumulators.len().clamp(1, 8)) as u16;
                    let ideal = match group.body(body) {
                        cost if cost <= 6.0 => 4,
                        cost if cost <= 16.0 => 2,
                        _ => 1,
                    };
                    ideal.min(most)
                }
            },
        };
        let fit = known_trips(it.from, it.to).map_or(64, |trips| trips / group.lanes as i64).clamp(1, 64);
        let fit = 1 << fit.ilog2();
        (copies as i64).min(fit) as u16
    }

    /// What a block costs as it stands, with vectors in the loops where they are better.
    fn block(&self, block: &Block, depth: usize) -> f64 {
        block.iter().map(|stmt| self.stmt(stmt, depth)).sum()
    }

    fn stmt(&self, stmt: &Stmt, depth: usize) -> f64 {
        let inner = |block: &Block| match block.last() {
            Some(Stmt::Fail { .. }) => 0.0,
            Some(_) | None => self.block(block, depth),
        };
        match stmt {
            Stmt::Set(_, exp) => scalar(exp),
            Stmt::Store { ptr, index, value, .. } => 1.0 + scalar(ptr) + scalar(index) + scalar(value),
            Stmt::If { cond, then, els } => scalar(cond) + 1.0 + 0.5 * (inner(then) + inner(els)),
            Stmt::Switch { scrutinee, cases, default } => {
                let all: f64 = cases.iter().map(|(_, case)| inner(case)).sum::<f64>() + inner(default);
                scalar(scrutinee) + 2.0 + all / (cases.len() + 1) as f64
            }
            Stmt::For { var, from, to, form, body } => {
                let it = Loop { var: *var, from, to, form, block: body };
                scalar(from) + scalar(to) + self.compare(it, depth).1
            }
            Stmt::While { before, cond, body } => {
                UNKNOWN_TRIPS * (inner(before) + scalar(cond) + inner(body) + LATENCY)
            }
            Stmt::StoreLanes { .. } => 2.0,
            Stmt::Scatter { .. } | Stmt::Copy { .. } | Stmt::Await { .. } | Stmt::Signal { .. } => 20.0,
            Stmt::Group(_) | Stmt::Device(_) => 40.0,
            Stmt::Alloc { .. } | Stmt::RegionNew(_) | Stmt::RegionEnd(_) => 40.0,
            Stmt::Retain(_) | Stmt::Release(_) | Stmt::Const { .. } => 5.0,
            Stmt::CellNew { .. } => 10.0,
            Stmt::Call { .. } => 20.0,
            Stmt::Show { .. } => 1000.0,
            Stmt::Launch { .. } => 1000.0,
            Stmt::Fail { .. } => 0.0,
        }
    }
}

/// The loop in which most of the time is spent.
enum Hot<'b> {
    /// One that counts, from one bound to the other.
    Together(&'b LoopForm, [&'b Exp; 2], &'b Body<'b>),
    /// One that ends on a condition.
    Alone(&'b Body<'b>),
}

/// The innermost of the loops in a body, the last if there are several.
fn hottest<'b>(body: &'b Body<'b>) -> Option<Hot<'b>> {
    let mut found = None;
    for node in &body.nodes {
        let inner = node.kind.bodies().into_iter().rev().find_map(|body| hottest(body));
        let here = match &node.kind {
            NodeKind::For { from, to, form, body, .. } => Some(Hot::Together(form, [from, to], body)),
            NodeKind::While { body, .. } => Some(Hot::Alone(body)),
            NodeKind::Set(..)
            | NodeKind::Store { .. }
            | NodeKind::Copy { .. }
            | NodeKind::If { .. }
            | NodeKind::Switch { .. }
            | NodeKind::Fail { .. } => None,
        };
        found = inner.or(here).or(found);
    }
    found
}

fn has_loops(body: &Body<'_>) -> bool {
    hottest(body).is_some()
}

/// Whether it reads memory.
fn reads(body: &Body<'_>) -> bool {
    body.nodes.iter().any(|node| {
        let here = match &node.kind {
            NodeKind::Set(_, exp) => exp.reads_memory(),
            NodeKind::Store { .. } | NodeKind::Copy { .. } => true,
            NodeKind::If { cond, .. } | NodeKind::While { cond, .. } => cond.reads_memory(),
            NodeKind::Switch { scrutinee, .. } => scrutinee.reads_memory(),
            NodeKind::For { from, to, .. } => from.reads_memory() || to.reads_memory(),
            NodeKind::Fail { .. } => false,
        };
        here || node.kind.bodies().into_iter().any(reads)
    })
}
