//! Failures in vector code: the first failing lane of the active ones reports.

use super::{Value, Widen};
use norn_ir::imp::{Exp, Prim, SiteId, Stmt, Type};

impl Widen<'_> {
    /// Some lane at work fails here. Which of the failing iterations of a group is reported does not matter, as it does not
    /// matter which chunk of a launch is; but it is always the same one, and its operands are its own.
    pub fn fail(&mut self, site: SiteId, operands: &[Exp]) {
        let values: Vec<(Value, Prim)> = operands
            .iter()
            .map(|exp| (self.value(exp), self.shapes.ty_of(exp).prim().unwrap_or(Prim::I64)))
            .collect();
        let same: Option<Vec<Exp>> = values
            .iter()
            .map(|(value, _)| match value {
                Value::Same(value) => Some(value.clone()),
                Value::Steps(..) | Value::Each(_) => None,
            })
            .collect();
        if let Some(operands) = same {
            return self.code.push(Stmt::Fail { site, operands });
        }
        let values: Vec<Vec<Exp>> = values.into_iter().map(|(value, prim)| self.each(value, prim)).collect();
        let copy = |copy: usize| values.iter().map(|value| value[copy].clone()).collect::<Vec<Exp>>();
        let Some(masks) = self.mask.clone() else {
            let operands = copy(0).into_iter().map(|value| lane(self.lanes, value, Exp::i64(0))).collect();
            return self.code.push(Stmt::Fail { site, operands });
        };
        for (number, mask) in masks.into_iter().enumerate() {
            let block = self.block(|this| {
                let first = this.code.new_var("lane", Type::I64);
                this.code.set(first, Exp::i64(0));
                let next = Stmt::Set(first, Exp::Var(first).add(1));
                this.code.while_(Vec::new(), Exp::lane(mask.clone(), first).not(), vec![next]);
                let operands = copy(number).into_iter().map(|value| lane(this.lanes, value, first.into()));
                let operands = operands.collect();
                this.code.push(Stmt::Fail { site, operands });
            });
            // A mask is not empty; one of several may be.
            let here = if self.copies == 1 { Exp::bool(true) } else { Exp::any(mask) };
            self.code.when(here, block);
        }
    }
}

/// One lane; of a splat that is the scalar.
fn lane(lanes: u16, value: Exp, number: Exp) -> Exp {
    match value {
        Exp::Splat(_, value) => *value,
        value if lanes == 1 => value,
        value => Exp::lane(value, number),
    }
}
