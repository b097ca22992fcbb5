//! What holds of a program apart from its code: I1 of its tables, I7, and what runs where.

use super::entry::verify_entry;
use super::side::verify_sides;
use super::{Rule, Violation};
use crate::imp::walk::for_each_stmt;
use crate::imp::{Block, Prog, Split, Stmt};

pub(super) fn verify_program(prog: &Prog) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut fail = |rule: Rule, message: String| violations.push(Violation { rule, code: None, message });
    for (i, constant) in prog.consts.iter().enumerate() {
        match prog.funs.get(constant.fun.0 as usize) {
            None => fail(Rule::I1, format!("Constant {i} has a function that does not exist.")),
            Some(fun) if !fun.params.is_empty() => {
                fail(Rule::I4, format!("The constant `{}` has parameters, which nobody passes.", fun.name));
            }
            Some(_) => {}
        }
    }
    for entry in &prog.entries {
        for (rule, message) in verify_entry(prog, entry) {
            fail(rule, format!("The entry point `{}`: {message}", entry.name));
        }
    }
    for (code, message) in verify_order(prog) {
        violations.push(Violation { rule: Rule::I7, code: Some(code), message });
    }
    violations.extend(verify_sides(prog));
    violations
}

/// That nothing waits but kernels that are launched in order: I7. Each violation with the code where it is.
fn verify_order(prog: &Prog) -> Vec<(String, String)> {
    let mut wrong = Vec::new();
    let mut ordered = vec![false; prog.kernels.len()];
    let mut unordered = vec![false; prog.kernels.len()];
    let bodies = || prog.funs.iter().map(|f| &f.body).chain(prog.kernels.iter().map(|k| &k.body));
    for body in bodies() {
        for_each_stmt(body, &mut |stmt| {
            if let Stmt::Launch { kernel, split, .. } = stmt {
                let launched = match split {
                    Split::Ordered => &mut ordered,
                    Split::Even | Split::ByOffsets(_) | Split::Parts { .. } => &mut unordered,
                };
                if let Some(launched) = launched.get_mut(kernel.0 as usize) {
                    *launched = true;
                }
            }
        });
    }
    for fun in &prog.funs {
        if has(&fun.body, waits) {
            wrong.push((fun.name.clone(), "A function awaits or signals.".to_string()));
        }
    }
    for (i, kernel) in prog.kernels.iter().enumerate() {
        if has(&kernel.body, waits) && unordered[i] {
            let message = "It awaits or signals, but is launched in no order.".to_string();
            wrong.push((kernel.name.clone(), message));
        }
        if ordered[i] && has(&kernel.body, goes_elsewhere) {
            let message = "It is launched in order, but launches or calls.".to_string();
            wrong.push((kernel.name.clone(), message));
        }
    }
    wrong
}

fn has(block: &Block, holds: fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    for_each_stmt(block, &mut |stmt| found |= holds(stmt));
    found
}

fn waits(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Await { .. } | Stmt::Signal { .. })
}

/// A constant counts as a call of its function.
fn goes_elsewhere(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Launch { .. } | Stmt::Call { .. } | Stmt::Const { .. })
}
