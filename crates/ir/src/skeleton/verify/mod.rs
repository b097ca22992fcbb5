//! What holds of every program, checked. The definition's invariants, by the file that checks them:
//!
//! | rule | file |
//! |---|---|
//! | N1 visible where used, bound once | `scope` |
//! | N2 what is mentioned exists; a constant has a function of its own, whose parameters are regions | `program`, and where things are mentioned |
//! | N3 as many values, and of the types, that the statement binds | `stm` |
//! | N4 operands | `exp`, `control`, `array`, `cell`, `check`, and `verify` of operators |
//! | N5 sizes in types, N6 no outermost `?`, N7 sizes that are results | `scope`, `program` |
//! | N8 results of bodies; columns of entry points | `control`, `stm`, `program`, and `verify` of operators |
//! | N9 certificates | `stm`, `scope` |
//! | N10 regions of refs, N11 who binds regions and that nothing leads into a dead one | `scope`, `stm`, `cell`, `program` |
//! | N12 consumption | `consume` |
//! | N13 schedules | `exp`, `stm`, and `verify` of tasks |
//!
//! Sizes are compared by whether they are `?`, not by name: that they agree is not proven here.
//! A program with violations can be printed; nothing in here panics on one.

mod array;
mod cell;
mod check;
mod consume;
mod control;
mod exp;
mod program;
pub(crate) mod scope;
mod stm;
pub(crate) mod types;

use super::outline::{Head, Outline};
use super::print::Printer;
use super::{Atom, Exp, Operators, Prog, Type, Var, VarInfo};
use std::fmt;

/// All violations, in the order of the program; those of N12 after the others.
pub fn verify<O: Operators>(prog: &Prog<O>, stage: Stage) -> Vec<Violation> {
    let outline = prog.outline();
    let mut violations = program::verify_program(&outline, stage);
    for fun in &prog.funs {
        let mut checker = Checker::new(&outline, stage, fun.head());
        checker.fun(fun);
        violations.append(&mut checker.violations);
    }
    // Aliases make sense only where names and types do.
    if violations.is_empty() {
        violations = consume::verify_consumption(prog);
    }
    violations
}

/// Panic with the program's text unless it obeys the rules: for the end of a pass, which is named.
pub fn expect_valid<O: Operators>(prog: &Prog<O>, stage: Stage, pass: &str) {
    let violations = verify(prog, stage);
    if violations.is_empty() {
        return;
    }
    let list: String = violations.iter().map(|violation| format!("  {violation}\n")).collect();
    let text = super::print::print_with(prog, super::print::Places::Hidden);
    panic!("{pass} made a program that breaks the rules of nest:\n{list}\n{text}");
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Refs have no regions, and nothing mentions regions.
    BeforeRegions,
    Complete,
    /// As `Complete`, with places to run. That these make sense is for `grids` to say.
    Scheduled,
    /// As `Complete`, with descriptors, sides and bounds: what `flat` has.
    Kernels,
}

/// A rule that a program breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub rule: Rule,
    /// Where, if it is in a function.
    pub fun: Option<String>,
    pub message: String,
}

/// N1 to N13 hold of every program, and are said in `nest`; L1 to L6 are those of `grids`, T1 and T2 those of tasks; the others are rules of `flat`, those that a
/// program can be seen to break.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Rule {
    N1,
    N2,
    N3,
    N4,
    N5,
    N6,
    N7,
    N8,
    N9,
    N10,
    N11,
    N12,
    N13,
    L1,
    L2,
    L3,
    L4,
    L5,
    L6,
    T1,
    T2,
    K1,
    K2,
    K3,
    K4,
    K5,
    K7,
    K8,
    K9,
    K11,
    K14,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fun {
            Some(fun) => write!(f, "{:?} in {fun}: {}", self.rule, self.message),
            None => write!(f, "{:?}: {}", self.rule, self.message),
        }
    }
}

/// One function being checked.
pub struct Checker<'a> {
    prog: &'a Outline<'a>,
    stage: Stage,
    table: Head<'a>,
    pub(crate) scope: scope::Scope,
    violations: Vec<Violation>,
}

impl<'a> Checker<'a> {
    fn new(prog: &'a Outline<'a>, stage: Stage, table: Head<'a>) -> Checker<'a> {
        let scope = scope::Scope::new(table.vars.len());
        Checker { prog, stage, table, scope, violations: Vec::new() }
    }

    pub(crate) fn fail(&mut self, rule: Rule, message: impl Into<String>) {
        let fun = Some(self.table.name.to_string());
        self.violations.push(Violation { rule, fun, message: message.into() });
    }

    // # Types

    /// As far as types are compared: rows whose lengths a descriptor has are irregular.
    pub(crate) fn ty(&self, var: Var) -> Type {
        // That there is no such variable is reported where it is used.
        self.table.vars.get(var.0 as usize).map_or(Type::Cert, |info| self.table.irregular(&info.ty))
    }

    /// As it is written.
    pub(crate) fn declared(&self, var: Var) -> Option<&'a VarInfo> {
        self.table.vars.get(var.0 as usize)
    }

    pub(crate) fn atom_ty(&self, atom: Atom) -> Type {
        match atom {
            Atom::Var(var) => self.ty(var),
            Atom::Const(scalar) => Type::scalar(scalar.prim()),
        }
    }

    pub(crate) fn types_of(&self, atoms: &[Atom]) -> Vec<Type> {
        atoms.iter().map(|atom| self.atom_ty(*atom)).collect()
    }

    // # Text for messages; a printer is made only when something is wrong

    fn printer(&self) -> Printer<'a> {
        Printer::of_fun(self.prog, self.table)
    }

    pub(crate) fn show(&self, atom: impl Into<Atom>) -> String {
        format!("`{}`", self.printer().atom(atom.into()))
    }

    pub(crate) fn show_ty(&self, ty: &Type) -> String {
        let text = self.printer().ty(ty);
        format!("`{}`", text.replace(&format!("[{}]", i64::MIN), "[_]"))
    }

    /// The first word of an expression.
    fn show_exp<O: Operators>(&self, exp: &Exp<O>) -> String {
        let mut printer = self.printer();
        printer.exp(exp);
        let text = printer.text();
        format!("`{}`", text.split([' ', '\n']).next().unwrap_or_default())
    }
}
