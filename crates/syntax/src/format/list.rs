//! Sequences between brackets: tuples, records, arrays, in expressions, patterns and types.
//!
//! ```text
//! (a, b)    ( a      [1, 2, 3,
//!           , b       4, 5, 6]
//!           )
//! ```
//!
//! Data, such as a table of numbers, fills its lines; everything else has one element to a line,
//! or all on one.

use super::formatter::{Formatter, INDENT};
use crate::ast::{Exp, ExpKind};

/// An array with more elements than this is filled even if they are only names.
const LONG_ARRAY: usize = 16;

impl<'a> Formatter<'a> {
    /// Items between `open` and `close`, on one line or each on its own. A comma after the last is
    /// left out.
    pub fn list<T>(
        &mut self,
        open: &'static str,
        close: &'static str,
        items: &[T],
        mut item: impl FnMut(&mut Self, &T),
    ) {
        if items.is_empty() {
            return self.aligned(|f| f.nothing_between(open, close));
        }
        self.group(|f| {
            f.aligned(|f| {
                f.token(open);
                f.heed_newline();
                f.pad(1);
                for (i, each) in items.iter().enumerate() {
                    if i > 0 {
                        f.leading_comma();
                    }
                    f.indented(INDENT, |f| {
                        f.break_after_comment();
                        item(f, each);
                    });
                }
                f.omit_commas();
                f.soft_line();
                f.token(close);
            });
        });
    }

    /// Nothing but perhaps comments.
    pub fn nothing_between(&mut self, open: &'static str, close: &'static str) {
        self.group(|f| {
            f.token(open);
            let mut any_comments = false;
            f.indented(INDENT, |f| {
                f.start_block();
                any_comments = f.closing_comments();
            });
            if any_comments {
                f.soft_line();
            }
            f.token(close);
        });
    }

    /// Comments on either side of the comma belong to the elements, and stand before it.
    fn leading_comma(&mut self) {
        self.omit_commas();
        self.soft_line();
        self.restore(",");
        self.space();
    }

    /// There may be one too many after the last element, and any number between two of an array.
    fn omit_commas(&mut self) {
        while self.cursor.next_is(",") {
            self.omit(",");
        }
    }

    /// Items with nothing between them, filling lines below one another.
    pub fn filled<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        if items.is_empty() {
            return;
        }
        self.group(|f| {
            f.aligned(|f| {
                for (i, each) in items.iter().enumerate() {
                    if i > 0 {
                        f.fill();
                    }
                    item(f, each);
                }
            });
        });
    }

    pub fn array(&mut self, elements: &[Exp]) {
        let long = elements.len() > LONG_ARRAY;
        if elements.len() > 1 && elements.iter().all(|e| is_data(e, long)) {
            self.filled_list("[", "]", elements, Self::exp);
        } else {
            self.list("[", "]", elements, Self::exp);
        }
    }

    /// Items between `open` and `close` that fill their lines. No comma begins a line.
    pub fn filled_list<T>(
        &mut self,
        open: &'static str,
        close: &'static str,
        items: &[T],
        mut item: impl FnMut(&mut Self, &T),
    ) {
        self.group(|f| {
            f.token(open);
            f.aligned(|f| {
                f.break_after_comment();
                for (i, each) in items.iter().enumerate() {
                    if i > 0 {
                        f.token_before_comments(",");
                        f.omit_commas();
                        f.fill();
                    }
                    item(f, each);
                }
                f.omit_commas();
            });
            f.token(close);
        });
    }
}

/// Literals, and what is made of nothing but literals.
fn is_data(exp: &Exp, or_name: bool) -> bool {
    match &exp.kind {
        ExpKind::Lit(_) => true,
        ExpKind::Var(_) => or_name,
        ExpKind::Negate(e) | ExpKind::Parens(e) => is_data(e, or_name),
        ExpKind::Tuple(es) => es.iter().all(|e| is_data(e, or_name)),
        ExpKind::Constr(_, payload) => payload.is_empty(),
        _ => false,
    }
}
