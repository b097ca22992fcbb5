//! Expressions as sizes.
//!
//! An expression can be a size if it binds nothing; its value is then the same wherever its
//! variables are.

use crate::typed::{Arg, DimIndex, Exp, ExpKind, Lit, Step};
use crate::types::{Prim, Size, SizeHead, SizeTerm};
use norn_base::Symbol;
use norn_syntax::ast::RangeKind;
use std::rc::Rc;

/// The size that an expression denotes; `None` if it binds something.
pub fn exp_size(e: &Exp) -> Option<Size> {
    let term = |head: SizeHead, args: Vec<Size>| Some(Size::Term(Rc::new(SizeTerm { head, args })));
    match &e.kind {
        ExpKind::Lit(Lit::Int(Prim::I64, v)) => i64::try_from(*v).ok().map(Size::Const),
        ExpKind::Lit(lit) => term(SizeHead::Lit(Symbol::new(&literal_text(*lit))), Vec::new()),
        ExpKind::Str(bytes) => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            term(SizeHead::Lit(Symbol::new(&format!("{text:?}"))), Vec::new())
        }
        ExpKind::Var(v) => Some(Size::Var(*v)),
        ExpKind::Hole => term(SizeHead::Hole, Vec::new()),
        ExpKind::Parens(e) | ExpKind::Attr(_, e) | ExpKind::Ascript(e) | ExpKind::Coerce(e) => exp_size(e),
        ExpKind::Record(fields) => {
            let names = fields.iter().map(|(f, _)| *f).collect();
            let args = fields.iter().map(|(_, e)| exp_size(e)).collect::<Option<_>>()?;
            term(SizeHead::Record(names), args)
        }
        ExpKind::Array(es) => term(SizeHead::Array, all(es)?),
        ExpKind::Project(e, f) => term(SizeHead::Project(*f), vec![exp_size(e)?]),
        ExpKind::Index(e, dims) => {
            let mut args = vec![exp_size(e)?];
            for d in dims {
                args.push(dim_size(d)?);
            }
            term(SizeHead::Index, args)
        }
        ExpKind::Apply(f, xs) => {
            let mut args = vec![exp_size(f)?];
            for x in xs {
                args.push(exp_size(&x.exp)?);
            }
            call(args)
        }
        ExpKind::BinOp(op, l, r) => call(vec![exp_size(op)?, exp_size(&l.exp)?, exp_size(&r.exp)?]),
        ExpKind::LeftSection(op, x) => section(SizeHead::LeftSection, op, x),
        ExpKind::RightSection(op, x) => section(SizeHead::RightSection, op, x),
        ExpKind::ProjSection(steps) => term(SizeHead::ProjSection(fields_only(steps)?), Vec::new()),
        ExpKind::Constr(c, es) => term(SizeHead::Constr(*c), all(es)?),
        ExpKind::Negate(e) => match exp_size(e)? {
            Size::Const(c) => Some(Size::Const(c.wrapping_neg())),
            s => term(SizeHead::Negate, vec![s]),
        },
        ExpKind::Not(e) => term(SizeHead::Not, vec![exp_size(e)?]),
        ExpKind::Range { start, second, kind, end } => {
            let kind = match kind {
                RangeKind::To => 0,
                RangeKind::UpTo => 1,
                RangeKind::DownTo => 2,
            };
            let mut args = vec![exp_size(start)?];
            if let Some(s) = second {
                args.push(exp_size(s)?);
            }
            args.push(exp_size(end)?);
            term(SizeHead::Range(kind), args)
        }
        ExpKind::If(c, a, b) => term(SizeHead::If, vec![exp_size(c)?, exp_size(a)?, exp_size(b)?]),
        // The value is that of the guarded expression.
        ExpKind::Assert(_, e) => exp_size(e),
        ExpKind::Update(e, steps, v) => {
            term(SizeHead::Update(fields_only(steps)?), vec![exp_size(e)?, exp_size(v)?])
        }
        ExpKind::LetPat { .. }
        | ExpKind::LetFun { .. }
        | ExpKind::LetWith { .. }
        | ExpKind::Lambda { .. }
        | ExpKind::Loop(_)
        | ExpKind::Match(..) => None,
        ExpKind::Error => Some(Size::Any),
    }
}

/// A call of a call is one call with all arguments.
fn call(args: Vec<Size>) -> Option<Size> {
    let mut it = args.into_iter();
    let head = it.next()?;
    let rest: Vec<Size> = it.collect();
    let args = match &head {
        Size::Term(t) if t.head == SizeHead::Call => t.args.iter().cloned().chain(rest).collect(),
        _ => std::iter::once(head).chain(rest).collect(),
    };
    Some(Size::Term(Rc::new(SizeTerm { head: SizeHead::Call, args })))
}

fn all(es: &[Exp]) -> Option<Vec<Size>> {
    es.iter().map(exp_size).collect()
}

fn section(head: SizeHead, op: &Exp, x: &Arg) -> Option<Size> {
    let args = vec![exp_size(op)?, exp_size(&x.exp)?];
    Some(Size::Term(Rc::new(SizeTerm { head, args })))
}

fn fields_only(steps: &[Step]) -> Option<Vec<Symbol>> {
    steps
        .iter()
        .map(|s| match s {
            Step::Field(f) => Some(*f),
            Step::Index(_) => None,
        })
        .collect()
}

fn dim_size(d: &DimIndex) -> Option<Size> {
    match d {
        DimIndex::Fix(e) => exp_size(e),
        DimIndex::Slice { start, end, stride } => {
            let absent = || Size::Term(Rc::new(SizeTerm { head: SizeHead::Tuple, args: Vec::new() }));
            let part = |e: &Option<Exp>| match e {
                Some(e) => exp_size(e),
                None => Some(absent()),
            };
            let args = vec![part(start)?, part(end)?, part(stride)?];
            Some(Size::Term(Rc::new(SizeTerm { head: SizeHead::Tuple, args })))
        }
    }
}

fn literal_text(lit: Lit) -> String {
    match lit {
        Lit::Bool(b) => b.to_string(),
        Lit::Int(p, v) => format!("{v}{}", p.name()),
        Lit::Float(p, v) => format!("{v:?}{}", p.name()),
    }
}
