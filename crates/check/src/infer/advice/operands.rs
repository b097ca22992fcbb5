//! Advice on operators: arrays, numbers of two types, and operators that mean something else here.

use super::{Advice, Infer};
use crate::env::Value;
use crate::types::{Prim, Ty, TyKind};
use norn_base::{Diagnostic, Fix, Span};
use norn_syntax::ast::{Exp, ExpKind, Lit, Op};

impl Infer<'_> {
    pub(super) fn advise_operator(&self, d: Diagnostic, l: &Exp, op: &Op, r: &Exp, span: Span) -> Advice {
        let (Some(lt), Some(rt)) = (self.type_of(l), self.type_of(r)) else { return Advice::new(d) };
        if let TyKind::Arrow(_) = *lt {
            return self.advise_function_operand(d, l, &lt, op, r, span);
        }
        if let Some(fixes) = self.chained_comparison(l, op) {
            return Advice::new(self.with_fixes(d, "compare two at a time", span, fixes));
        }
        if let Some(help) = self.over_arrays(l, &lt, op, r, &rt) {
            return Advice::new(d.help(help));
        }
        if op.name.name.name.as_str() == "^" && (self.is_float(&lt) || self.is_float(&rt)) {
            let fix = Fix { span: op.span, replacement: "**".into() };
            let words = "`^` is the bitwise exclusive or, and `**` is the power";
            return Advice { diagnostic: self.with_fixes(d, words, span, vec![fix]), scope: Some(span) };
        }
        if let Some(fix) = self.to_one_number_type(l, &lt, r, &rt) {
            return Advice::new(self.with_fixes(d, "convert one of them", span, vec![fix]));
        }
        let d = match &*lt {
            TyKind::Prim(p) => self.note_missing_arguments(d, r, &rt, &crate::types::prim(*p)),
            _ => d,
        };
        Advice::new(d)
    }

    fn is_float(&self, t: &Ty) -> bool {
        self.numbers(t).is_some_and(|set| set.iter().all(Prim::is_float))
    }

    /// A function on the left: `f -x` is meant as an argument, `reduce + 0 xs` as an operator for it.
    fn advise_function_operand(
        &self,
        d: Diagnostic,
        l: &Exp,
        lt: &Ty,
        op: &Op,
        r: &Exp,
        span: Span,
    ) -> Advice {
        let (params, _) = self.arity(lt);
        if let Some(TyKind::Arrow(_)) = params.first().map(|t| &**t) {
            let fix = Fix { span: op.span, replacement: format!("({})", op.name.name.name) };
            let d = self.with_fixes(d, "an operator as an argument stands in parentheses", span, vec![fix]);
            return Advice { diagnostic: d, scope: Some(span) };
        }
        let text = |span| self.cx.text(span).unwrap_or_default();
        let gap = Span { lo: l.span.hi, hi: op.span.lo, ..span };
        let negative = text(op.span) == "-" && !text(gap).is_empty() && op.span.hi == r.span.lo;
        if !negative {
            return Advice::new(d);
        }
        let mut first = r;
        while let ExpKind::BinOp(left, ..) | ExpKind::Apply(left, _) = &first.kind {
            first = left;
        }
        let fixes = vec![
            Fix { span: op.span.at_start(), replacement: "(".into() },
            Fix { span: first.span.at_end(), replacement: ")".into() },
        ];
        let d = self.with_fixes(d, "a negative argument stands in parentheses", span, fixes);
        Advice { diagnostic: d, scope: Some(span) }
    }

    /// `a < b < c`
    fn chained_comparison(&self, l: &Exp, op: &Op) -> Option<Vec<Fix>> {
        const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];
        let compares = |op: &Op| COMPARISONS.contains(&op.name.name.name.as_str());
        let ExpKind::BinOp(_, inner, middle) = &l.kind else { return None };
        if !compares(op) || !compares(inner) {
            return None;
        }
        let middle = self.code(middle.span)?;
        Some(vec![Fix { span: l.span.at_end(), replacement: format!(" && {middle}") }])
    }

    /// An operator on numbers that is applied to arrays of them.
    fn over_arrays(&self, l: &Exp, lt: &Ty, op: &Op, r: &Exp, rt: &Ty) -> Option<String> {
        let var = self.cx.tables.refs.get(op.id)?.var;
        let on_numbers = matches!(self.cx.value(var), Some(Value::Overloaded { .. }));
        if op.backtick || !on_numbers {
            return None;
        }
        let name = op.name.name.name;
        let is_text = |e: &Exp| matches!(e.bare().kind, ExpKind::Lit(Lit::Str(_)));
        let (left_rank, right_rank) = (self.rank(lt)?, self.rank(rt)?);
        if is_text(l) || is_text(r) {
            let (a, b) = (self.code(l.span)?, self.code(r.span)?);
            let joins = name.as_str() == "+" && left_rank == 1 && right_rank == 1;
            return joins.then(|| format!("`++` joins arrays, and strings are arrays: `{a} ++ {b}`"));
        }
        let nested = |rank: usize, map: &str, f: String| (1..rank).fold(f, |f, _| format!("({map} {f})"));
        let (a, b) = (self.atom_code(l)?, self.atom_code(r)?);
        let mended = match (left_rank, right_rank) {
            (0, 0) => return None,
            // `(- 1)` is a number.
            (n, 0) if name.as_str() == "-" => {
                let x = ["x", "y", "z", "element"].into_iter().find(|x| !b.contains(x))?;
                format!("map {} {a}", nested(n, "map", format!("(\\{x} -> {x} - {b})")))
            }
            (n, 0) => format!("map {} {a}", nested(n, "map", format!("({name} {b})"))),
            (0, n) => format!("map {} {b}", nested(n, "map", format!("({a} {name})"))),
            (n, m) if n == m => format!("map2 {} {a} {b}", nested(n, "map2", format!("({name})"))),
            _ => return None,
        };
        Some(format!("apply it to every element: `{mended}`"))
    }

    /// How many dimensions an array of numbers has, 0 for a number.
    pub(super) fn rank(&self, t: &Ty) -> Option<usize> {
        match &**t {
            TyKind::Array(_, elem) => Some(self.rank(elem)? + 1),
            _ => self.numbers(t).map(|_| 0),
        }
    }

    /// Two numbers of different types: the one that loses nothing is converted.
    fn to_one_number_type(&self, l: &Exp, lt: &Ty, r: &Exp, rt: &Ty) -> Option<Fix> {
        let (ls, rs) = (self.numbers(lt)?, self.numbers(rt)?);
        let known = |t: &Ty| match &**t {
            TyKind::Prim(p) => Some(*p),
            _ => None,
        };
        match (known(lt), known(rt)) {
            (Some(a), Some(b)) if widest(a, b) == a => self.conversion(r, rt, a, false),
            (Some(_), Some(b)) => self.conversion(l, lt, b, false),
            // A literal with a point beside an integer.
            (Some(a), None) if a.is_int() && rs.iter().all(Prim::is_float) => {
                self.conversion(l, lt, Prim::F64, false)
            }
            (None, Some(b)) if b.is_int() && ls.iter().all(Prim::is_float) => {
                self.conversion(r, rt, Prim::F64, false)
            }
            (Some(_) | None, Some(_) | None) => None,
        }
    }
}

/// Of two number types the one that holds more.
fn widest(a: Prim, b: Prim) -> Prim {
    let order = |p: Prim| (p.is_float(), p.bits(), p.is_signed());
    if order(a) >= order(b) { a } else { b }
}
