//! Sums of products: `acc = acc + a * b` becomes one operation where the machine has it.
//!
//! The order in which a reduction adds is free, and so is where it rounds: `Mad` rounds once or twice, as the machine likes.
//! Nowhere else may a product and a sum become one. The product may have a name of its own, given in the same block.

use super::super::tree::{Body, NodeKind, VarSet};
use super::{Value, Widen};
use norn_ir::imp::{BinOp, Exp, LoopForm, Prim, TriOp, Var};
use std::collections::BTreeMap;

#[derive(Default)]
pub struct Sums {
    /// Floats that a reduction adds to.
    accumulators: VarSet,
    /// What is added to them, where that has a name.
    summands: VarSet,
    /// Those that are products, with their factors.
    products: BTreeMap<Var, (Vec<Exp>, Vec<Exp>)>,
}

impl Sums {
    /// The sums of a loop of this form, and of those inside it.
    pub fn of(form: &LoopForm, body: &Body<'_>) -> Sums {
        let mut sums = Sums::default();
        sums.add_form(form);
        sums.add_forms(body);
        sums.find_summands(body);
        sums
    }

    fn add_form(&mut self, form: &LoopForm) {
        match form {
            LoopForm::Plain | LoopForm::Independent => {}
            LoopForm::Reduce(accumulators) => {
                let sums = accumulators.iter().filter(|acc| acc.op == BinOp::Add && acc.prim.is_float());
                self.accumulators.extend(sums.map(|acc| acc.var));
            }
        }
    }

    fn add_forms(&mut self, body: &Body<'_>) {
        for node in &body.nodes {
            if let NodeKind::For { form, .. } = &node.kind {
                self.add_form(form);
            }
            node.kind.bodies().iter().for_each(|body| self.add_forms(body));
        }
    }

    fn find_summands(&mut self, body: &Body<'_>) {
        for node in &body.nodes {
            if let NodeKind::Set(var, exp) = &node.kind
                && let Some(Exp::Var(summand)) = self.summand(*var, exp)
            {
                self.summands.insert(*summand);
            }
            node.kind.bodies().iter().for_each(|body| self.find_summands(body));
        }
    }

    /// What is added to the accumulator.
    fn summand<'e>(&self, var: Var, exp: &'e Exp) -> Option<&'e Exp> {
        match exp {
            Exp::Bin(BinOp::Add, _, x, y) if self.accumulators.contains(&var) => {
                if **x == Exp::Var(var) {
                    Some(y)
                } else {
                    (**y == Exp::Var(var)).then_some(x)
                }
            }
            _ => None,
        }
    }

    /// The products are valid in straight code only.
    pub fn forget(&mut self) {
        self.products.clear();
    }
}

impl Widen<'_> {
    /// The vectors of what is assigned to a variable.
    pub fn summed(&mut self, var: Var, exp: &Exp) -> Vec<Exp> {
        let prim = self.old_ty(var).prim().expect("vectorise: what varies is a number");
        self.sums.products.remove(&var);
        if self.lanes > 1
            && let Some((a, b)) = self.sums.summand(var, exp).and_then(|x| self.factors(x))
        {
            let sums = self.value(&Exp::Var(var));
            let sums = self.each(sums, prim);
            let parts = a.into_iter().zip(b).zip(sums);
            return parts.map(|((a, b), sum)| mad(prim, a, b, sum)).collect();
        }
        match exp {
            Exp::Bin(BinOp::Mul, _, a, b) if self.lanes > 1 && self.sums.summands.contains(&var) => {
                let (a, b) = (self.factor(prim, a), self.factor(prim, b));
                self.sums.products.insert(var, (a.clone(), b.clone()));
                a.into_iter().zip(b).map(|(a, b)| Exp::bin(BinOp::Mul, prim, a, b)).collect()
            }
            _ => {
                let value = self.value(exp);
                self.each(value, prim)
            }
        }
    }

    /// If it is a product, its factors.
    fn factors(&mut self, exp: &Exp) -> Option<(Vec<Exp>, Vec<Exp>)> {
        match exp {
            Exp::Bin(BinOp::Mul, prim, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                Some((self.each(a, *prim), self.each(b, *prim)))
            }
            Exp::Var(var) => self.sums.products.get(var).cloned(),
            _ => None,
        }
    }

    /// One factor of a product with a name, in variables.
    fn factor(&mut self, prim: Prim, exp: &Exp) -> Vec<Exp> {
        let value = match self.value(exp) {
            Value::Same(value) => Value::Same(self.fixed("factor", value)),
            value @ (Value::Steps(..) | Value::Each(_)) => value,
        };
        let values = self.each(value, prim);
        values
            .into_iter()
            .map(|value| match value {
                Exp::Splat(..) => value,
                value => self.fixed("factor", value),
            })
            .collect()
    }
}

fn mad(prim: Prim, a: Exp, b: Exp, sum: Exp) -> Exp {
    Exp::Tri(TriOp::Mad, prim, Box::new(a), Box::new(b), Box::new(sum))
}
