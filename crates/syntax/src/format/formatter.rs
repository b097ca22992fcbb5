//! The formatter's own instructions: tokens, lines that heed the user's line breaks, and groups.
//!
//! The files beside this one say what an `if` or a module looks like; they say it in these words, and nothing else writes to the `Doc`. Three promises
//! are kept here, so that no construct can break them. Tokens come from the source, in its order (`token`, `source`), each with the comments around
//! it: a construct can neither move one nor lose a comment. Where the user broke a line at a place that may be
//! broken, the group around it is broken (`heed_newline`), so a layout that was chosen with care stays, and formatting again changes nothing. And inside
//! `on_one_line` no line ends, whatever the parts ask for. Whether a group fits is not decided here: `render` measures it when all of it is known.

use norn_base::Span;

use super::cursor::Cursor;
use super::doc::{Doc, GroupId, Line, Op};
use super::render::render;
use crate::comments::Comments;

/// The indentation of what is nested in something.
pub(super) const INDENT: usize = 2;

pub(super) struct Formatter<'a> {
    pub cursor: Cursor<'a>,
    doc: Doc<'a>,
    /// Nothing has been printed since the file or the block began: there is nothing that an empty
    /// line would separate.
    at_block_start: bool,
    /// No line may end in what is being printed.
    on_one_line: bool,
}

impl<'a> Formatter<'a> {
    pub fn new(text: &'a str, comments: &'a Comments) -> Formatter<'a> {
        Formatter {
            cursor: Cursor::new(text, comments),
            doc: Doc::default(),
            at_block_start: true,
            on_one_line: false,
        }
    }

    pub fn finish(mut self) -> String {
        self.hard();
        self.keep_blank();
        self.comments();
        render(&self.doc)
    }

    /// The next token, which must be this one, with the comments around it.
    pub fn token(&mut self, token: &'static str) {
        self.comments();
        self.cursor.take(token);
        self.printed(token);
    }

    /// The token of this span, or what is left of it, as it was written.
    pub fn source(&mut self, span: Span) {
        self.comments();
        let text = self.cursor.take_span(span);
        self.printed(text);
    }

    /// A stretch that could not be parsed, as it was written but for the indentation.
    pub fn verbatim(&mut self, span: Span) {
        self.comments();
        for (i, line) in self.cursor.take_span(span).lines().enumerate() {
            if i > 0 {
                self.hard();
            }
            self.doc.push(Op::Text(line.trim()));
        }
        self.at_block_start = false;
    }

    /// The next token, which is a name or a number, as it was written.
    pub fn word(&mut self) {
        self.comments();
        let text = self.cursor.take_word();
        self.printed(text);
    }

    /// Leave the next token out, but not the comments around it.
    pub fn omit(&mut self, token: &'static str) {
        self.cursor.drop_token(token);
        self.trailing_comment();
    }

    /// A token that was left out, in another place: after the comments that followed it.
    pub fn restore(&mut self, token: &'static str) {
        self.closing_comments();
        self.doc.push(Op::Text(token));
    }

    /// The next token; comments that stand before it on lines of their own come after it.
    pub fn token_before_comments(&mut self, token: &'static str) {
        self.cursor.drop_token(token);
        self.printed(token);
    }

    fn printed(&mut self, text: &'a str) {
        self.doc.push(Op::Text(text));
        self.at_block_start = false;
        self.trailing_comment();
    }

    fn trailing_comment(&mut self) {
        let Some(comment) = self.cursor.take_trailing() else { return };
        if self.doc.line_is_commented() {
            self.cursor.hold(comment);
        } else {
            self.doc.push(Op::Trailing(comment.trim_end()));
        }
    }

    /// The comments that stand before the next token on lines of their own.
    pub fn comments(&mut self) {
        if self.closing_comments() {
            self.keep_blank();
        }
    }

    /// The same before a token that belongs to what came before: no empty line follows them. Are
    /// there any?
    pub fn closing_comments(&mut self) -> bool {
        let comments = self.cursor.take_comments();
        for comment in &comments {
            if comment.blank_before {
                self.blank();
            }
            self.doc.push(Op::Comment(comment.text));
            self.at_block_start = false;
        }
        !comments.is_empty()
    }

    pub fn space(&mut self) {
        self.doc.push(Op::Space);
    }

    /// This many blanks if the group is broken.
    pub fn pad(&mut self, n: usize) {
        if !self.on_one_line {
            self.doc.push(Op::Pad(n));
        }
    }

    /// A space or a line break.
    pub fn line(&mut self) {
        self.possible_break(Line::Space);
    }

    /// Nothing or a line break.
    pub fn soft_line(&mut self) {
        self.possible_break(Line::Nothing);
    }

    /// Where the user broke the line, the group is broken.
    fn possible_break(&mut self, line: Line) {
        if self.on_one_line {
            if line.flat_width() > 0 {
                self.space();
            }
            return;
        }
        self.heed_newline();
        self.doc.push(Op::Line(line));
    }

    /// Break the group if the user broke the line here.
    pub fn heed_newline(&mut self) {
        if self.cursor.newline_ahead() {
            self.doc.force();
        }
    }

    /// A space or a line break, whichever fits, whatever the user wrote and whatever becomes of
    /// the rest of the group.
    pub fn fill(&mut self) {
        if self.on_one_line {
            return self.space();
        }
        self.doc.fill();
    }

    pub fn hard(&mut self) {
        self.doc.push(Op::Hard);
    }

    /// Keep one of the empty lines that stand here in the source.
    pub fn keep_blank(&mut self) {
        if self.cursor.blank_line_ahead() {
            self.blank();
        }
    }

    fn blank(&mut self) {
        if !self.at_block_start {
            self.doc.push(Op::Blank);
        }
    }

    /// What follows is the first thing in its block.
    pub fn start_block(&mut self) {
        self.at_block_start = true;
    }

    /// A group that begins with a token. Comments before the token stand before the group, and do
    /// not break it.
    pub fn group(&mut self, content: impl FnOnce(&mut Self)) -> GroupId {
        self.comments();
        let group = self.doc.open();
        content(self);
        self.close_group();
        group
    }

    /// Break the innermost group.
    pub fn break_group(&mut self) {
        self.doc.force();
    }

    /// For a group that begins with a line, or ends where the indentation inside it does not.
    pub fn open_group(&mut self) {
        self.doc.open();
    }

    pub fn close_group(&mut self) {
        self.doc.close();
    }

    /// The last part of the innermost group, which ends after it; or before it, if `outside` says
    /// so. It is passed whether the part contains a line break for certain.
    pub fn last_in_group(&mut self, part: impl FnOnce(&mut Self), outside: impl FnOnce(bool) -> bool) {
        let before = self.doc.mark();
        part(self);
        if outside(self.doc.broken_since(before)) {
            self.doc.close_at(before);
        } else {
            self.doc.close();
        }
    }

    pub fn indented(&mut self, by: usize, content: impl FnOnce(&mut Self)) {
        self.doc.push(Op::Indent(by));
        content(self);
        self.dedent();
    }

    pub fn aligned(&mut self, content: impl FnOnce(&mut Self)) {
        self.align();
        content(self);
        self.dedent();
    }

    pub fn align(&mut self) {
        self.doc.push(Op::Align);
    }

    /// Something that the user wrote on one line, without comments, stays on one.
    pub fn on_one_line(&mut self, content: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.on_one_line, true);
        content(self);
        self.on_one_line = outer;
    }

    /// The lines of `content` are indented as the one is on which it begins.
    pub fn as_line(&mut self, content: impl FnOnce(&mut Self)) {
        self.doc.push(Op::AsLine);
        content(self);
        self.dedent();
    }

    pub fn indent_if_broken(&mut self, by: usize) {
        self.doc.push(Op::IndentIfBroken(by));
    }

    pub fn dedent(&mut self) {
        self.doc.push(Op::Dedent);
    }

    /// What follows a `=` or an arrow: on the same line if all of it fits there, else indented on
    /// the next.
    pub fn hang(&mut self, content: impl FnOnce(&mut Self)) {
        self.open_group();
        self.hung(content);
    }

    /// The same after a head that is a group: if that takes several lines, what follows is not on
    /// the last of them.
    pub fn hang_below(&mut self, head: GroupId, content: impl FnOnce(&mut Self)) {
        self.doc.open_after(head);
        self.hung(content);
    }

    fn hung(&mut self, content: impl FnOnce(&mut Self)) {
        self.indented(INDENT, |f| {
            f.line();
            content(f);
        });
        self.close_group();
    }

    /// What follows a keyword at the start of a line: beside it, or indented on the next line if
    /// that is where the user put it.
    pub fn beside(&mut self, content: impl FnOnce(&mut Self)) {
        if self.cursor.newline_ahead() {
            self.indented(INDENT, |f| {
                f.hard();
                content(f);
            });
        } else {
            self.space();
            self.aligned(content);
        }
    }

    /// `(`, something, `)`.
    pub fn in_parens(&mut self, content: impl FnOnce(&mut Self)) {
        self.token("(");
        self.aligned(|f| {
            f.break_after_comment();
            content(f);
        });
        self.token(")");
    }

    /// A sign between two things, with a line before it that the user may have put after it.
    pub fn sign(&mut self, sign: impl FnOnce(&mut Self)) {
        self.line();
        sign(self);
        self.heed_newline();
        self.space();
    }

    /// End the line if a comment says that it ends: what follows an opening bracket or a sign is not
    /// what the comment is about.
    pub fn break_after_comment(&mut self) {
        if self.doc.ends_with_comment() {
            self.hard();
        }
    }
}
