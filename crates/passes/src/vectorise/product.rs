//! Recognises a product: perfectly nested loops over rows, columns and summands, and what each load depends on.

use super::jam::only_loop;
use super::plan::Loop;
use norn_ir::imp::walk::{Part, for_each_stmt};
use norn_ir::imp::{BinOp, Exp, Prim, Stmt, Var};
use std::collections::BTreeMap;

pub struct Product<'a> {
    pub columns: Loop<'a>,
    pub sum: Loop<'a>,
    /// What the loop over rows assigns: of what is assigned once, the expression.
    assigned: BTreeMap<Var, Option<&'a Exp>>,
}

impl<'a> Product<'a> {
    pub fn of(rows: Loop<'a>) -> Option<Product<'a>> {
        let columns = only_loop(rows.block)?;
        let sum = only_loop(columns.block)?;
        let mut assigned = BTreeMap::from([(rows.var, None)]);
        for_each_stmt(rows.block, &mut |stmt| {
            stmt.for_each_part(&mut |part| match (part, stmt) {
                (Part::Assigned(var), Stmt::Set(_, exp)) if !assigned.contains_key(&var) => {
                    assigned.insert(var, Some(exp));
                }
                (Part::Assigned(var), _) => {
                    assigned.insert(var, None);
                }
                (Part::Exp(_) | Part::Block(_) | Part::Accumulator(_), _) => {}
            });
        });
        Some(Product { columns, sum, assigned })
    }

    /// Whether it has one value during the whole loop over rows.
    pub fn is_fixed(&self, exp: &Exp) -> bool {
        let mut fixed = !exp.reads_memory();
        exp.for_each_var(&mut |var| fixed &= !self.assigned.contains_key(&var));
        fixed
    }

    /// The same in terms of the column, the number of the summand, and what the loop does not assign. Nothing if the
    /// row or memory matters.
    pub fn meaning(&self, exp: &Exp) -> Option<Exp> {
        rebuilt(exp, &mut |var| match self.assigned.get(&var) {
            _ if var == self.columns.var || var == self.sum.var => Some(var.into()),
            Some(meaning) => self.meaning((*meaning)?),
            None => Some(var.into()),
        })
        .filter(|exp| !exp.reads_memory())
    }
}

/// An expression with others in the place of its variables. Nothing if there is none for one of them.
pub fn rebuilt(exp: &Exp, of_var: &mut dyn FnMut(Var) -> Option<Exp>) -> Option<Exp> {
    if let Exp::Var(var) = exp {
        return of_var(*var);
    }
    let mut exp = exp.clone();
    let mut all = true;
    exp.for_each_child_mut(&mut |child| match rebuilt(child, of_var) {
        Some(new) => *child = new,
        None => all = false,
    });
    all.then(|| match exp {
        Exp::Bin(BinOp::Add, Prim::I64, x, y) => x.add(*y),
        Exp::Bin(BinOp::Mul, Prim::I64, x, y) => x.mul(*y),
        Exp::Offset { elem, ptr, index } => Exp::offset(elem, *ptr, *index),
        exp => exp,
    })
}
