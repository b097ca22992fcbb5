//! What holds of every program, checked. The definition's invariants, by the file that checks them:
//!
//! | rule | file |
//! |---|---|
//! | I1 what is mentioned exists | `program`, `exp`, `stmt`: where things are mentioned |
//! | I2 assigned before used | `flow` |
//! | I3 operands | `exp`, `stmt` |
//! | I4 assignments, calls and launches | `stmt` |
//! | I5 variables of loops | `flow`, `loops` |
//! | I6 vectors | `exp`, `stmt` |
//! | I7 awaiting and signalling | `program` |
//! | I8 entry points | `entry` |
//! | I9 what runs where | `side`, and `exp` of pointers |
//! | I10 barriers | `side`, as far as guards go |
//!
//! Whether all threads of a group reach a barrier together (I10) is not checked: that is the duty of who makes kernels.
//!
//! A program with violations can be printed; nothing in here panics on one.

mod entry;
mod exp;
mod flow;
mod group;
mod loops;
mod program;
mod side;
mod stmt;

use super::print::{Places, Printer, print_with, show_type};
use super::{Exp, Fun, Kernel, Prog, Stmt, Type, Var, VarInfo};
use std::fmt;

/// All violations, in the order of the program; those of I2 and I5 after the others of a function.
pub fn verify(prog: &Prog) -> Vec<Violation> {
    let mut violations = program::verify_program(prog);
    for fun in &prog.funs {
        let mut checker = Checker::new(prog, &fun.name, &fun.vars);
        checker.fun(fun);
        violations.append(&mut checker.violations);
    }
    for kernel in &prog.kernels {
        let mut checker = Checker::new(prog, &kernel.name, &kernel.vars);
        checker.kernel(kernel);
        violations.append(&mut checker.violations);
    }
    for kernel in &prog.group_kernels {
        let mut checker = Checker::new(prog, &kernel.name, &kernel.vars);
        checker.group_kernel(kernel);
        violations.append(&mut checker.violations);
    }
    violations
}

/// Panic with the program's text unless it obeys the rules: for the end of a pass, which is named.
pub fn expect_valid(prog: &Prog, pass: &str) {
    let violations = verify(prog);
    if violations.is_empty() {
        return;
    }
    let list: String = violations.iter().map(|violation| format!("  {violation}\n")).collect();
    let text = print_with(prog, Places::Hidden);
    panic!("{pass} made a program that breaks the rules of imp:\n{list}\n{text}");
}

/// A rule that a program breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub rule: Rule,
    /// Where, if it is in a function or kernel.
    pub code: Option<String>,
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Rule {
    I1,
    I2,
    I3,
    I4,
    I5,
    I6,
    I7,
    I8,
    I9,
    I10,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.code {
            Some(code) => write!(f, "{:?} in {code}: {}", self.rule, self.message),
            None => write!(f, "{:?}: {}", self.rule, self.message),
        }
    }
}

/// One function or kernel being checked.
struct Checker<'a> {
    prog: &'a Prog,
    name: &'a str,
    vars: &'a [VarInfo],
    violations: Vec<Violation>,
}

impl<'a> Checker<'a> {
    fn new(prog: &'a Prog, name: &'a str, vars: &'a [VarInfo]) -> Checker<'a> {
        Checker { prog, name, vars, violations: Vec::new() }
    }

    fn fun(&mut self, fun: &'a Fun) {
        self.table();
        self.params(&fun.params);
        for array in &fun.arrays {
            self.array(array);
            if array.shared {
                let message = format!("{} is shared, but a function has no group.", self.show_var(array.var));
                self.fail(Rule::I9, message);
            }
        }
        self.block(&fun.body);
        if fun.results.len() != fun.ret.len() {
            self.fail(Rule::I4, "It has not as many results as types of results.".to_string());
        }
        for (exp, ty) in fun.results.iter().zip(&fun.ret) {
            self.is(exp, *ty, Rule::I4, "A result");
        }
        let arrays = fun.arrays.iter().map(|array| array.var);
        let known: Vec<Var> = fun.params.iter().copied().chain(arrays).collect();
        self.flow(&known, &fun.body, &fun.results);
    }

    fn kernel(&mut self, kernel: &'a Kernel) {
        self.table();
        let own = [kernel.chunk, kernel.from, kernel.to];
        for var in own {
            if self.var(var).is_some_and(|ty| ty != Type::I64) {
                self.fail(Rule::I3, format!("{} of a kernel is no `i64`.", self.show_var(var)));
            }
        }
        let params = [&own[..], &kernel.params].concat();
        self.params(&params);
        self.block(&kernel.body);
        self.flow(&params, &kernel.body, &[]);
    }

    fn table(&mut self) {
        for info in self.vars {
            if let Type::Vector(_, lanes) = info.ty {
                self.lanes(lanes);
            }
        }
    }

    fn params(&mut self, params: &[Var]) {
        for (i, param) in params.iter().enumerate() {
            self.var(*param);
            if params[..i].contains(param) {
                self.fail(Rule::I4, format!("{} is a parameter twice.", self.show_var(*param)));
            }
        }
    }

    fn fail(&mut self, rule: Rule, message: impl Into<String>) {
        let code = Some(self.name.to_string());
        self.violations.push(Violation { rule, code, message: message.into() });
    }

    // # Text for messages; a printer is made only when something is wrong

    fn show_var(&self, var: Var) -> String {
        format!("`{}`", Printer::of_code(self.prog, self.vars).var(var))
    }

    fn show_exp(&self, exp: &Exp) -> String {
        format!("`{}`", Printer::of_code(self.prog, self.vars).exp(exp))
    }

    /// The first line of a statement.
    fn show_stmt(&self, stmt: &Stmt) -> String {
        let mut printer = Printer::of_code(self.prog, self.vars);
        printer.stmt(stmt);
        format!("`{}`", printer.text().lines().next().unwrap_or_default())
    }
}

fn show_ty(ty: Type) -> String {
    format!("`{}`", show_type(ty))
}
