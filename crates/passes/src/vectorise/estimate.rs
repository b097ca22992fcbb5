//! What code costs: a body for a group of iterations, and any code as it stands.
//!
//! How often loops run is mostly not known. The estimates need only be good enough to choose between vectors at one
//! level of a nest of loops and at another.

use super::cost::{self, Cost, Machine};
use super::shape::{Shape, Shapes};
use super::tree::{Body, NodeKind};
use norn_ir::imp::{BinOp, Elem, Exp, LoopForm, Prim};

/// How often a loop runs whose bounds are not known.
pub const UNKNOWN_TRIPS: f64 = 64.0;
/// How much longer a loop runs until the last of the lanes has left it: one that counts as far as each lane wants, and one that ends on a condition.
const UNEVEN_COUNTS: f64 = 2.0;
const DIVERGENCE: f64 = 1.3;
/// How long an operation of a chain takes.
pub const LATENCY: f64 = 4.0;

/// How often a loop runs, if that is known.
pub fn known_trips(from: &Exp, to: &Exp) -> Option<i64> {
    to.clone().sub(from.clone()).as_i64().map(|trips| trips.max(0))
}

pub fn trips(from: &Exp, to: &Exp) -> f64 {
    known_trips(from, to).map_or(UNKNOWN_TRIPS, |trips| trips as f64)
}

/// An expression computed once.
pub fn scalar(exp: &Exp) -> f64 {
    let here = match exp {
        Exp::Un(op, prim, _) => cost::un(*op, *prim).scalar,
        Exp::Bin(op, prim, _, y) => bin(*op, *prim, y).scalar,
        Exp::Tri(op, prim, _, _, _) => cost::tri(*op, *prim).scalar,
        Exp::Convert { from, to, .. } => cost::convert(*from, *to).scalar,
        Exp::Select(..) | Exp::Load { .. } | Exp::Capacity(_) | Exp::Lane(..) | Exp::Any(_) => 1.0,
        Exp::LoadLanes { .. } | Exp::Splat(..) => 1.0,
        Exp::Gather { .. } | Exp::Combine(..) | Exp::Chunks { .. } => 10.0,
        Exp::Cell { .. } | Exp::CellBlock { .. } => 4.0,
        Exp::Const(_)
        | Exp::Var(_)
        | Exp::Offset { .. }
        | Exp::Cast(..)
        | Exp::Null(_)
        | Exp::Data(..)
        | Exp::Remote(..)
        | Exp::Lanes(..)
        | Exp::Table(..)
        | Exp::Workers
        | Exp::DeviceGroups
        | Exp::DevicePool
        | Exp::Tunable(_)
        | Exp::Group(_) => 0.0,
    };
    let mut all = here;
    exp.for_each_child(&mut |child| all += scalar(child));
    all
}

fn bin(op: BinOp, prim: Prim, y: &Exp) -> Cost {
    match y {
        Exp::Const(by) => cost::bin_by(op, prim, *by),
        _ => cost::bin(op, prim),
    }
}

/// The costs of a body for a group with one vector of so many lanes.
pub struct Group<'a> {
    pub machine: Machine,
    pub shapes: &'a Shapes<'a>,
    pub lanes: u16,
    /// How much what is computed once for all lanes counts.
    pub scalars: f64,
}

impl Group<'_> {
    pub fn body(&self, body: &Body<'_>) -> f64 {
        body.nodes.iter().map(|node| self.kind(&node.kind)).sum()
    }

    fn kind(&self, kind: &NodeKind<'_>) -> f64 {
        match kind {
            NodeKind::Set(_, exp) => self.exp(exp),
            NodeKind::Store { elem, ptr, index, value } => {
                let parts = self.address(ptr, index) + self.exp(value);
                parts + self.access(*elem, ptr, index, true)
            }
            NodeKind::Copy { to, from, count, .. } => {
                self.scalars * (10.0 + scalar(to) + scalar(from) + scalar(count))
            }
            NodeKind::If { cond, then, els } if self.shapes.truth(cond).is_some() => {
                self.body(if self.shapes.truth(cond) == Some(true) { then } else { els })
            }
            NodeKind::If { cond, then, els } => {
                let branches = [then, els].map(|body| if body.ends { 0.0 } else { self.body(body) });
                let [then, els] = branches;
                let branches = match self.shapes.exp(cond) {
                    Shape::Uniform | Shape::Unknown => 0.5 * (then + els),
                    Shape::Steps(_) | Shape::Varying => self.scalars * 2.0 + 1.2 * (then + els),
                };
                self.exp(cond) + self.scalars + branches
            }
            NodeKind::Switch { scrutinee, cases, default } => {
                let cases: f64 = cases.iter().map(|(_, case)| self.body(case) + self.scalars * 3.0).sum();
                self.exp(scrutinee) + 1.2 * (cases + self.body(default))
            }
            NodeKind::For { from, to, form, body, .. } => {
                let bounds = self.exp(from) + self.exp(to);
                let step = self.body(body) + self.scalars;
                let step = if self.scalars > 0.0 { chained(form, step) } else { step };
                let (first, last) = (self.shapes.exp(from), self.shapes.exp(to));
                match first == last && first != Shape::Varying {
                    true => bounds + trips(from, to) * step,
                    false => bounds + UNEVEN_COUNTS * UNKNOWN_TRIPS * (step + self.scalars * 4.0),
                }
            }
            NodeKind::While { before, cond, body } => {
                let step = self.body(before) + self.exp(cond) + self.body(body) + self.scalars;
                match self.shapes.exp(cond) {
                    Shape::Uniform | Shape::Unknown => UNKNOWN_TRIPS * step,
                    Shape::Steps(_) | Shape::Varying => {
                        DIVERGENCE * UNKNOWN_TRIPS * (step + self.scalars * 3.0)
                    }
                }
            }
            NodeKind::Fail { .. } => 0.0,
        }
    }

    fn exp(&self, exp: &Exp) -> f64 {
        if self.shapes.exp(exp) != Shape::Varying {
            return self.scalars * scalar(exp);
        }
        let vector = |cost, prim| self.machine.vector(cost, prim, self.lanes);
        let here = match exp {
            Exp::Un(op, prim, _) => vector(cost::un(*op, *prim), *prim),
            Exp::Bin(op, prim, _, y) => vector(bin(*op, *prim, y), *prim),
            Exp::Tri(op, prim, _, _, _) => vector(cost::tri(*op, *prim), *prim),
            Exp::Convert { from, to, .. } => {
                let widest = if from.size() > to.size() { *from } else { *to };
                vector(cost::convert(*from, *to), widest)
            }
            Exp::Select(_, x, _) => {
                let prim = self.shapes.ty_of(x).prim().unwrap_or(Prim::I64);
                self.machine.registers_for(prim, self.lanes)
            }
            Exp::Load { elem, ptr, index } => {
                return self.address(ptr, index) + self.access(*elem, ptr, index, false);
            }
            Exp::Const(_)
            | Exp::Var(_)
            | Exp::Offset { .. }
            | Exp::Cast(..)
            | Exp::Null(_)
            | Exp::Data(..)
            | Exp::Remote(..)
            | Exp::Cell { .. }
            | Exp::CellBlock { .. }
            | Exp::Capacity(_)
            | Exp::Splat(..)
            | Exp::Lanes(..)
            | Exp::LoadLanes { .. }
            | Exp::Gather { .. }
            | Exp::Lane(..)
            | Exp::Combine(..)
            | Exp::Any(_)
            | Exp::Table(..)
            | Exp::Workers
            | Exp::DeviceGroups
            | Exp::DevicePool
            | Exp::Tunable(_)
            | Exp::Group(_)
            | Exp::Chunks { .. } => 0.0,
        };
        let mut all = here;
        exp.for_each_child(&mut |child| all += self.exp(child));
        all
    }

    /// Finding a place: arithmetic on the side, unless it is done for each lane.
    fn address(&self, ptr: &Exp, index: &Exp) -> f64 {
        let part = |exp: &Exp| match self.shapes.exp(exp) {
            Shape::Varying => self.exp(exp),
            Shape::Unknown | Shape::Uniform | Shape::Steps(_) => self.scalars * 0.5 * scalar(exp).min(4.0),
        };
        part(ptr) + part(index)
    }

    fn access(&self, elem: Elem, ptr: &Exp, index: &Exp, stores: bool) -> f64 {
        let Elem::Prim(prim) = elem else { return 1.0 };
        match self.shapes.place(ptr, index) {
            Some(Shape::Uniform | Shape::Unknown) if !stores => self.scalars,
            Some(Shape::Steps(step)) if step.as_i64() == Some(1) => {
                self.machine.registers_for(prim, self.lanes)
            }
            Some(Shape::Steps(_)) => self.machine.gather(prim, self.lanes, stores, true),
            Some(_) | None => self.machine.gather(prim, self.lanes, stores, false),
        }
    }
}

/// One step of a loop: a reduction cannot be faster than the chain of its accumulators.
pub fn chained(form: &LoopForm, step: f64) -> f64 {
    match form {
        LoopForm::Plain | LoopForm::Independent => step,
        LoopForm::Reduce(_) => step.max(LATENCY),
    }
}
