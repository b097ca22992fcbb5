//! What holds of every scheduled program, checked: the rules of nest, by the verifier of nest, then those about places.

use super::HOST;
use super::needs::{host_needs, reduced_by};
use crate::nest::task::{Join, Task};
use crate::nest::verify::Stage;
use crate::nest::walk::Part;
use crate::nest::{Body, Exp, Fun, Grid, Operator, Prog, Stm, Var};
pub use crate::skeleton::verify::{Rule, Violation};
use std::collections::HashSet;

/// All violations, in the order of the program; of the rules about places only where those of nest hold.
pub fn verify(prog: &Prog) -> Vec<Violation> {
    let broken = crate::nest::verify::verify(prog, Stage::Scheduled);
    if !broken.is_empty() {
        let violation = |v: Violation| Violation {
            rule: Rule::L1,
            message: format!("{:?}: {}", v.rule, v.message),
            fun: v.fun,
        };
        return broken.into_iter().map(violation).collect();
    }
    let mut violations = Vec::new();
    for fun in &prog.funs {
        let mut checker = Checker { fun, forbidden: None, in_lambda: false, violations: Vec::new() };
        checker.body(&fun.body);
        checker.sides();
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
    let text = crate::nest::print::print_with(prog, crate::nest::print::Places::Hidden);
    panic!("{pass} made a program that breaks the rules of grids:\n{list}\n{text}");
}

const IN_REDUCTION: (Rule, &str) = (Rule::L4, "A `grid` stands in the lambda of a reduction.");
const IN_ORDERED: (Rule, &str) =
    (Rule::L5, "A `grid` stands in another whose pieces depend on those before them.");

/// One function being checked.
struct Checker<'a> {
    fun: &'a Fun,
    /// By which rule no grid may stand here, and what breaks it.
    forbidden: Option<(Rule, &'static str)>,
    in_lambda: bool,
    violations: Vec<Violation>,
}

impl Checker<'_> {
    /// L6
    fn sides(&mut self) {
        if self.fun.vars.iter().all(|info| info.side.is_none()) {
            return;
        }
        let is_kernel = |stm: &Stm| stm.grid.is_some();
        let mut reduced = Vec::new();
        reduced_by(&self.fun.body, &is_kernel, &mut reduced);
        let mut needed = HashSet::new();
        host_needs(&self.fun.vars, &self.fun.body, &is_kernel, &mut |var| _ = needed.insert(var));
        let is_host = self.fun.attrs.iter().any(|attr| attr == HOST);
        for (at, info) in self.fun.vars.iter().enumerate().filter(|(_, info)| info.side.is_some()) {
            let var = Var(at as u32);
            if !is_host || !reduced.contains(&var) || needed.contains(&var) {
                self.fail(Rule::L6, format!("The host needs {}, or no grid reduces to it.", info.name));
            }
        }
    }

    fn fail(&mut self, rule: Rule, message: impl Into<String>) {
        let fun = Some(self.fun.name.clone());
        self.violations.push(Violation { rule, fun, message: message.into() });
    }

    fn body(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.stm(stm));
    }

    fn stm(&mut self, stm: &Stm) {
        if let Exp::Op(Operator::Task(task)) = &stm.exp {
            return self.task(stm, task);
        }
        let Some(operator) = stm.exp.op() else {
            if stm.grid.is_some() {
                self.fail(Rule::L2, "What stands in a `grid` is no operator.");
            }
            return stm.exp.for_each_part(&mut |part| match part {
                Part::Body(body) => self.body(body),
                Part::Lambda(_) | Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
        };
        if let Some(grid) = &stm.grid {
            self.grid(grid, operator);
        }
        let outer = self.forbidden;
        let in_lambda = std::mem::replace(&mut self.in_lambda, true);
        self.forbidden = outer.or((stm.grid.is_some() && operator.is_ordered()).then_some(IN_ORDERED));
        operator.lambda().iter().for_each(|lambda| self.body(&lambda.body));
        self.forbidden = Some(IN_REDUCTION);
        operator.reductions().iter().for_each(|lambda| self.body(&lambda.body));
        self.forbidden = outer;
        self.in_lambda = in_lambda;
    }

    /// T1 and T2. Its lambdas are code of the host, but for those of carries that combine two totals, and what says what is needed.
    fn task(&mut self, stm: &Stm, task: &Task) {
        if self.in_lambda {
            self.fail(Rule::T1, "A `task` stands in a lambda.");
        }
        if stm.grid.is_some() {
            self.fail(Rule::L2, "What stands in a `grid` is no operator that can be split.");
        }
        let is_scalar = |stm: &Stm| matches!(stm.exp, Exp::Scalar(_));
        if !task.windows.iter().all(|window| window.need.body.stms.iter().all(is_scalar)) {
            self.fail(Rule::T2, "The lambda of a window has more than scalars.");
        }
        let outer = std::mem::replace(&mut self.in_lambda, true);
        task.carries.iter().for_each(|carry| self.body(&carry.total.body));
        self.body(&task.lambda.body);
        task.joins.iter().filter_map(Join::operator).for_each(|op| self.body(&op.body));
        self.in_lambda = outer;
    }

    fn grid(&mut self, grid: &Grid, operator: &Operator) {
        if let Some((rule, why)) = self.forbidden {
            self.fail(rule, why);
        }
        if !operator.can_be_split() {
            self.fail(Rule::L2, "What stands in a `grid` is no operator that can be split.");
        }
        if let Some(rows) = grid.balance {
            let irregular = self.fun.vars[rows.0 as usize].ty.has_irregular_rows();
            if !irregular || !operator.inputs().contains(&rows) {
                self.fail(Rule::L3, "A `grid` is balanced by what is no input with irregular rows.");
            }
        }
    }
}
