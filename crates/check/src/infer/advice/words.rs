//! Advice on words and signs of other languages that are names or operators here: `and`, `return`, `True`,
//! `|x| e`, `[e | x <- xs]`, `x +. 1.0`, `f . g`, `// a comment`, `xs.length`.

use super::{Advice, Infer};
use crate::types::{Ty, TyKind};
use norn_base::{Diagnostic, Fix, Span, Symbol, codes};
use norn_syntax::ast::{Exp, ExpKind};

/// Functions and values as other languages call them, and what they are called here.
const NAMES: &[(&str, &str)] = &[
    ("True", "true"),
    ("TRUE", "true"),
    ("False", "false"),
    ("FALSE", "false"),
    ("len", "length"),
    ("range", "iota"),
    ("arange", "iota"),
    ("zipWith", "map2"),
    ("fold_left", "foldl"),
    ("foldLeft", "foldl"),
    ("fold_right", "foldr"),
    ("foldRight", "foldr"),
    ("select", "filter"),
];

/// Functions that are operators here.
const OPERATORS: &[(&str, &str)] = &[
    ("mod", "%"),
    ("modulo", "%"),
    ("fmod", "%"),
    ("div", "/"),
    ("pow", "**"),
    ("power", "**"),
    ("xor", "^"),
    ("append", "++"),
];

impl Infer<'_> {
    /// `a and b`, `a or b`: with the functions of these names that are in scope it is an application, whose types do not fit.
    pub(in crate::infer) fn words_as_operators(&self, bodies: &[&Exp]) -> Vec<Advice> {
        let mut advice = Vec::new();
        let mut open: Vec<(&Exp, Span)> = bodies.iter().map(|body| (*body, body.span)).collect();
        while let Some((e, outermost)) = open.pop() {
            if let ExpKind::Apply(fun, args) = &e.kind {
                advice.extend(self.word_among(fun, args, outermost));
            }
            let inside = matches!(e.kind, ExpKind::BinOp(..) | ExpKind::Apply(..));
            open.extend(e.parts().into_iter().map(|part| (part, if inside { outermost } else { part.span })));
        }
        advice
    }

    fn word_among(&self, fun: &Exp, args: &[Exp], scope: Span) -> Option<Advice> {
        let (index, word, op) = args.iter().enumerate().find_map(|(i, arg)| match &arg.kind {
            ExpKind::Var(name) if name.quals.is_empty() => match name.name.name.as_str() {
                "and" => Some((i, arg, "&&")),
                "or" => Some((i, arg, "||")),
                _ => None,
            },
            _ => None,
        })?;
        args.get(index + 1)?;
        let (params, _) = self.arity(&self.type_of(fun)?);
        if params.get(index).is_some_and(|p| !matches!(**p, TyKind::Prim(_) | TyKind::Array(..))) {
            return None;
        }
        let text = self.cx.text(word.span)?;
        let d = Diagnostic::error(
            codes::TYPE_MISMATCH,
            word.span,
            format!("`{text}` is a function and cannot stand between two conditions."),
        );
        let fix = Fix { span: word.span, replacement: op.into() };
        let words = format!("the operator is `{op}`");
        Some(Advice { diagnostic: self.with_fixes(d, &words, scope, vec![fix]), scope: Some(scope) })
    }

    /// A name that is unknown because it stands in `|x| e`, `x => e`, `lambda x: t` or behind `//`.
    pub(super) fn foreign_function(&self, d: &Diagnostic, place: Span, way: &[&Exp]) -> Option<Advice> {
        let name = self.code(place)?;
        let is_param = |e: &Exp| matches!(&e.kind, ExpKind::Var(v) if v.quals.is_empty());
        way.iter().find_map(|e| match &e.kind {
            ExpKind::RightSection(op, body) if op.name.name.name.as_str() == "|" => {
                let ExpKind::BinOp(param, bar, result) = &body.kind else { return None };
                if bar.name.name.name.as_str() != "|" || !is_param(param) || self.code(param.span)? != name {
                    return None;
                }
                let mended = format!("\\{name} -> {}", self.code(result.span)?);
                Some(anonymous_function(op.span.to(bar.span), e.span, &mended))
            }
            ExpKind::BinOp(param, arrow, result) if self.cx.text(arrow.span) == Some("=>") => {
                let names: Vec<String> = match &param.bare().kind {
                    ExpKind::Var(_) => vec![self.code(param.bare().span)?],
                    ExpKind::Tuple(ps) if ps.iter().all(is_param) => {
                        ps.iter().map(|p| self.code(p.span)).collect::<Option<_>>()?
                    }
                    _ => return None,
                };
                let mended = format!("\\{} -> {}", names.join(" "), self.code(result.span)?);
                Some(anonymous_function(arrow.span, e.span, &mended))
            }
            ExpKind::Ascript(call, ty) => {
                let ExpKind::Apply(f, params) = &call.kind else { return None };
                if self.cx.text(f.span) != Some("lambda") || !params.iter().all(is_param) || name != "lambda"
                {
                    return None;
                }
                let names: Option<Vec<String>> = params.iter().map(|p| self.code(p.span)).collect();
                let mended = format!("\\{} -> {}", names?.join(" "), self.code(ty.span)?);
                Some(anonymous_function(f.span, e.span, &mended))
            }
            // `[e | x <- xs]`
            ExpKind::BinOp(left, arrow, array) if self.cx.text(arrow.span) == Some("<-") => {
                let ExpKind::BinOp(result, bar, param) = &left.kind else { return None };
                if self.cx.text(bar.span) != Some("|") || !is_param(param) || self.code(param.span)? != name {
                    return None;
                }
                let mended =
                    format!("map (\\{name} -> {}) {}", self.code(result.span)?, self.atom_code(array)?);
                let diagnostic =
                    Diagnostic::error(d.code, arrow.span, "An array is not made by a `<-` inside brackets.")
                        .help(format!("apply a function to every element: `{mended}`"));
                Some(Advice { diagnostic, scope: Some(e.span) })
            }
            ExpKind::BinOp(_, slashes, comment) if self.cx.text(slashes.span) == Some("//") => {
                let mut first = &**comment;
                while let ExpKind::Apply(f, _) | ExpKind::BinOp(f, ..) = &first.kind {
                    first = f;
                }
                if first.span != place {
                    return None;
                }
                let message = "`//` is an operator and does not begin a comment.";
                let diagnostic = Diagnostic::error(d.code, slashes.span, message)
                    .note(format!("the name `{name}` is not in scope"))
                    .help("a comment begins with `--` and ends with its line")
                    .fix(slashes.span, "--");
                Some(Advice { diagnostic, scope: Some(e.span) })
            }
            _ => None,
        })
    }

    pub(super) fn word_of_another_language(
        &self,
        d: &Diagnostic,
        name: Symbol,
        way: &[&Exp],
    ) -> Option<Advice> {
        let place = d.primary.span;
        let call = way.iter().rev().find_map(|e| match &e.kind {
            ExpKind::Apply(f, args) if f.span == place => Some((args, e.span)),
            _ => None,
        });
        let d = d.clone();
        let word = name.as_str();
        let in_scope =
            |name: &str| self.cx.scope.term(Symbol::new(name)).is_some() || name == "true" || name == "false";
        if let Some((_, better)) = NAMES.iter().find(|(n, b)| *n == word && in_scope(b)) {
            return Some(Advice::new(d.help(format!("it is called `{better}` here")).fix(place, *better)));
        }
        if let Some((_, op)) = OPERATORS.iter().find(|(n, _)| *n == word) {
            let help = |mended: &str| format!("it is an operator here: `{mended}`");
            let d = match call {
                Some((args, span)) if args.len() == 2 => {
                    let mended = format!("{} {op} {}", self.atom_code(&args[0])?, self.atom_code(&args[1])?);
                    d.help(help(&mended)).fix(span, format!("({mended})"))
                }
                _ => d.help(help(op)),
            };
            return Some(Advice::new(d));
        }
        let help = match word {
            "return" => match call {
                Some((args, span)) => {
                    let rest = args.first()?.span.to(args.last()?.span);
                    let fix = Fix { span: Span { hi: rest.lo, ..place }, replacement: String::new() };
                    let words = "the result of a function is its last expression";
                    return Some(Advice::new(self.with_fixes(d, words, span, vec![fix])));
                }
                None => "the result of a function is its last expression".into(),
            },
            "print" | "println" | "printf" | "puts" | "echo" | "putStrLn" => match call {
                Some((args, _)) if args.len() == 1 => {
                    format!(
                        "a program prints nothing but its result; to see a value on the way: `trace {}`",
                        self.atom_code(&args[0])?
                    )
                }
                _ => "a program prints nothing but its result; `trace` shows a value on the way".into(),
            },
            "null" | "nil" | "NULL" | "None" | "Nothing" | "undefined" => {
                "every value is there; a sum type says that it may be missing: `#none | #some i64`".into()
            }
            "Just" | "Some" => "a constructor of a sum type begins with `#`: `#some x`".into(),
            "ref" | "newIORef" => {
                "a name keeps its value; what changes is carried by a loop: `loop x = start for i < n do ..`"
                    .into()
            }
            // What stands between the words is not applied to them.
            "begin" => {
                let d = d.help("parentheses group an expression: `(..)`");
                return Some(Advice { diagnostic: d, scope: way.first().map(|e| e.span) });
            }
            "float" | "double" | "int" | "float64" | "int64" => {
                return self.conversion_by_name(d, word, call?);
            }
            _ if !word.starts_with(char::is_alphabetic) => return self.foreign_operator(d, word, way),
            _ => return None,
        };
        Some(Advice::new(d.help(help)))
    }

    /// `float x`
    fn conversion_by_name(&self, d: Diagnostic, word: &str, (args, _): (&Vec<Exp>, Span)) -> Option<Advice> {
        let to = if word.starts_with("int") { "i64" } else { "f64" };
        let [arg] = &args[..] else { return None };
        let TyKind::Prim(from) = *self.type_of(arg)? else { return None };
        let (place, convert) = (d.primary.span, format!("{to}.{}", from.name()));
        let help = format!("to convert it: `{convert} {}`", self.atom_code(arg)?);
        Some(Advice::new(d.help(help).fix(place, convert)))
    }

    fn foreign_operator(&self, d: Diagnostic, op: &str, way: &[&Exp]) -> Option<Advice> {
        let (l, r) = match way.last().map(|e| &e.kind) {
            Some(ExpKind::BinOp(l, _, r)) => (self.code(l.span)?, self.code(r.span)?),
            _ => return None,
        };
        let compare = |d: Diagnostic, better: &str| {
            let place = d.primary.span;
            Some(Advice::new(d.help(format!("to compare: `{l} {better} {r}`")).fix(place, better)))
        };
        let help = match op {
            "<>" | "/=" | "=/=" | "!==" => return compare(d, "!="),
            "===" => return compare(d, "=="),
            "+." | "-." | "*." | "/." => {
                let (place, better) = (d.primary.span, &op[..1]);
                let help = format!("operators are the same for all types of numbers: `{l} {better} {r}`");
                return Some(Advice::new(d.help(help).fix(place, better)));
            }
            "+=" | "-=" | "*=" | "%=" if is_name(&l) => {
                format!("a name keeps its value; bind a new one: `let {l} = {l} {} {r}`", &op[..1])
            }
            _ => return None,
        };
        Some(Advice::new(d.help(help)))
    }

    /// A field of an array, `xs.length` or `xs.sum()`, and `f . g`.
    pub(in crate::infer) fn advise_field(&self, d: Diagnostic, of: &Ty, bodies: &[&Exp]) -> Diagnostic {
        let place = d.primary.span;
        let way = self.around(bodies, place);
        let Some(e) = way.last() else { return d };
        let (Some(field), Some(whole)) = (self.code(place), self.cx.text(e.span)) else { return d };
        let is_function = self.cx.scope.term(Symbol::new(&field)).is_some();
        let Some(array) = whole.strip_suffix(&format!(".{field}")) else {
            return match whole.rsplit_once('.') {
                Some((f, g)) if is_function && f.ends_with(' ') && matches!(**of, TyKind::Arrow(_)) => {
                    d.help(format!("functions are composed with `<-<`: `{f}<-<{g}`"))
                }
                _ => d,
            };
        };
        let array = if e.is_atom() && !array.contains(char::is_whitespace) {
            array.into()
        } else {
            format!("({array})")
        };
        match field.as_str() {
            "length" | "len" | "size" | "shape" => {
                d.help(format!("it is a function: `length {array}`")).fix(e.span, format!("length {array}"))
            }
            _ if is_function => d.help(format!(
                "`{field}` is a function, which stands before its arguments: `{field} .. {array}`"
            )),
            _ => match self.element(of).filter(|p| self.in_module(*p, Symbol::new(&field))) {
                Some(p) => {
                    let call = format!("{}.{field} {array}", p.name());
                    d.help(format!("it is a function, which stands before its argument: `{call}`"))
                }
                None => d,
            },
        }
    }
}

fn is_name(code: &str) -> bool {
    code.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn anonymous_function(place: Span, scope: Span, mended: &str) -> Advice {
    let d = Diagnostic::error(codes::UNKNOWN_NAME, place, "An anonymous function is not written like this.");
    let d = d.help(format!("an anonymous function begins with `\\`: `{mended}`"));
    Advice { diagnostic: d, scope: Some(scope) }
}
