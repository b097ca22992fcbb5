//! Divergence analysis: how the values of a variable differ between neighbouring iterations of a loop.
//!
//! | shape | in iteration `l` of a group | kept as |
//! |---|---|---|
//! | uniform | the same | one scalar |
//! | stepping | `first + l * step` (contiguous indices, strided pointers) | the scalar of the first iteration |
//! | varying | anything | a vector |
//!
//! The analysis is optimistic: it starts with nothing known and iterates over the body until nothing changes. A variable that is assigned where
//! only some of the iterations go (behind a varying condition, in a loop that ends earlier for some) varies, if it is live afterwards
//! in the others.
//!
//! Refuses loops in which pointers are loaded from memory and vary, or blocks differ between iterations.

use super::interior::{Interior, Outcome};
use super::tree::{Body, Node, NodeKind, VarSet};
use norn_ir::imp::{BinOp, Elem, Exp, Prim, Scalar, Type, UnOp, Var, VarInfo};
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// Not assigned yet, as far as is known.
    Unknown,
    Uniform,
    /// An integer that grows by this `i64` from one iteration to the next, or a pointer, by so many elements. Nothing in the step is
    /// assigned in the loop.
    Steps(Exp),
    /// Of a pointer: one that is the same, and a number of elements from there that varies.
    Varying,
}

pub struct Shapes<'a> {
    vars: &'a [VarInfo],
    /// If the shapes are those of groups in the interior of the loop.
    interior: Option<Rc<Interior<'a>>>,
    table: BTreeMap<Var, Shape>,
    assigned: VarSet,
    changed: bool,
    refused: bool,
}

/// The shapes in the body of a loop over `var` with these accumulators, for all groups or for those in the interior.
pub fn shapes<'a>(
    vars: &'a [VarInfo],
    var: Var,
    accumulators: &VarSet,
    body: &Body<'_>,
    interior: Option<Rc<Interior<'a>>>,
) -> Option<Shapes<'a>> {
    let mut assigned = body.assigns.clone();
    assigned.insert(var);
    let mut table: BTreeMap<Var, Shape> = assigned.iter().map(|var| (*var, Shape::Unknown)).collect();
    table.insert(var, Shape::Steps(Exp::i64(1)));
    table.extend(accumulators.iter().map(|var| (*var, Shape::Varying)));
    let mut shapes = Shapes { vars, interior, table, assigned, changed: true, refused: false };
    while shapes.changed && !shapes.refused {
        shapes.changed = false;
        shapes.body(body, &VarSet::new());
    }
    let fine = !shapes.refused && shapes.pointers_have_one_base(body);
    fine.then_some(shapes)
}

impl Shapes<'_> {
    /// Of a variable. One that is never assigned on a way that is taken can be taken for the same.
    pub fn of(&self, var: Var) -> Shape {
        match self.table.get(&var) {
            Some(Shape::Unknown) | None => Shape::Uniform,
            Some(shape) => shape.clone(),
        }
    }

    pub fn is_assigned(&self, var: Var) -> bool {
        self.assigned.contains(&var)
    }

    pub fn interior(&self) -> Option<&Interior<'_>> {
        self.interior.as_deref()
    }

    /// What a comparison is known to yield.
    pub fn known(&self, op: BinOp, prim: Prim, x: &Exp, y: &Exp) -> Option<Outcome> {
        self.interior.as_ref()?.known(op, prim, x, y)
    }

    /// Whether a condition is known to hold.
    pub fn truth(&self, cond: &Exp) -> Option<bool> {
        self.interior.as_ref()?.truth(cond)
    }

    /// The shape of an expression, once the shapes of variables are known.
    pub fn exp(&self, exp: &Exp) -> Shape {
        self.of_exp(exp).unwrap_or(Shape::Varying)
    }

    /// Nothing where the loop is to be refused.
    fn of_exp(&self, exp: &Exp) -> Option<Shape> {
        Some(match exp {
            Exp::Const(_)
            | Exp::Null(_)
            | Exp::Table(..)
            | Exp::Workers
            | Exp::DeviceGroups
            | Exp::DevicePool
            | Exp::Tunable(_) => Shape::Uniform,
            Exp::Var(var) => self.table.get(var).cloned().unwrap_or(Shape::Uniform),
            Exp::Un(op, prim, x) => {
                let shape = self.of_exp(x)?;
                match (op, shape) {
                    (UnOp::Neg, Shape::Steps(step)) if prim.is_int() => steps(Exp::i64(0).sub(step)),
                    (_, shape) => flat(&[shape]),
                }
            }
            Exp::Bin(op, prim, x, y) => self.of_bin(*op, *prim, x, y)?,
            Exp::Tri(_, _, x, y, z) => flat(&[self.of_exp(x)?, self.of_exp(y)?, self.of_exp(z)?]),
            Exp::Convert { from, to, value } => match self.of_exp(value)? {
                Shape::Steps(step) if step_survives(*from, *to, &step) => Shape::Steps(step),
                shape => flat(&[shape]),
            },
            Exp::Select(cond, x, y) if self.truth(cond).is_some() => {
                self.of_exp(if self.truth(cond) == Some(true) { x } else { y })?
            }
            Exp::Select(cond, x, y) => {
                let (cond, x, y) = (self.of_exp(cond)?, self.of_exp(x)?, self.of_exp(y)?);
                let is_number = exp.ty(self.vars).prim().is_some();
                match cond {
                    Shape::Uniform if x == y && (is_number || x != Shape::Varying) => x,
                    cond => {
                        let shape = flat(&[cond, x, y]);
                        (shape != Shape::Varying || is_number).then_some(shape)?
                    }
                }
            }
            Exp::Load { elem, ptr, index } => match (elem, self.place(ptr, index)?) {
                (_, Shape::Unknown) => Shape::Unknown,
                (_, Shape::Uniform) => Shape::Uniform,
                (Elem::Prim(_), Shape::Steps(_) | Shape::Varying) => Shape::Varying,
                (Elem::Any | Elem::Block | Elem::Region, Shape::Steps(_) | Shape::Varying) => return None,
            },
            Exp::Offset { ptr, index, .. } => self.place(ptr, index)?,
            Exp::Cast(elem, x) => match self.of_exp(x)? {
                shape @ (Shape::Unknown | Shape::Uniform) => shape,
                shape @ (Shape::Steps(_) | Shape::Varying) => match x.ty(self.vars) {
                    Type::Ptr(before) if before.bytes() == elem.bytes() => shape,
                    Type::Ptr(_)
                    | Type::Remote(_)
                    | Type::Local(_)
                    | Type::Scalar(_)
                    | Type::Vector(..)
                    | Type::Block
                    | Type::Region => return None,
                },
            },
            Exp::Data(_, x) | Exp::Capacity(x) => self.same(&[x])?,
            Exp::Remote(..) | Exp::Group(_) => return None,
            Exp::Cell { region, cell } | Exp::CellBlock { region, cell } => self.same(&[region, cell])?,
            Exp::Chunks { width, work } => self.same(&[width, work])?,
            Exp::Splat(..)
            | Exp::Lanes(..)
            | Exp::LoadLanes { .. }
            | Exp::Gather { .. }
            | Exp::Lane(..)
            | Exp::Combine(..)
            | Exp::Any(_) => return None,
        })
    }

    /// What works on the same operands only.
    fn same(&self, exps: &[&Exp]) -> Option<Shape> {
        let shapes: Option<Vec<Shape>> = exps.iter().map(|exp| self.of_exp(exp)).collect();
        let shape = flat(&shapes?);
        (shape != Shape::Varying).then_some(shape)
    }

    fn of_bin(&self, op: BinOp, prim: Prim, x: &Exp, y: &Exp) -> Option<Shape> {
        let (a, b) = (self.of_exp(x)?, self.of_exp(y)?);
        match self.known(op, prim, x, y) {
            Some(Outcome::True | Outcome::False) => return Some(Shape::Uniform),
            Some(Outcome::First) => return Some(a),
            Some(Outcome::Second) => return Some(b),
            None => {}
        }
        if !prim.is_int() {
            return Some(flat(&[a, b]));
        }
        Some(match op {
            BinOp::Add => plus(a, b),
            BinOp::Sub => match b {
                Shape::Steps(step) => plus(a, Shape::Steps(Exp::i64(0).sub(step))),
                b => plus(a, b),
            },
            BinOp::Mul => match (a, b) {
                (Shape::Steps(step), Shape::Uniform) => self.times(prim, step, y),
                (Shape::Uniform, Shape::Steps(step)) => self.times(prim, step, x),
                (a, b) => flat(&[a, b]),
            },
            _ => flat(&[a, b]),
        })
    }

    fn times(&self, prim: Prim, step: Exp, by: &Exp) -> Shape {
        match constant(by) {
            Some(by) => steps(step.mul(by)),
            None if prim == Prim::I64 && self.is_invariant(by) => steps(step.mul(by.clone())),
            None => Shape::Varying,
        }
    }

    /// Whether it has one value during the whole loop.
    fn is_invariant(&self, exp: &Exp) -> bool {
        let mut invariant = !exp.reads_memory();
        exp.for_each_var(&mut |var| invariant &= !self.assigned.contains(&var));
        invariant
    }

    /// The shape of a pointer with an index.
    pub fn place(&self, ptr: &Exp, index: &Exp) -> Option<Shape> {
        Some(plus(self.of_exp(ptr)?, self.of_exp(index)?))
    }

    // # Statements

    fn body(&mut self, body: &Body<'_>, kept: &VarSet) {
        body.nodes.iter().for_each(|node| self.node(node, kept));
    }

    /// `kept` is what iterations that are not here must find unchanged.
    fn node(&mut self, node: &Node<'_>, kept: &VarSet) {
        match &node.kind {
            NodeKind::Set(var, exp) => {
                let shape = self.checked(exp);
                self.assign(*var, shape, kept);
            }
            NodeKind::Store { elem, ptr, index, value } => {
                let place = self.place(ptr, index);
                let value = self.checked(value);
                let moves = flat(&[place.clone().unwrap_or(Shape::Uniform), value]) == Shape::Varying;
                self.refused |= place.is_none() || (moves && !matches!(elem, Elem::Prim(_)));
            }
            NodeKind::Copy { to, from, count, .. } => {
                let shapes = [self.checked(to), self.checked(from), self.checked(count)];
                self.refused |= flat(&shapes) == Shape::Varying;
            }
            NodeKind::If { cond, then, els } if self.truth(cond).is_some() => {
                self.body(if self.truth(cond) == Some(true) { then } else { els }, kept);
            }
            NodeKind::If { cond, then, els } => match self.checked(cond) {
                Shape::Unknown => {}
                Shape::Uniform => {
                    self.body(then, kept);
                    self.body(els, kept);
                }
                Shape::Steps(_) | Shape::Varying => {
                    self.body(then, &kept_by_first(kept, els, &node.after));
                    self.body(els, &union(kept, &node.after));
                }
            },
            NodeKind::Switch { scrutinee, cases, default } => {
                let kept = match self.checked(scrutinee) {
                    Shape::Unknown => return,
                    Shape::Uniform => kept.clone(),
                    Shape::Steps(_) | Shape::Varying => kept_by_cases(kept, node),
                };
                cases.iter().for_each(|(_, case)| self.body(case, &kept));
                self.body(default, &kept);
            }
            NodeKind::For { var, from, to, body, .. } => {
                let (from, to) = (self.checked(from), self.checked(to));
                if from == Shape::Unknown || to == Shape::Unknown {
                    return;
                }
                let together = from == to && from != Shape::Varying;
                self.assign(*var, from, &VarSet::new());
                let kept = if together { kept.clone() } else { union(kept, &node.after) };
                self.body(body, &kept);
            }
            NodeKind::While { before, cond, body } => {
                let inside = match self.checked(cond) {
                    Shape::Unknown | Shape::Uniform => kept.clone(),
                    Shape::Steps(_) | Shape::Varying => union(kept, &node.after),
                };
                self.body(before, &inside);
                self.body(body, &inside);
            }
            NodeKind::Fail { operands, .. } => operands.iter().for_each(|exp| {
                self.checked(exp);
            }),
        }
    }

    fn checked(&mut self, exp: &Exp) -> Shape {
        self.of_exp(exp).unwrap_or_else(|| {
            self.refused = true;
            Shape::Uniform
        })
    }

    fn assign(&mut self, var: Var, shape: Shape, kept: &VarSet) {
        if shape == Shape::Unknown {
            return;
        }
        let shape = if kept.contains(&var) { Shape::Varying } else { shape };
        let before = self.table.get(&var).cloned().unwrap_or(Shape::Unknown);
        let shape = join(before.clone(), shape);
        if shape == Shape::Varying && matches!(self.ty(var), Type::Block | Type::Region) {
            self.refused = true;
        }
        if shape != before {
            self.changed = true;
            self.table.insert(var, shape);
        }
    }

    /// The type of a variable before the pass.
    pub fn ty(&self, var: Var) -> Type {
        self.vars[var.0 as usize].ty
    }

    /// The type of an expression before the pass.
    pub fn ty_of(&self, exp: &Exp) -> Type {
        exp.ty(self.vars)
    }

    /// A pointer that varies is assigned once, so that one base and the varying rest can stand for it.
    fn pointers_have_one_base(&self, body: &Body<'_>) -> bool {
        fn count(body: &Body<'_>, times: &mut BTreeMap<Var, usize>) {
            for node in &body.nodes {
                if let NodeKind::Set(var, _) = &node.kind {
                    *times.entry(*var).or_default() += 1;
                }
                node.kind.bodies().iter().for_each(|body| count(body, times));
            }
        }
        let mut times = BTreeMap::new();
        count(body, &mut times);
        times.iter().all(|(var, times)| {
            *times == 1 || self.of(*var) != Shape::Varying || !matches!(self.ty(*var), Type::Ptr(_))
        })
    }
}

/// What the first branch of a varying `if` must leave unchanged for those that take the second, and beyond.
pub fn kept_by_first(kept: &VarSet, second: &Body<'_>, after: &VarSet) -> VarSet {
    union(kept, &second.before(after))
}

/// What the cases of a varying `switch` must leave unchanged for the others, and beyond.
pub fn kept_by_cases(kept: &VarSet, node: &Node<'_>) -> VarSet {
    node.kind.bodies().iter().fold(union(kept, &node.after), |kept, body| union(&kept, &body.needs))
}

pub fn union(a: &VarSet, b: &VarSet) -> VarSet {
    a.union(b).copied().collect()
}

/// An integer constant, of any type.
pub fn constant(exp: &Exp) -> Option<i64> {
    match exp {
        Exp::Const(scalar) if scalar.prim().is_int() => Some(match *scalar {
            Scalar::I8(x) => x as i64,
            Scalar::I16(x) => x as i64,
            Scalar::I32(x) => x as i64,
            other => other.bits() as i64,
        }),
        _ => None,
    }
}

/// Whether a value that grows by this step does so after the conversion. It does where bits are only dropped.
pub fn step_survives(from: Prim, to: Prim, step: &Exp) -> bool {
    from.is_int() && to.is_int() && to.bits() <= from.bits() && (to.bits() == 64 || constant(step).is_some())
}

/// The sum of two values of these shapes.
fn plus(a: Shape, b: Shape) -> Shape {
    match (a, b) {
        (Shape::Unknown, _) | (_, Shape::Unknown) => Shape::Unknown,
        (Shape::Varying, _) | (_, Shape::Varying) => Shape::Varying,
        (Shape::Uniform, b) => b,
        (a, Shape::Uniform) => a,
        (Shape::Steps(a), Shape::Steps(b)) => steps(sum_of_steps(a, b)),
    }
}

/// The step of a sum. Opposite steps cancel out.
pub fn sum_of_steps(a: Exp, b: Exp) -> Exp {
    match (a, b) {
        (a, Exp::Bin(BinOp::Sub, Prim::I64, zero, b)) if zero.as_i64() == Some(0) => a.sub(*b),
        (Exp::Bin(BinOp::Sub, Prim::I64, zero, a), b) if zero.as_i64() == Some(0) => b.sub(*a),
        (a, b) => a.add(b),
    }
}

fn steps(step: Exp) -> Shape {
    if step.as_i64() == Some(0) { Shape::Uniform } else { Shape::Steps(step) }
}

/// The result of an operation that does not keep steps.
fn flat(shapes: &[Shape]) -> Shape {
    if shapes.contains(&Shape::Unknown) {
        Shape::Unknown
    } else if shapes.iter().all(|shape| *shape == Shape::Uniform) {
        Shape::Uniform
    } else {
        Shape::Varying
    }
}

fn join(a: Shape, b: Shape) -> Shape {
    match (a, b) {
        (Shape::Unknown, other) | (other, Shape::Unknown) => other,
        (a, b) if a == b => a,
        _ => Shape::Varying,
    }
}
