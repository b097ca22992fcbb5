//! Expressions of the typed tree as text.
//!
//! What is printed can be read as source, with more in it: type arguments, hidden sizes where they come into being, and types where
//! the text alone would not determine them.
//!
//! ```text
//! let big = ?[m] filter (> 10) xs
//! in (length big, big)
//! ```
//!
//! Parentheses are printed only where the grammar needs them: `Place` orders the places by how little may stand there, and
//! `needed` says in which an expression can stand by itself. Chains of `let` are printed one below the other without recursion
//! into the indentation.

use super::Printer;
use super::pat::{attribute, is_operator, is_tuple, literal, string, written};
use crate::typed::{Arg, DimIndex, Exp, ExpKind, Step};
use crate::types::{Ty, TyKind, VarId};
use norn_syntax::ast::RangeKind;

/// What may stand at a place without parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Anything,
    Operand,
    Argument,
}

impl Printer<'_> {
    pub(super) fn exp(&mut self, e: &Exp) {
        self.exp_at(e, Place::Anything);
    }

    fn exp_at(&mut self, e: &Exp, place: Place) {
        let open = if e.exts.is_empty() { needed(e) } else { Place::Anything };
        if place <= open {
            self.with_exts(e);
        } else {
            self.parenthesised(e);
        }
    }

    /// What spans lines of its own is indented; the parts of other expressions are anyway.
    fn parenthesised(&mut self, e: &Exp) {
        let deeper = is_chain(e) || matches!(e.kind, ExpKind::Match(..));
        self.out.text("(");
        if deeper {
            self.out.indent();
        }
        self.with_exts(e);
        if deeper {
            self.out.dedent();
        }
        self.out.text(")");
    }

    pub(super) fn with_exts(&mut self, e: &Exp) {
        if !e.exts.is_empty() {
            let exts = self.shower.exts(&e.exts);
            self.out.text(exts);
            if is_chain(e) {
                self.out.hard();
            } else {
                self.out.text(" ");
            }
        }
        self.kind(e);
    }

    pub(super) fn kind(&mut self, e: &Exp) {
        match &e.kind {
            ExpKind::Lit(lit) => self.out.text(literal(lit)),
            ExpKind::Str(bytes) => self.out.text(string(bytes)),
            ExpKind::Var(v) => self.var(*v, &e.ty),
            ExpKind::Hole => self.typed("???", &e.ty),
            ExpKind::Error => self.out.text("{error}"),
            ExpKind::Parens(x) => self.parenthesised(x),
            ExpKind::Record(fields) => {
                let tuple = is_tuple(fields.iter().map(|(f, _)| *f));
                let (open, close) = if tuple { ("(", ")") } else { ("{", "}") };
                self.enclosed(open, close, |this| {
                    this.separated(fields, |this, (field, x)| {
                        if !tuple {
                            this.out.text(format!("{field} = "));
                        }
                        this.exp(x);
                    });
                });
            }
            ExpKind::Array(xs) if xs.is_empty() => self.typed("[]", &e.ty),
            ExpKind::Array(xs) => self.enclosed("[", "]", |this| this.separated(xs, |this, x| this.exp(x))),
            ExpKind::Project(x, field) => {
                self.exp_at(x, Place::Argument);
                self.out.text(format!(".{field}"));
            }
            ExpKind::Index(x, dims) => {
                self.exp_at(x, Place::Argument);
                self.dims(dims);
            }
            ExpKind::Apply(f, args) => {
                self.out.open();
                self.exp_at(f, Place::Argument);
                self.out.indent();
                for a in args {
                    self.out.line();
                    self.arg(a, Place::Argument);
                }
                self.out.dedent();
                self.out.close();
            }
            ExpKind::BinOp(op, l, r) => {
                self.out.open();
                self.arg(l, Place::Operand);
                self.out.line();
                self.operator(op);
                self.out.text(" ");
                self.arg(r, Place::Operand);
                self.out.close();
            }
            ExpKind::LeftSection(op, x) => {
                self.out.text("(");
                self.arg(x, Place::Operand);
                self.out.text(" ");
                self.operator(op);
                self.out.text(")");
            }
            ExpKind::RightSection(op, x) => {
                self.out.text("(");
                self.operator(op);
                self.out.text(" ");
                self.arg(x, Place::Operand);
                self.out.text(")");
            }
            ExpKind::ProjSection(steps) => {
                self.out.text("(");
                if let Some(Step::Index(_)) = steps.first() {
                    self.out.text(".");
                }
                self.steps(steps, true);
                let ty = self.shower.ty(&e.ty);
                self.out.text(format!(" : {ty})"));
            }
            ExpKind::Constr(c, xs) => {
                self.out.open();
                self.out.text(format!("(#{c}"));
                self.out.indent();
                for x in xs {
                    self.out.line();
                    self.exp_at(x, Place::Argument);
                }
                self.out.line();
                let ty = self.shower.ty(&e.ty);
                self.out.text(format!(": {ty})"));
                self.out.dedent();
                self.out.close();
            }
            ExpKind::Negate(x) => {
                self.out.text("-");
                self.exp_at(x, Place::Argument);
            }
            ExpKind::Not(x) => {
                self.out.text("!");
                self.exp_at(x, Place::Argument);
            }
            ExpKind::Ascript(x) => self.ascribed(x, ":", &e.ty),
            ExpKind::Coerce(x) => self.ascribed(x, ":>", &e.ty),
            ExpKind::Range { start, second, kind, end } => {
                self.exp_at(start, Place::Operand);
                if let Some(second) = second {
                    self.out.text("..");
                    self.exp_at(second, Place::Operand);
                }
                self.out.text(match kind {
                    RangeKind::To => "...",
                    RangeKind::UpTo => "..<",
                    RangeKind::DownTo => "..>",
                });
                self.exp_at(end, Place::Operand);
            }
            ExpKind::If(c, a, b) => {
                self.out.open();
                self.out.text("if ");
                self.exp(c);
                for (word, x) in [("then ", a), ("else ", b)] {
                    self.out.line();
                    self.out.text(word);
                    self.out.indent();
                    if is_chain(x) {
                        self.out.hard();
                    }
                    self.exp(x);
                    self.out.dedent();
                }
                self.out.close();
            }
            ExpKind::LetPat { .. } | ExpKind::LetFun { .. } | ExpKind::LetWith { .. } => self.binding(e),
            ExpKind::Lambda { params, body, ret, .. } => {
                self.out.open();
                self.out.text("\\");
                for p in params {
                    self.param(p);
                    self.out.text(" ");
                }
                let ret = match &*ret.ty {
                    TyKind::Arrow(_) if ret.exts.is_empty() => self.shower.operand_ty(&ret.ty),
                    _ => self.shower.ret(ret),
                };
                self.out.text(format!(": {ret} ->"));
                self.out.indent();
                self.out.line();
                self.exp(body);
                self.out.dedent();
                self.out.close();
            }
            ExpKind::Loop(l) => self.loop_exp(l),
            ExpKind::Match(x, cases) => {
                self.out.text("match ");
                self.exp(x);
                for case in cases {
                    self.out.hard();
                    self.out.text("case ");
                    self.pat(&case.pat);
                    self.out.text(" ->");
                    self.behind(|this| this.exp(&case.body));
                }
            }
            ExpKind::Assert(c, x) => {
                self.out.text("assert ");
                self.exp_at(c, Place::Argument);
                self.behind(|this| this.exp_at(x, Place::Argument));
            }
            ExpKind::Update(x, steps, value) => {
                self.exp_at(x, Place::Operand);
                self.out.text(" with ");
                self.steps(steps, false);
                self.out.text(" =");
                self.behind(|this| this.exp_at(value, Place::Operand));
            }
            ExpKind::Attr(attr, x) => {
                self.out.text(format!("#[{}] ", attribute(&attr.kind)));
                self.exp_at(x, Place::Operand);
            }
        }
    }

    fn var(&mut self, v: VarId, ty: &Ty) {
        let name = self.shower.var(v);
        self.out.text(written(&name));
        self.instance(v, ty);
    }

    fn operator(&mut self, op: &Exp) {
        match &op.kind {
            ExpKind::Var(v) => {
                let name = self.shower.var(*v);
                let name = if is_operator(&name) { name } else { format!("`{name}`") };
                self.out.text(name);
                self.instance(*v, &op.ty);
            }
            // A field of a record.
            _ => {
                self.out.text("`");
                self.exp_at(op, Place::Argument);
                self.out.text("`");
            }
        }
    }

    fn instance(&mut self, v: VarId, ty: &Ty) {
        if self.options.instances && !self.monomorphic.contains(&v) && !is_obvious(ty) {
            let ty = self.shower.ty(ty);
            self.out.text(format!("{{: {ty}}}"));
        }
    }

    fn arg(&mut self, a: &Arg, place: Place) {
        match a.ext {
            Some(v) => {
                let name = self.shower.var(v);
                self.out.text(format!("([{name}] = "));
                self.out.indent();
                self.exp(&a.exp);
                self.out.dedent();
                self.out.text(")");
            }
            None => self.exp_at(&a.exp, place),
        }
    }

    fn typed(&mut self, text: &str, ty: &Ty) {
        let ty = self.shower.ty(ty);
        self.out.text(format!("({text} : {ty})"));
    }

    fn ascribed(&mut self, x: &Exp, sign: &str, ty: &Ty) {
        self.exp_at(x, Place::Operand);
        let ty = self.shower.ty(ty);
        self.behind(|this| this.out.text(format!("{sign} {ty}")));
    }

    pub(super) fn steps(&mut self, steps: &[Step], section: bool) {
        for (i, step) in steps.iter().enumerate() {
            match step {
                Step::Field(f) if i == 0 && !section => self.out.text(f.as_str()),
                Step::Field(f) => self.out.text(format!(".{f}")),
                Step::Index(dims) => self.dims(dims),
            }
        }
    }

    fn dims(&mut self, dims: &[DimIndex]) {
        self.enclosed("[", "]", |this| this.separated(dims, |this, d| this.dim(d)));
    }

    fn dim(&mut self, d: &DimIndex) {
        match d {
            DimIndex::Fix(x) => self.exp(x),
            DimIndex::Slice { start, end, stride } => {
                if let Some(x) = start {
                    self.exp_at(x, Place::Operand);
                }
                self.out.text(":");
                if let Some(x) = end {
                    self.exp_at(x, Place::Operand);
                }
                if let Some(x) = stride {
                    self.out.text(":");
                    self.exp_at(x, Place::Operand);
                }
            }
        }
    }
}

/// Whether an expression is a chain of `let`s.
pub(super) fn is_chain(e: &Exp) -> bool {
    matches!(e.kind, ExpKind::LetPat { .. } | ExpKind::LetFun { .. } | ExpKind::LetWith { .. })
}

/// The strictest place where an expression can stand as it is.
fn needed(e: &Exp) -> Place {
    match &e.kind {
        ExpKind::Lit(_)
        | ExpKind::Str(_)
        | ExpKind::Var(_)
        | ExpKind::Hole
        | ExpKind::Error
        | ExpKind::Parens(_)
        | ExpKind::Record(_)
        | ExpKind::Array(_)
        | ExpKind::Project(..)
        | ExpKind::Index(..)
        | ExpKind::LeftSection(..)
        | ExpKind::RightSection(..)
        | ExpKind::ProjSection(_)
        | ExpKind::Constr(..) => Place::Argument,
        ExpKind::Apply(..)
        | ExpKind::BinOp(..)
        | ExpKind::Negate(_)
        | ExpKind::Not(_)
        | ExpKind::Assert(..)
        | ExpKind::Attr(..) => Place::Operand,
        ExpKind::Ascript(_)
        | ExpKind::Coerce(_)
        | ExpKind::Range { .. }
        | ExpKind::If(..)
        | ExpKind::LetPat { .. }
        | ExpKind::LetFun { .. }
        | ExpKind::LetWith { .. }
        | ExpKind::Lambda { .. }
        | ExpKind::Loop(_)
        | ExpKind::Match(..)
        | ExpKind::Update(..) => Place::Anything,
    }
}

/// Whether an instance says nothing that its operands do not: a function of numbers.
fn is_obvious(ty: &Ty) -> bool {
    match &**ty {
        TyKind::Prim(_) => true,
        TyKind::Arrow(a) => matches!(&*a.arg, TyKind::Prim(_)) && is_obvious(&a.ret.ty),
        _ => false,
    }
}
