//! The variables of loops: I5, but for what `flow` checks.

use super::Checker;
use crate::imp::walk::{Part, assigned};
use crate::imp::{Accumulator, Block, Exp, LoopForm, Stmt, Var};

/// What is wrong with a loop.
pub(super) fn verify_loop(checker: &Checker, var: Var, form: &LoopForm, body: &Block) -> Vec<String> {
    let mut wrong = Vec::new();
    if assigned(body).contains(&var) {
        wrong.push(format!("{} counts a loop and is assigned in it.", checker.show_var(var)));
    }
    let accs: &[Accumulator] = match form {
        LoopForm::Plain | LoopForm::Independent => &[],
        LoopForm::Reduce(accs) => accs,
    };
    for (i, acc) in accs.iter().enumerate() {
        if acc.var == var || accs[..i].iter().any(|other| other.var == acc.var) {
            wrong.push(format!("{} cannot be an accumulator here.", checker.show_var(acc.var)));
        }
        if !accumulates(body, acc) {
            let name = checker.show_var(acc.var);
            wrong.push(format!("The accumulator {name} is used in another way than to accumulate."));
        }
    }
    wrong
}

/// Whether the variable is mentioned only by `acc = acc op e`, and as the same accumulator of loops inside.
fn accumulates(block: &Block, acc: &Accumulator) -> bool {
    block.iter().all(|stmt| {
        if let Stmt::Set(var, exp) = stmt
            && *var == acc.var
        {
            return step(exp, acc);
        }
        let mut fine = true;
        stmt.for_each_part(&mut |part| {
            fine &= match part {
                Part::Assigned(var) => var != acc.var,
                Part::Exp(exp) => !exp.mentions(acc.var),
                Part::Block(block) => accumulates(block, acc),
                Part::Accumulator(inner) => inner.var != acc.var || inner == acc,
            };
        });
        fine
    })
}

/// `acc op e`
fn step(exp: &Exp, acc: &Accumulator) -> bool {
    match exp {
        Exp::Bin(op, prim, x, y) => {
            *op == acc.op && *prim == acc.prim && **x == Exp::Var(acc.var) && !y.mentions(acc.var)
        }
        _ => false,
    }
}
