//! Expressions that bind variables over several lines: `let` and `loop`.

use super::Printer;
use super::exp::is_chain;
use super::pat::written;
use crate::typed::{Exp, ExpKind, Fun, Loop, LoopForm};
use crate::types::VarId;

impl Printer<'_> {
    /// A chain of `let`s, each on a line of its own, and what comes after them.
    pub(super) fn binding(&mut self, e: &Exp) {
        let body = match &e.kind {
            ExpKind::LetPat { sizes, pat, bound, body } => {
                self.out.text("let ");
                self.size_binders(sizes);
                self.pat(pat);
                self.out.text(" =");
                self.behind(|this| this.exp(bound));
                body
            }
            ExpKind::LetFun { var, fun, body } => {
                self.local_function(*var, fun);
                body
            }
            ExpKind::LetWith { dest, source, steps, value, body, .. } => {
                let source = self.shower.var(*source);
                let dest = self.bind(*dest);
                self.out.text(format!("let {dest} = {source} with "));
                self.steps(steps, false);
                self.out.text(" =");
                self.behind(|this| this.exp(value));
                body
            }
            _ => return self.kind(e),
        };
        self.out.hard();
        if is_chain(body) {
            return self.with_exts(body);
        }
        self.out.text("in ");
        self.out.indent();
        self.exp(body);
        self.out.dedent();
    }

    fn local_function(&mut self, var: VarId, fun: &Fun) {
        if fun.tparams.is_empty() {
            self.monomorphic.insert(var);
        }
        let name = self.shower.var(var);
        self.out.open();
        self.out.text(format!("let {}", written(&name)));
        self.fun_head(fun);
        self.out.indent();
        self.out.line();
        self.exp(&fun.body);
        self.out.dedent();
        self.out.close();
    }

    pub(super) fn loop_exp(&mut self, l: &Loop) {
        self.out.open();
        self.out.text("loop ");
        self.size_binders(&l.sizes);
        self.param(&l.pat);
        self.out.text(" =");
        self.behind(|this| this.exp(&l.init));
        self.out.line();
        match &l.form {
            LoopForm::For(i, bound) => {
                let name = self.bind(*i);
                let ty = self.shower.ty(&bound.ty);
                self.out.text(format!("for ({name}: {ty}) < "));
                self.exp(bound);
            }
            LoopForm::ForIn(p, array) => {
                self.out.text("for ");
                self.param(p);
                self.out.text(" in ");
                self.exp(array);
            }
            LoopForm::While(condition) => {
                self.out.text("while ");
                self.exp(condition);
            }
        }
        self.out.text(" do");
        self.out.indent();
        self.out.line();
        self.exp(&l.body);
        self.out.dedent();
        self.out.close();
    }
}
