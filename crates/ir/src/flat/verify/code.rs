//! K1: what stands in host, group, thread and cpu code; K3: no `?` in host code.
//!
//! What is on which side is for `side` to say.

use super::side::Sides;
use crate::flat::{CPU, Dim, Fun, HOST, Kernel, Level, Operator, Out, Part, Prog, Stm, THREAD, Type, Var};
use crate::skeleton::outline::Outline;
use crate::skeleton::print::Printer;
use crate::skeleton::verify::{Rule, Violation};
use crate::skeleton::{ArrayExp, Body, ControlExp, Exp, FunId, Operators, Param};

/// Who runs a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Host,
    Group,
    Thread,
    Cpu,
}

pub fn verify_code(prog: &Prog) -> Vec<Violation> {
    let outline = prog.outline();
    let mut violations = Vec::new();
    for fun in &prog.funs {
        let mut checker = CodeChecker { prog, outline: &outline, fun, violations: Vec::new() };
        match place_of(fun) {
            Some(place) => {
                fun.params.iter().for_each(|param| checker.bound(param.var, place));
                if place == Place::Host && fun.ret.iter().any(|ret| ret.ty.dims().contains(&Dim::Irregular)) {
                    checker.fail(Rule::K3, "A result has rows whose lengths no descriptor has.");
                }
                checker.body(&fun.body, place);
                if place == Place::Host {
                    checker.violations.extend(Sides::verify(prog, &outline, fun));
                }
            }
            None => checker.fail(Rule::K1, "The function is not one of `host`, `thread` and `cpu`."),
        }
        violations.append(&mut checker.violations);
    }
    violations
}

/// Whose code a function is.
pub fn place_of(fun: &Fun) -> Option<Place> {
    let words = [(HOST, Place::Host), (THREAD, Place::Thread), (CPU, Place::Cpu)];
    let mut found = words.into_iter().filter(|(word, _)| fun.attrs.iter().any(|attr| attr == word));
    let (_, place) = found.next()?;
    found.next().is_none().then_some(place)
}

struct CodeChecker<'a> {
    prog: &'a Prog,
    outline: &'a Outline<'a>,
    fun: &'a Fun,
    violations: Vec<Violation>,
}

impl CodeChecker<'_> {
    fn fail(&mut self, rule: Rule, message: impl Into<String>) {
        let fun = Some(self.fun.name.clone());
        self.violations.push(Violation { rule, fun, message: message.into() });
    }

    fn show(&self, var: Var) -> String {
        format!("`{}`", Printer::of_fun(self.outline, self.fun.head()).var(var))
    }

    /// A variable that is bound in code of this kind.
    fn bound(&mut self, var: Var, place: Place) {
        let info = &self.fun.vars[var.0 as usize];
        if place == Place::Host && info.ty.dims().contains(&Dim::Irregular) {
            let name = self.show(var);
            self.fail(Rule::K3, format!("{name} has rows whose lengths no descriptor has."));
        }
        let extra = info.side.is_some() || (info.bound.is_some() && place != Place::Group);
        if place != Place::Host && extra {
            let name = self.show(var);
            self.fail(Rule::K1, format!("{name} has a side or a bound, but is not bound in host code."));
        }
    }

    fn body(&mut self, body: &Body<Operator>, place: Place) {
        body.stms.iter().for_each(|stm| self.stm(stm, place));
    }

    fn stm(&mut self, stm: &Stm, place: Place) {
        stm.vars.iter().for_each(|var| self.bound(*var, place));
        match &stm.exp {
            Exp::Op(op @ Operator::Kernel(kernel)) => return self.kernel(kernel, op, place),
            Exp::Op(op) => self.operator(op, place),
            Exp::Array(exp) if place == Place::Host => self.host_array(exp, stm),
            Exp::Control(ControlExp::Call { fun, args: _ }) => self.call(*fun, place),
            Exp::Scalar(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Control(_) => {}
        }
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => self.body(body, place),
            Part::Binder(var) => self.bound(*var, place),
            Part::Lambda(lambda) => self.body(&lambda.body, place),
            Part::Atom(_) | Part::Var(_) => {}
        });
    }

    fn kernel(&mut self, kernel: &Kernel, op: &Operator, place: Place) {
        let inside = match (kernel.level, place) {
            (Level::Grid, Place::Host) => Some(Place::Thread),
            (Level::Groups, Place::Host) => Some(Place::Group),
            (Level::Group, Place::Group) => Some(Place::Thread),
            (Level::Seq, Place::Group | Place::Thread) => Some(Place::Thread),
            (Level::Seq, Place::Cpu) => Some(Place::Cpu),
            (Level::Grid | Level::Groups | Level::Group | Level::Seq, _) => None,
        };
        let Some(inside) = inside else {
            let name = kernel.level.name();
            return self.fail(Rule::K1, format!("`{name}` stands in {}.", words(place)));
        };
        if kernel.level == Level::Groups && !kernel.through.is_empty() {
            self.fail(Rule::K1, "`groups` goes through something: a group is there for each point.");
        }
        self.body(&kernel.body, inside);
        // Operators are applied by threads, wherever the body runs.
        let applied = if inside == Place::Group { Place::Thread } else { inside };
        op.for_each_part(&mut |part| {
            if let Part::Lambda(lambda) = part {
                self.body(&lambda.body, applied);
            }
        });
        for out in &kernel.outs {
            if let Out::Acc { var, .. } = out {
                self.bound(*var, inside);
            }
        }
    }

    fn operator(&mut self, op: &Operator, place: Place) {
        let (name, allowed) = match op {
            Operator::Kernel(_) => return,
            Operator::Describe { .. } => ("describe", place == Place::Host),
            Operator::Rows { .. } => ("rows", place == Place::Host),
            Operator::Read(_) => ("read", place == Place::Host),
            Operator::CopyTo { .. } => ("copy", place == Place::Host),
            Operator::Choose { .. } => ("choose", place == Place::Host),
            Operator::Fact { .. } => return,
            Operator::Owner { .. } => ("owner", place != Place::Host),
            Operator::Offset { .. } => ("offset", place != Place::Host),
        };
        if !allowed {
            self.fail(Rule::K1, format!("`{name}` stands in {}.", words(place)));
        }
    }

    /// Host code has views, but sees no element.
    fn host_array(&mut self, exp: &ArrayExp, stm: &Stm) {
        match exp {
            ArrayExp::Index { .. } => {
                let is_scalar = |var: &Var| matches!(&self.fun.vars[var.0 as usize].ty, ty if ty.is_scalar());
                if stm.vars.last().is_some_and(is_scalar) {
                    self.fail(Rule::K1, "Host code takes an element out of an array.");
                }
            }
            ArrayExp::Update { .. }
            | ArrayExp::FlatUpdate { .. }
            | ArrayExp::AccWrite { .. }
            | ArrayExp::Lengths(_)
            | ArrayExp::Ends(_) => self.fail(Rule::K1, "Host code goes through an array without a kernel."),
            ArrayExp::ArrayLit(_)
            | ArrayExp::Range { .. }
            | ArrayExp::Replicate { .. }
            | ArrayExp::Concat { .. }
            | ArrayExp::Reshape { .. }
            | ArrayExp::Rearrange { .. }
            | ArrayExp::Copy(_)
            | ArrayExp::Coerce { .. }
            | ArrayExp::FlatIndex { .. }
            | ArrayExp::JoinRows(_)
            | ArrayExp::Segment { .. } => {}
        }
    }

    fn call(&mut self, fun: FunId, place: Place) {
        let callee = &self.prog.funs[fun.0 as usize];
        let allowed = match (place, place_of(callee)) {
            (Place::Host, Some(Place::Host | Place::Cpu)) => true,
            (Place::Group | Place::Thread, Some(Place::Thread)) => true,
            (Place::Cpu, Some(Place::Cpu)) => true,
            (Place::Host | Place::Group | Place::Thread | Place::Cpu, _) => false,
        };
        if !allowed {
            let name = &callee.name;
            self.fail(
                Rule::K1,
                format!("`{name}`, which is no function for it, is called in {}.", words(place)),
            );
        }
        let has_acc = |param: &Param| matches!(callee.vars[param.var.0 as usize].ty, Type::Acc(_));
        if callee.params.iter().any(has_acc) {
            self.fail(
                Rule::K1,
                format!("`{}` is given an accumulator, which only kernels write to.", callee.name),
            );
        }
    }
}

fn words(place: Place) -> &'static str {
    match place {
        Place::Host => "host code",
        Place::Group => "group code",
        Place::Thread => "thread code",
        Place::Cpu => "a cpu function",
    }
}
