//! Things followed by arguments or parameters.
//!
//! ```text
//! map f xs     map (\x ->         a_rather_long_name     tabulate n (\i ->
//!                     g x)          (f x)                              g i)
//!                  xs               y
//! ```
//!
//! Arguments stand below one another beside a short name, and below a long one.

use super::doc::width;
use super::formatter::{Formatter, INDENT};
use crate::ast::{Exp, ExpKind, Ident, Pat, QualName, TypeExp, TypeParam};

/// Beside a name no longer than this there is room for arguments.
const SHORT_NAME: usize = 16;

/// Parameters of a definition are indented by more than its body.
const PARAM_INDENT: usize = 2 * INDENT;

impl<'a> Formatter<'a> {
    pub fn application(&mut self, function: &Exp, args: &[Exp]) {
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

fn is_function(exp: &Exp) -> bool {
    match &exp.kind {
        ExpKind::Lambda { .. } => true,
        ExpKind::Parens(inner) => matches!(inner.kind, ExpKind::Lambda { .. }),
        _ => false,
    }
}
