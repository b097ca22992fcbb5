//! Things followed by arguments or parameters.
//!
//! ```text
//! map f xs     map (\x ->      a_rather_long_name     reduce_by_index (f x)
//!                g x) xs         (f x)                                  (g y)
//!                                y
//! ```
//!
//! Arguments stand below one another beside a short name, and below a long one. A function among arguments that are
//! short *hangs*: its body is indented from the start of the line on which it begins, and the other arguments stay
//! beside it. Whether it hangs is decided by the tree and the lengths of tokens alone, never by white space, so that formatting again
//! decides the same.

use super::doc::width;
use super::formatter::{Formatter, INDENT};
use crate::ast::{Exp, ExpKind, Ident, Pat, QualName, TypeExp, TypeParam};
use norn_base::Span;

/// Beside a name no longer than this there is room for arguments.
const SHORT_NAME: usize = 16;

/// Beside a function there may be arguments of so many characters each, and of so many together.
const SHORT_ARGUMENT: usize = 24;
const SHORT_ARGUMENTS: usize = 40;

/// The body of a function has more characters than this if it hangs before other arguments: if it takes several lines, or
/// is one expression, which could otherwise stand on the line of the function.
const LONG_BLOCK: usize = 30;
const LONG_BODY: usize = 48;

/// Parameters of a definition are indented by more than its body.
const PARAM_INDENT: usize = 2 * INDENT;

impl<'a> Formatter<'a> {
    pub fn application(&mut self, function: &Exp, args: &[Exp]) {
        if self.hangs(function, args) {
            return self.hanging(function, args);
        }
        let short = matches!(&function.kind, ExpKind::Var(name) if width_of(name) <= SHORT_NAME);
        self.arguments(short, args, |f| f.exp(function));
    }

    /// `#c`, with a payload.
    pub fn constructor_application(&mut self, payload: &[Exp]) {
        self.arguments(true, payload, |f| f.constructor());
    }

    /// The last argument may begin on the line of the others and go on below, if it is the only
    /// one, or a function that takes several lines anyway.
    fn arguments(&mut self, short: bool, args: &[Exp], head: impl FnOnce(&mut Self)) {
        let Some((last, others)) = args.split_last() else { return head(self) };
        let last_is_bare = matches!(last.kind, ExpKind::Lambda { .. });
        self.comments();
        self.open_group();
        head(self);
        if short && !last_is_bare && !self.cursor.newline_ahead() {
            self.space();
            self.align();
        } else {
            self.indent_if_broken(INDENT);
            self.line();
        }
        for arg in others {
            self.exp(arg);
            self.line();
        }
        self.last_in_group(
            |f| f.exp(last),
            |several_lines| others.is_empty() || is_function(last) && several_lines,
        );
        self.dedent();
    }

    /// Whether an application is laid out around a function among its arguments.
    pub fn is_hanging(&self, exp: &Exp) -> bool {
        matches!(&exp.kind, ExpKind::Apply(function, args) if self.hangs(function, args))
    }

    fn hangs(&self, function: &Exp, args: &[Exp]) -> bool {
        let mut functions = args.iter().filter_map(lambda_in_parens);
        let (Some(body), None) = (functions.next(), functions.next()) else { return false };
        let others = args.iter().filter(|arg| lambda_in_parens(arg).is_none());
        let widths: Option<Vec<usize>> = others.map(|arg| self.width_if_short(arg)).collect();
        let Some(last) = args.last() else { return false };
        let before = Span { hi: body.span.lo, ..function.span };
        let after = Span { lo: body.span.hi, hi: last.span.hi.max(body.span.hi), ..last.span };
        let comments = [before, after].iter().any(|gap| self.cursor.text_of(*gap).contains("--"));
        let short = self.width_if_short(function).is_some();
        // Between arguments a short function is better beside them, one below the other.
        let is_last = lambda_in_parens(last).is_some();
        let long = if is_block(body) { LONG_BLOCK } else { LONG_BODY };
        let worth_it = is_last || self.cursor.token_width(body.span, long + 1) > long;
        short
            && worth_it
            && !comments
            && widths.is_some_and(|widths| widths.iter().sum::<usize>() <= SHORT_ARGUMENTS)
    }

    /// How many characters an argument has, if it is one that is never broken.
    fn width_if_short(&self, arg: &Exp) -> Option<usize> {
        let width = self.cursor.token_width(arg.span, SHORT_ARGUMENT + 1);
        let text = self.cursor.text_of(arg.span);
        let short = arg.is_atom() && width <= SHORT_ARGUMENT && !text.contains(['\n', '\\']);
        short.then_some(width)
    }

    fn hanging(&mut self, function: &Exp, args: &[Exp]) {
        self.on_one_line(|f| f.exp(function));
        for arg in args {
            self.space();
            match &arg.kind {
                ExpKind::Parens(inner) if lambda_in_parens(arg).is_some() => {
                    self.token("(");
                    self.as_line(|f| f.exp(inner));
                    self.token(")");
                }
                _ => self.on_one_line(|f| f.exp(arg)),
            }
        }
    }

    /// The parameters and the result type in a definition of something with a name.
    pub fn signature(&mut self, name: &Ident, tparams: &[TypeParam], params: &[Pat], ret: Option<&TypeExp>) {
        if !tparams.is_empty() || !params.is_empty() {
            if width(name.name.as_str()) <= SHORT_NAME && !self.cursor.newline_ahead() {
                self.space();
                self.aligned(|f| f.parameters(tparams, params));
            } else {
                self.indented(PARAM_INDENT, |f| {
                    f.line();
                    f.parameters(tparams, params);
                });
            }
        }
        self.result_type(ret);
    }

    /// Type parameters stay together; of the others each may have its own line.
    fn parameters(&mut self, tparams: &[TypeParam], params: &[Pat]) {
        self.filled(tparams, Self::type_param);
        for (i, param) in params.iter().enumerate() {
            if i > 0 || !tparams.is_empty() {
                self.line();
            }
            self.pat(param);
        }
    }

    /// ` : t`
    pub fn result_type(&mut self, ret: Option<&TypeExp>) {
        let Some(ret) = ret else { return };
        self.open_group();
        self.indented(PARAM_INDENT, |f| {
            f.line();
            f.token(":");
            f.space();
            f.type_exp(ret);
        });
        self.close_group();
    }
}

fn width_of(name: &QualName) -> usize {
    let quals = name.quals.iter().map(|qual| width(qual.name.as_str()) + ".".len());
    quals.sum::<usize>() + width(name.name.name.as_str())
}

/// The body of a function in parentheses.
fn lambda_in_parens(exp: &Exp) -> Option<&Exp> {
    let ExpKind::Parens(inner) = &exp.kind else { return None };
    match &inner.kind {
        ExpKind::Lambda { body, .. } => Some(body),
        _ => None,
    }
}

/// Whether it takes several lines, however short.
fn is_block(exp: &Exp) -> bool {
    use ExpKind::{LetFun, LetPat, LetWith, Loop, Match};
    matches!(exp.kind, LetPat { .. } | LetFun(_) | LetWith { .. } | Loop(_) | Match(..))
}

fn is_function(exp: &Exp) -> bool {
    match &exp.kind {
        ExpKind::Lambda { .. } => true,
        ExpKind::Parens(inner) => matches!(inner.kind, ExpKind::Lambda { .. }),
        _ => false,
    }
}
