//! From the body of a loop to the same body for a group of neighbouring iterations.
//!
//! A group is `copies` vectors of `lanes` iterations each. What is the same for all of them stays a scalar, computed once;
//! what grows by a step is the scalar of the first iteration; everything else has a vector per copy. Several copies
//! are independent of each other, which hides the latency of operations, and share what is scalar. Groups with one lane
//! have no vectors at all: they are several iterations of a loop one beside the other.
//!
//! Iterations that are not at work, because they took another branch or have left a loop before the others, are masked. In
//! code with a mask at least one lane is at work, so that what all lanes share may be loaded; the only exception are
//! branches that share nothing and are too small for a test (`control`).

mod control;
mod exp;
mod fail;
mod memory;
mod sums;

use super::shape::{Shape, Shapes, union};
use super::tree::{Body, Node, NodeKind, VarSet};
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::{Exp, Prim, Scalar, Stmt, Type, Var};
use std::collections::BTreeMap;
pub use sums::Sums;

pub struct Widen<'a> {
    pub code: &'a mut CodeBuilder,
    pub shapes: &'a Shapes<'a>,
    pub lanes: u16,
    pub copies: u16,
    /// What stands for the variables that the loop assigns.
    names: BTreeMap<Var, Wide>,
    /// A vector of `bool` per copy: variables, or constants. None where all lanes are at work.
    mask: Option<Vec<Exp>>,
    /// What lanes that are not at work must find unchanged.
    kept: VarSet,
    sums: Sums,
}

#[derive(Clone)]
enum Wide {
    Scalar(Var),
    /// One per copy.
    Lanes(Vec<Var>),
    /// A pointer, and a number of elements from there for each lane.
    Place(Var, Vec<Var>),
}

/// The value of an expression in all lanes of a group.
#[derive(Clone)]
pub enum Value {
    Same(Exp),
    /// That of the first lane, and by how much it grows from lane to lane, an `i64`.
    Steps(Exp, Exp),
    /// One vector per copy.
    Each(Vec<Exp>),
}

impl<'a> Widen<'a> {
    pub fn new(
        code: &'a mut CodeBuilder,
        shapes: &'a Shapes<'a>,
        lanes: u16,
        copies: u16,
        sums: Sums,
    ) -> Widen<'a> {
        let (names, kept) = (BTreeMap::new(), VarSet::new());
        Widen { code, shapes, lanes, copies, names, mask: None, kept, sums }
    }

    /// The body for the group whose first iteration has this number. The accumulators are these vectors, one per copy.
    pub fn group(
        &mut self,
        var: Var,
        first: Var,
        accumulators: &BTreeMap<Var, Vec<Var>>,
        mask: Option<Vec<Exp>>,
        body: &Body<'_>,
    ) {
        self.names.insert(var, Wide::Scalar(first));
        for (accumulator, copies) in accumulators {
            self.names.insert(*accumulator, Wide::Lanes(copies.clone()));
        }
        self.mask = mask;
        self.kept = accumulators.keys().copied().collect();
        self.body(body);
    }

    fn body(&mut self, body: &Body<'_>) {
        for node in &body.nodes {
            self.node(node);
        }
        self.sums.forget();
    }

    fn node(&mut self, node: &Node<'_>) {
        match &node.kind {
            NodeKind::Set(var, exp) => self.set(*var, exp),
            NodeKind::Store { elem, ptr, index, value } => self.store(*elem, ptr, index, value),
            NodeKind::Copy { elem, to, from, count } => {
                let (to, from, count) = (self.same(to), self.same(from), self.same(count));
                self.code.copy(*elem, to, from, count);
            }
            NodeKind::If { cond, then, els } => self.branch(node, cond, then, els),
            NodeKind::Switch { scrutinee, cases, default } => self.switch(node, scrutinee, cases, default),
            NodeKind::For { var, from, to, form, body } => self.count(node, *var, from, to, form, body),
            NodeKind::While { before, cond, body } => self.repeat(node, before, cond, body),
            NodeKind::Fail { site, operands } => self.fail(*site, operands),
        }
    }

    fn set(&mut self, var: Var, exp: &Exp) {
        match (self.shapes.of(var), self.old_ty(var)) {
            (Shape::Uniform | Shape::Unknown, _) => {
                let value = self.same(exp);
                let name = self.scalar(var);
                self.code.set(name, value);
            }
            (Shape::Steps(_), _) => {
                let first = self.first(exp);
                let name = self.scalar(var);
                self.code.set(name, first);
            }
            (Shape::Varying, Type::Ptr(_)) => self.set_place(var, exp),
            (Shape::Varying, _) => {
                let values = self.summed(var, exp);
                self.assign(var, values);
            }
        }
    }

    /// Each copy of a variable gets its vector, where lanes are at work.
    fn assign(&mut self, var: Var, values: Vec<Exp>) {
        let names = self.copies_of(var);
        let keep = self.kept.contains(&var);
        for (copy, value) in values.into_iter().enumerate() {
            let value = match &self.mask {
                Some(mask) if keep => Exp::select(mask[copy].clone(), value, names[copy]),
                Some(_) | None => value,
            };
            self.code.set(names[copy], value);
        }
    }

    // # Variables

    fn old_ty(&self, var: Var) -> Type {
        self.shapes.ty(var)
    }

    /// The type of a value in all lanes of one copy.
    fn wide_ty(&self, prim: Prim) -> Type {
        if self.lanes == 1 { Type::Scalar(prim) } else { Type::Vector(prim, self.lanes) }
    }

    /// The scalar that stands for a variable of the loop that does not vary, or only in steps.
    fn scalar(&mut self, var: Var) -> Var {
        match self.names.get(&var) {
            Some(Wide::Scalar(name)) => *name,
            Some(Wide::Lanes(_) | Wide::Place(..)) => panic!("vectorise: a scalar that varies"),
            None => {
                let name = self.code.name(var).to_string();
                let name = self.code.new_var(name, self.old_ty(var));
                self.names.insert(var, Wide::Scalar(name));
                name
            }
        }
    }

    /// The vectors that stand for a variable that varies.
    fn copies_of(&mut self, var: Var) -> Vec<Var> {
        match self.names.get(&var) {
            Some(Wide::Lanes(names)) => names.clone(),
            Some(Wide::Scalar(_) | Wide::Place(..)) => panic!("vectorise: a vector that does not vary"),
            None => {
                let name = self.code.name(var).to_string();
                let prim = self.old_ty(var).prim().expect("vectorise: what varies is a number");
                let names = self.new_copies(&name, prim);
                self.names.insert(var, Wide::Lanes(names.clone()));
                names
            }
        }
    }

    fn new_copies(&mut self, name: &str, prim: Prim) -> Vec<Var> {
        let ty = self.wide_ty(prim);
        (0..self.copies).map(|_| self.code.new_var(name, ty)).collect()
    }

    /// Give variables a value that is never looked at, so that lanes that are not at work have one to keep.
    fn clear(&mut self, bodies: &[&Body<'_>], node: &Node<'_>, before: &VarSet) {
        let assigns = bodies.iter().fold(VarSet::new(), |all, body| union(&all, &body.assigns));
        for var in assigns.intersection(&node.after) {
            // What lanes outside keep has a value.
            let new = !before.contains(var) && !self.kept.contains(var);
            let fresh = new && self.shapes.of(*var) == Shape::Varying;
            if let (true, Some(prim)) = (fresh, self.old_ty(*var).prim()) {
                for name in self.copies_of(*var) {
                    let zero = self.splat(Exp::Const(Scalar::zero(prim)));
                    self.code.set(name, zero);
                }
            }
        }
    }

    // # Masks

    /// Run with another mask, where these must stay unchanged for the other lanes.
    fn masked(&mut self, mask: Vec<Exp>, kept: &VarSet, run: impl FnOnce(&mut Self)) {
        let kept = union(&self.kept, kept);
        let (mask, kept) = (self.mask.replace(mask), std::mem::replace(&mut self.kept, kept));
        run(self);
        (self.mask, self.kept) = (mask, kept);
    }

    /// The lanes at work for which the condition holds, in variables.
    fn mask_where(&mut self, conds: Vec<Exp>) -> Vec<Exp> {
        let outer = self.mask.clone();
        let masks = conds.into_iter().enumerate().map(|(copy, cond)| match &outer {
            Some(mask) => mask[copy].clone().and(cond),
            None => cond,
        });
        let masks: Vec<Exp> = masks.collect();
        masks.into_iter().map(|mask| self.code.atom("mask", mask)).collect()
    }

    /// Whether any lane of any copy is in the mask.
    fn any(&self, masks: &[Exp]) -> Exp {
        let all = masks.iter().cloned().reduce(Exp::or).expect("vectorise: at least one copy");
        Exp::any(all)
    }

    /// A value that stays what it is when variables of the loop change.
    fn fixed(&mut self, name: &str, value: Exp) -> Exp {
        match value {
            Exp::Const(_) => value,
            value => self.code.bind(name, value).into(),
        }
    }

    /// The block that the function makes.
    fn block(&mut self, run: impl FnOnce(&mut Self)) -> Vec<Stmt> {
        self.code.open();
        run(self);
        self.code.close()
    }
}
