//! What may fail, or show something: the table of functions that passes consult before they remove, repeat or move a statement.
//!
//! Failures are an effect, and so are calls of the function that shows words (`nest::observe`). What shows something counts as what may fail, and
//! is moved or merged even less. A function may fail if a check stands in it, if it calls one
//! that may fail, or if it is recursive, since recursion can be too deep. A loop that does not end
//! is no failure: it may be removed, unless a result of it is needed. A result may be known before the loop has ended (a loop parameter
//! that never changes). Such a loop gets the attribute `awaited`, and counts as something that may fail.

use norn_ir::nest::calls::{call_groups, callees};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Body, ControlExp, Exp, FunId, Prog, Showing, Stm};

/// The attribute of a loop that must run to its end although nothing that it computes is needed.
pub const AWAITED: &str = "awaited";

pub struct Effects {
    may_fail: Vec<bool>,
    recursive: Vec<bool>,
    const_funs: Vec<FunId>,
    showing: Showing,
}

pub fn effects(prog: &Prog) -> Effects {
    let mut found = Effects {
        may_fail: vec![false; prog.funs.len()],
        recursive: vec![false; prog.funs.len()],
        const_funs: prog.consts.iter().map(|constant| constant.fun).collect(),
        showing: Showing::of(prog),
    };
    for group in call_groups(prog) {
        let recursive = group.len() > 1
            || group.iter().any(|id| {
                let index = id.0 as usize;
                callees(prog, &prog.funs[index].body).contains(&index)
            });
        let shows = found.showing.fun(group[0]);
        let fails =
            shows || recursive || group.iter().any(|id| found.body_fails(&prog.funs[id.0 as usize].body));
        for id in group {
            found.may_fail[id.0 as usize] = fails;
            found.recursive[id.0 as usize] = recursive;
        }
    }
    found
}

impl Effects {
    pub fn is_recursive(&self, fun: FunId) -> bool {
        self.recursive[fun.0 as usize]
    }

    /// Whether the statement may show something.
    pub fn stm_shows(&self, stm: &Stm) -> bool {
        self.showing.exp(&stm.exp)
    }

    /// Whether the expression itself, its bodies aside, may fail.
    pub fn fails_itself(&self, exp: &Exp) -> bool {
        match exp {
            Exp::Control(ControlExp::Check(_)) => true,
            Exp::Control(ControlExp::Call { fun, args: _ }) => self.may_fail[fun.0 as usize],
            Exp::Control(ControlExp::Const(id)) => self.may_fail[self.const_funs[id.0 as usize].0 as usize],
            Exp::Scalar(_)
            | Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. } | ControlExp::Loop { .. })
            | Exp::Array(_)
            | Exp::Op(_)
            | Exp::Cell(_) => false,
        }
    }

    /// Whether the statement itself, its bodies aside, may fail, or must run to its end.
    pub fn stm_fails_itself(&self, stm: &Stm) -> bool {
        stm.attrs.iter().any(|attr| attr == AWAITED) || self.fails_itself(&stm.exp)
    }

    pub fn stm_fails(&self, stm: &Stm) -> bool {
        self.stm_fails_itself(stm) || self.exp_fails(&stm.exp)
    }

    pub fn exp_fails(&self, exp: &Exp) -> bool {
        let mut fails = self.fails_itself(exp);
        exp.for_each_part(&mut |part| match part {
            Part::Body(body) => fails = fails || self.body_fails(body),
            Part::Lambda(lambda) => fails = fails || self.body_fails(&lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        fails
    }

    pub fn body_fails(&self, body: &Body) -> bool {
        body.stms.iter().any(|stm| self.stm_fails(stm))
    }
}
