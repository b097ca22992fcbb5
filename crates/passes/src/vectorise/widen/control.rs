//! Branches and loops for a group of iterations, with masks where lanes diverge.
//!
//! A uniform branch stays a branch. Otherwise both sides run one after the other, each under the mask of its lanes, and a
//! result is blended only if it is live behind. A side that is long, or has loops or failures, is jumped over if its mask is empty (`needs_active_lane`).
//! A loop runs as long as a lane is active in it; a lane that has left never comes back, so what is not live after the loop needs no blend.
//!
//! ```text
//! if x[i] > 0 { y = f(x[i]) } else { y = 0 }     ==>     m = x > 0;  if any(m) { y1 = f(x) under m };  y = select(m, y1, 0)
//! ```

use super::super::shape::{Shape, kept_by_cases, kept_by_first};
use super::super::tree::{Body, Node, NodeKind, VarSet};
use super::{Value, Wide, Widen};
use norn_ir::imp::{Accumulator, BinOp, Exp, LoopForm, Prim, Scalar, Type, Var};

/// A branch with more operations than this is jumped over if no lane takes it.
const WORTH_A_TEST: usize = 12;

impl Widen<'_> {
    pub fn branch(&mut self, node: &Node<'_>, cond: &Exp, then: &Body<'_>, els: &Body<'_>) {
        if let Some(truth) = self.shapes.truth(cond) {
            return self.inner(if truth { then } else { els });
        }
        match self.value(cond) {
            Value::Same(cond) => {
                let then = self.block(|this| this.inner(then));
                let els = self.block(|this| this.inner(els));
                self.code.if_(cond, then, els);
            }
            cond @ (Value::Steps(..) | Value::Each(_)) => {
                let mut before = then.before(&node.after);
                before.extend(els.before(&node.after));
                self.clear(&[then, els], node, &before);
                let cond = self.each(cond, Prim::Bool);
                let cond: Vec<Exp> = cond.into_iter().map(|cond| self.fixed("cond", cond)).collect();
                let yes = self.mask_where(cond.clone());
                let kept = kept_by_first(&VarSet::new(), els, &node.after);
                self.side(yes, &kept, then);
                if !els.nodes.is_empty() {
                    let no = self.mask_where(cond.into_iter().map(Exp::not).collect());
                    self.side(no, &node.after, els);
                }
            }
        }
    }

    /// One side of a branch, for the lanes of the mask.
    fn side(&mut self, mask: Vec<Exp>, kept: &VarSet, body: &Body<'_>) {
        if body.nodes.is_empty() {
            return;
        }
        if !self.needs_active_lane(body) {
            return self.masked(mask, kept, |this| this.inner(body));
        }
        let taken = self.any(&mask);
        let block = self.block(|this| this.masked(mask, kept, |this| this.inner(body)));
        self.code.when(taken, block);
    }

    /// A block inside the one that is being made.
    fn inner(&mut self, body: &Body<'_>) {
        self.sums.forget();
        self.body(body);
    }

    pub fn switch(
        &mut self,
        node: &Node<'_>,
        scrutinee: &Exp,
        cases: &[(i64, Body<'_>)],
        default: &Body<'_>,
    ) {
        let prim = self.shapes.ty_of(scrutinee).prim().unwrap_or(Prim::I64);
        match self.value(scrutinee) {
            Value::Same(scrutinee) => {
                let blocks = cases.iter().map(|(value, case)| (*value, self.block(|this| this.inner(case))));
                let cases = blocks.collect();
                let default = self.block(|this| this.inner(default));
                self.code.push(norn_ir::imp::Stmt::Switch { scrutinee, cases, default });
            }
            value @ (Value::Steps(..) | Value::Each(_)) => {
                let kept = kept_by_cases(&VarSet::new(), node);
                let mut before = VarSet::new();
                node.kind.bodies().iter().for_each(|body| before.extend(body.before(&node.after)));
                self.clear(&node.kind.bodies(), node, &before);
                let value = self.each(value, prim);
                let value: Vec<Exp> = value.into_iter().map(|value| self.fixed("case", value)).collect();
                let mut others: Option<Vec<Exp>> = None;
                for (number, case) in cases {
                    let is = |value: &Exp| {
                        let number = Exp::Const(Scalar::from_int(prim, *number as i128));
                        Exp::bin(BinOp::Eq, prim, value.clone(), Exp::splat(self.lanes, number))
                    };
                    let here: Vec<Exp> = value.iter().map(is).collect();
                    let here: Vec<Exp> = here.into_iter().map(|here| self.fixed("cond", here)).collect();
                    others = Some(match others {
                        None => here.clone(),
                        Some(others) => others.into_iter().zip(&here).map(|(x, y)| x.or(y.clone())).collect(),
                    });
                    let mask = self.mask_where(here);
                    self.side(mask, &kept, case);
                }
                match others {
                    None => self.inner(default),
                    Some(others) => {
                        let mask = self.mask_where(others.into_iter().map(Exp::not).collect());
                        self.side(mask, &kept, default);
                    }
                }
            }
        }
    }

    /// A loop that counts.
    pub fn count(
        &mut self,
        node: &Node<'_>,
        var: Var,
        from: &Exp,
        to: &Exp,
        form: &LoopForm,
        body: &Body<'_>,
    ) {
        let (from, to) = (self.value(from), self.value(to));
        match (from, to, self.shapes.of(var)) {
            (Value::Same(from), Value::Same(to), Shape::Uniform) => self.together(var, from, to, form, body),
            (Value::Steps(from, step), Value::Steps(to, other), Shape::Steps(_)) if step == other => {
                self.together(var, from, to, form, body);
            }
            (from, to, shape) => {
                let to = self.each(to, Prim::I64);
                let to: Vec<Exp> = to.into_iter().map(|to| self.fixed("to", to)).collect();
                let (counters, step) = match (from, shape) {
                    (Value::Same(from) | Value::Steps(from, _), Shape::Uniform | Shape::Steps(_)) => {
                        let counter = self.code.bind("count", from);
                        self.names.insert(var, Wide::Scalar(counter));
                        (vec![counter], Exp::i64(1))
                    }
                    (from, _) => {
                        let counters = self.each(from, Prim::I64);
                        let counters: Vec<Var> =
                            counters.into_iter().map(|from| self.code.bind("count", from)).collect();
                        self.names.insert(var, Wide::Lanes(counters.clone()));
                        (counters, self.splat(Exp::i64(1)))
                    }
                };
                let active = self.new_copies("active", Prim::Bool);
                let before = self.block(|this| {
                    let number = this.value(&Exp::Var(var));
                    let numbers = this.each(number, Prim::I64);
                    let below = numbers.into_iter().zip(to).map(|(number, to)| number.lt(to));
                    let below = below.collect();
                    this.narrow(&active, below);
                });
                let active: Vec<Exp> = active.into_iter().map(Exp::Var).collect();
                let going = self.any(&active);
                let body = self.block(|this| {
                    this.masked(active, &node.after, |this| this.inner(body));
                    for counter in counters {
                        let next = Exp::bin(BinOp::Add, Prim::I64, counter, step.clone());
                        this.code.set(counter, next);
                    }
                });
                self.code.while_(before, going, body);
            }
        }
    }

    /// These masks become the lanes at work for which the condition holds.
    fn narrow(&mut self, masks: &[Var], conds: Vec<Exp>) {
        for (copy, (mask, cond)) in masks.iter().zip(conds).enumerate() {
            let cond = match &self.mask {
                Some(outer) => outer[copy].clone().and(cond),
                None => cond,
            };
            self.code.set(*mask, cond);
        }
    }

    /// A loop that all lanes go through equally often.
    fn together(&mut self, var: Var, from: Exp, to: Exp, form: &LoopForm, body: &Body<'_>) {
        let form = self.form(form);
        let name = self.code.name(var).to_string();
        let counter = self.code.new_var(name, Type::I64);
        self.names.insert(var, Wide::Scalar(counter));
        let body = self.block(|this| this.inner(body));
        self.code.for_(counter, from, to, form, body);
    }

    /// Loops over vectors are not looked at again. Without lanes they stay what they are, with more accumulators.
    fn form(&mut self, form: &LoopForm) -> LoopForm {
        match form {
            LoopForm::Plain => LoopForm::Plain,
            LoopForm::Independent | LoopForm::Reduce(_) if self.lanes > 1 => LoopForm::Plain,
            LoopForm::Independent => LoopForm::Independent,
            LoopForm::Reduce(accumulators) => {
                let mut all = Vec::new();
                for accumulator in accumulators {
                    let names = match self.shapes.of(accumulator.var) {
                        Shape::Varying => self.copies_of(accumulator.var),
                        Shape::Uniform | Shape::Unknown | Shape::Steps(_) => {
                            vec![self.scalar(accumulator.var)]
                        }
                    };
                    all.extend(names.into_iter().map(|var| Accumulator { var, ..accumulator.clone() }));
                }
                LoopForm::Reduce(all)
            }
        }
    }

    pub fn repeat(&mut self, node: &Node<'_>, before: &Body<'_>, cond: &Exp, body: &Body<'_>) {
        if self.shapes.exp(cond) == Shape::Uniform {
            let mut going = Exp::bool(true);
            let before = self.block(|this| {
                this.inner(before);
                going = this.same(cond);
            });
            let body = self.block(|this| this.inner(body));
            return self.code.while_(before, going, body);
        }
        let live = before.before(&node.after);
        self.clear(&[before], node, &live);
        let active = self.new_copies("active", Prim::Bool);
        for (copy, mask) in active.iter().enumerate() {
            let all = self.mask.as_ref().map(|mask| mask[copy].clone());
            self.code.set(*mask, all.unwrap_or_else(|| self.splat(Exp::bool(true))));
        }
        let masks: Vec<Exp> = active.iter().map(|mask| Exp::Var(*mask)).collect();
        let before = self.block(|this| {
            this.masked(masks.clone(), &node.after, |this| {
                this.inner(before);
                let cond = this.value(cond);
                let cond = this.each(cond, Prim::Bool);
                this.narrow(&active, cond);
            })
        });
        let going = self.any(&masks);
        let body = self.block(|this| this.masked(masks, &node.after, |this| this.inner(body)));
        self.code.while_(before, going, body);
    }

    /// Whether a branch must be jumped over if no lane takes it, because it has loops or shared memory accesses or
    /// fails, or should be, because it is long.
    fn needs_active_lane(&self, body: &Body<'_>) -> bool {
        let mut operations = 0;
        self.needs_lane(body, &mut operations) || operations > WORTH_A_TEST
    }

    fn needs_lane(&self, body: &Body<'_>, operations: &mut usize) -> bool {
        body.nodes.iter().any(|node| match &node.kind {
            NodeKind::Set(_, exp) => self.shares_load(exp, operations),
            NodeKind::Store { ptr, index, value, .. } => {
                let exps = [*ptr, *index, *value];
                exps.into_iter().any(|exp| self.shares_load(exp, operations))
                    || self.shapes.place(ptr, index) == Some(Shape::Uniform)
            }
            NodeKind::If { cond, then, els } => {
                self.shares_load(cond, operations)
                    || self.needs_lane(then, operations)
                    || self.needs_lane(els, operations)
            }
            NodeKind::Switch { .. }
            | NodeKind::Copy { .. }
            | NodeKind::For { .. }
            | NodeKind::While { .. }
            | NodeKind::Fail { .. } => true,
        })
    }

    /// Whether it loads something that is the same for all lanes. Counts operations on the way.
    fn shares_load(&self, exp: &Exp, operations: &mut usize) -> bool {
        if let Exp::Load { ptr, index, .. } = exp
            && self.shapes.place(ptr, index) == Some(Shape::Uniform)
        {
            return true;
        }
        if !exp.is_atom() {
            *operations += 1;
        }
        let mut shares = false;
        exp.for_each_child(&mut |child| shares |= self.shares_load(child, operations));
        shares
    }
}
