//! Types and sizes as the user would write them.
//!
//! Two different variables of one name in one message are distinguished by a subscript.

use crate::types::{
    Arrow, Diet, Names, RetTy, Scheme, Size, SizeHead, SizeTerm, TParam, Ty, TyArg, TyId, TyKind, VarId,
    is_tuple,
};
use norn_base::Symbol;
use norn_syntax::ast::Liftedness;
use rustc_hash::FxHashMap;
use std::fmt::Write;

pub fn show_ty(names: &Names, t: &Ty) -> String {
    Shower::new(names).ty(t)
}

pub fn show_scheme(names: &Names, scheme: &Scheme) -> String {
    let mut shower = Shower::new(names);
    let mut out = shower.tparams(&scheme.tparams);
    if !out.is_empty() {
        out.push_str(". ");
    }
    out + &shower.ty(&scheme.ty)
}

/// Prints several things of one message.
pub struct Shower<'a> {
    names: &'a Names,
    /// The variables printed so far under each name.
    seen: FxHashMap<Symbol, Vec<VarId>>,
    /// The same for type names, if those are distinguished too.
    seen_types: Option<FxHashMap<Symbol, Vec<TyId>>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Context {
    /// Anything may stand here.
    Top,
    /// Left of an arrow, or the element of an array: no arrow without parentheses.
    Operand,
    /// A type argument or a payload: one word, or in parentheses.
    Atom,
}

impl<'a> Shower<'a> {
    pub fn new(names: &'a Names) -> Shower<'a> {
        Shower { names, seen: FxHashMap::default(), seen_types: None }
    }

    /// For a whole program, where also different types of one name are distinguished.
    pub fn for_program(names: &'a Names) -> Shower<'a> {
        Shower { names, seen: FxHashMap::default(), seen_types: Some(FxHashMap::default()) }
    }

    pub fn ty(&mut self, t: &Ty) -> String {
        let mut out = String::new();
        self.write_ty(&mut out, t, Context::Top);
        out
    }

    /// A type that stands left of an arrow.
    pub fn operand_ty(&mut self, t: &Ty) -> String {
        let mut out = String::new();
        self.write_ty(&mut out, t, Context::Operand);
        out
    }

    pub fn ret(&mut self, r: &RetTy) -> String {
        let mut out = String::new();
        self.write_ret(&mut out, r);
        out
    }

    pub fn size(&mut self, s: &Size) -> String {
        let mut out = String::new();
        self.write_size(&mut out, s, 0);
        out
    }

    pub fn tparams(&mut self, tparams: &[TParam]) -> String {
        let parts: Vec<String> = tparams
            .iter()
            .map(|p| match p {
                TParam::Size(v) => format!("[{}]", self.var(*v)),
                TParam::Type(id, l) => format!("'{}{}", lifted_mark(*l), self.ty_name(*id)),
            })
            .collect();
        parts.join(" ")
    }

    pub fn var(&mut self, v: VarId) -> String {
        let name = self.names.var(v).name;
        numbered(name, self.seen.entry(name).or_default(), v)
    }

    pub fn ty_name(&mut self, id: TyId) -> String {
        let name = self.names.ty(id).name;
        match &mut self.seen_types {
            Some(seen) => numbered(name, seen.entry(name).or_default(), id),
            None => name.to_string(),
        }
    }

    /// `?[k][m].`, or nothing.
    pub fn exts(&mut self, exts: &[VarId]) -> String {
        let mut out = String::new();
        self.write_exts(&mut out, exts);
        out
    }

    fn write_ret(&mut self, out: &mut String, r: &RetTy) {
        self.write_exts(out, &r.exts);
        self.write_ty(out, &r.ty, Context::Top);
    }

    fn write_exts(&mut self, out: &mut String, exts: &[VarId]) {
        if !exts.is_empty() {
            out.push('?');
            for v in exts {
                let v = self.var(*v);
                let _ = write!(out, "[{v}]");
            }
            out.push('.');
        }
    }

    fn write_ty(&mut self, out: &mut String, t: &Ty, cx: Context) {
        match &**t {
            TyKind::Prim(p) => out.push_str(p.name()),
            TyKind::Meta(_) => out.push('_'),
            TyKind::Error => out.push('_'),
            TyKind::Con(id, args) => {
                let parens = cx == Context::Atom && !args.is_empty();
                open_if(out, parens);
                let name = self.ty_name(*id);
                out.push_str(&name);
                for a in args {
                    out.push(' ');
                    match a {
                        TyArg::Size(s) => self.write_dim(out, s),
                        TyArg::Type(t) => self.write_ty(out, t, Context::Atom),
                    }
                }
                close_if(out, parens);
            }
            TyKind::Array(size, elem) => {
                let parens = cx == Context::Atom;
                open_if(out, parens);
                self.write_dim(out, size);
                self.write_ty(out, elem, Context::Operand);
                close_if(out, parens);
            }
            TyKind::Unique(t) => {
                out.push('*');
                self.write_ty(out, t, Context::Operand);
            }
            TyKind::Record(fields) if is_tuple(fields) => {
                out.push('(');
                for (i, (_, t)) in fields.iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    self.write_ty(out, t, Context::Top);
                }
                out.push(')');
            }
            TyKind::Record(fields) => {
                out.push('{');
                for (i, (f, t)) in fields.iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    let _ = write!(out, "{f}: ");
                    self.write_ty(out, t, Context::Top);
                }
                out.push('}');
            }
            TyKind::Sum(constrs) => {
                let parens = cx != Context::Top;
                open_if(out, parens);
                for (i, (c, ts)) in constrs.iter().enumerate() {
                    if i > 0 {
                        out.push_str(" | ");
                    }
                    let _ = write!(out, "#{c}");
                    for t in ts {
                        out.push(' ');
                        self.write_ty(out, t, Context::Atom);
                    }
                }
                close_if(out, parens);
            }
            TyKind::Arrow(arrow) => {
                let parens = cx != Context::Top;
                open_if(out, parens);
                self.write_arrow(out, arrow);
                close_if(out, parens);
            }
        }
    }

    fn write_arrow(&mut self, out: &mut String, arrow: &Arrow) {
        let used = arrow.param.filter(|p| crate::subst::mentions_var(&arrow.ret.ty, *p));
        let star = if arrow.diet == Diet::Consume { "*" } else { "" };
        if let Some(p) = used {
            let p = self.var(p);
            let _ = write!(out, "({p}: {star}");
            self.write_ty(out, &arrow.arg, Context::Top);
            out.push(')');
        } else {
            out.push_str(star);
            self.write_ty(out, &arrow.arg, Context::Operand);
        }
        out.push_str(" -> ");
        self.write_ret(out, &arrow.ret);
    }

    fn write_dim(&mut self, out: &mut String, size: &Size) {
        out.push('[');
        match size {
            Size::Any => {}
            size => self.write_size(out, size, 0),
        }
        out.push(']');
    }

    /// `level`: 0 anything, 1 operand of an operator, 2 argument of a function.
    fn write_size(&mut self, out: &mut String, size: &Size, level: u8) {
        match size {
            Size::Const(c) => {
                let _ = write!(out, "{c}");
            }
            Size::Var(v) => {
                let v = self.var(*v);
                out.push_str(&v);
            }
            Size::Irregular => out.push('?'),
            Size::Any => out.push('_'),
            Size::Term(term) => self.write_term(out, term, level),
        }
    }

    fn write_term(&mut self, out: &mut String, term: &SizeTerm, level: u8) {
        match &term.head {
            SizeHead::Call => {
                let parens = level > 0;
                if let (Size::Var(op), [_, l, r]) = (&term.args[0], &term.args[..])
                    && !self
                        .names
                        .var(*op)
                        .name
                        .as_str()
                        .starts_with(|c: char| c.is_alphanumeric() || c == '_')
                {
                    open_if(out, parens);
                    self.write_size(out, l, 1);
                    let _ = write!(out, "{}", self.names.var(*op).name);
                    self.write_size(out, r, 1);
                    close_if(out, parens);
                    return;
                }
                open_if(out, parens);
                for (i, a) in term.args.iter().enumerate() {
                    if i > 0 {
                        out.push(' ');
                    }
                    self.write_size(out, a, 2);
                }
                close_if(out, parens);
            }
            SizeHead::Project(f) => {
                self.write_size(out, &term.args[0], 2);
                let _ = write!(out, ".{f}");
            }
            SizeHead::Negate => {
                out.push('-');
                self.write_size(out, &term.args[0], 2);
            }
            SizeHead::Lit(text) => out.push_str(text.as_str()),
            SizeHead::Index => {
                self.write_size(out, &term.args[0], 2);
                self.write_list(out, "[", &term.args[1..], "]");
            }
            SizeHead::Tuple => self.write_list(out, "(", &term.args, ")"),
            SizeHead::Array => self.write_list(out, "[", &term.args, "]"),
            SizeHead::If => {
                open_if(out, level > 0);
                for (word, a) in ["if ", " then ", " else "].iter().zip(&term.args) {
                    out.push_str(word);
                    self.write_size(out, a, 0);
                }
                close_if(out, level > 0);
            }
            SizeHead::Constr(c) => {
                let _ = write!(out, "#{c}");
                for a in &term.args {
                    out.push(' ');
                    self.write_size(out, a, 2);
                }
            }
            SizeHead::Record(fields) => {
                out.push('{');
                for (i, (f, a)) in fields.iter().zip(&term.args).enumerate() {
                    let _ = write!(out, "{}{f} = ", if i > 0 { ", " } else { "" });
                    self.write_size(out, a, 0);
                }
                out.push('}');
            }
            SizeHead::Not
            | SizeHead::LeftSection
            | SizeHead::RightSection
            | SizeHead::ProjSection(_)
            | SizeHead::Range(_)
            | SizeHead::Update(_)
            | SizeHead::Hole => self.write_list(out, "<", &term.args, ">"),
        }
    }

    fn write_list(&mut self, out: &mut String, open: &str, args: &[Size], close: &str) {
        out.push_str(open);
        for (i, a) in args.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.write_size(out, a, 0);
        }
        out.push_str(close);
    }
}

/// The name of `id` among the identities that have been printed under the same name.
fn numbered<T: Copy + PartialEq>(name: Symbol, same: &mut Vec<T>, id: T) -> String {
    let i = same.iter().position(|other| *other == id).unwrap_or_else(|| {
        same.push(id);
        same.len() - 1
    });
    if i == 0 { name.to_string() } else { format!("{name}{}", subscript(i)) }
}

pub fn lifted_mark(l: Liftedness) -> &'static str {
    match l {
        Liftedness::Unlifted => "",
        Liftedness::SizeLifted => "~",
        Liftedness::Lifted => "^",
    }
}

fn open_if(out: &mut String, parens: bool) {
    if parens {
        out.push('(');
    }
}

fn close_if(out: &mut String, parens: bool) {
    if parens {
        out.push(')');
    }
}

fn subscript(i: usize) -> String {
    i.to_string().chars().map(|c| char::from_u32(0x2080 + c as u32 - '0' as u32).unwrap_or(c)).collect()
}
