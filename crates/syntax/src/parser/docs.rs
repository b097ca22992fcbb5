//! Documentation comments: which declaration takes which.
//!
//! They are no tokens. A declaration or specification takes those that stand directly before its
//! first token; one that nobody takes is reported.

use super::Parser;
use crate::ast::Doc;
use norn_base::{Diagnostic, Span, codes};

impl Parser<'_> {
    /// The first of the documentation comments directly before the next token.
    pub(super) fn take_first_doc(&mut self) -> Option<Doc> {
        while let Some(comment) = self.docs.next_if(|c| c.before <= self.pos) {
            if comment.before == self.pos {
                return Some(comment.doc);
            }
            self.report_misplaced_doc(comment.doc.span);
        }
        None
    }

    /// The documentation of the declaration that begins here. What stands before it, separate,
    /// documents nothing.
    pub(super) fn take_doc(&mut self) -> Option<Doc> {
        let mut doc = None;
        while let Some(next) = self.take_first_doc() {
            if let Some(superfluous) = doc.replace(next) {
                self.report_misplaced_doc(superfluous.span);
            }
        }
        doc
    }

    /// Reports what no declaration has taken.
    pub(super) fn report_misplaced_docs(&mut self) {
        while let Some(comment) = self.docs.next() {
            self.report_misplaced_doc(comment.doc.span);
        }
    }

    fn report_misplaced_doc(&mut self, span: Span) {
        self.reports.push(
            Diagnostic::error(codes::MISPLACED_DOC, span, "This documentation comment documents nothing.")
                .note("documentation stands directly before a declaration or a specification")
                .help("begin it with `--` alone to make it an ordinary comment")
                .fix(Span { hi: span.lo + "-- |".len() as u32, ..span }, "--"),
        );
    }
}
