//! Render a document as text, choosing for each group whether it is flat or broken.
//!
//! Line breaks and blanks are held back until some text follows them. That is what keeps the ends
//! of lines clean, merges breaks that were asked for twice, and lets a trailing comment wait for
//! the end of its line while punctuation is still added to it.

use super::doc::{Doc, GroupId, Line, Op, width};
use super::measure::{Measures, measure};

/// The columns that a line should not exceed.
const LINE_WIDTH: usize = 80;

pub(super) fn render(doc: &Doc) -> String {
    let mut renderer = Renderer {
        measures: measure(doc),
        out: String::new(),
        column: 0,
        spaces: 0,
        breaks: 0,
        blank_wanted: false,
        trailing: None,
        broken: vec![true],
        indents: vec![0],
        line_start: 0,
    };
    for op in &doc.ops {
        renderer.step(op);
    }
    renderer.finish()
}

struct Renderer<'a> {
    measures: Measures,
    out: String,
    /// Of the next character, but for the `spaces` and `breaks` that are pending.
    column: usize,
    /// Pending blanks.
    spaces: usize,
    /// Pending line breaks: at most 2, which leaves one line empty. The indentation of the line
    /// after them is `column`.
    breaks: usize,
    /// The next line break is to leave a line empty.
    blank_wanted: bool,
    /// The comment that is to end the present line.
    trailing: Option<&'a str>,
    /// Of each open group; the first is that of the whole document.
    broken: Vec<bool>,
    indents: Vec<usize>,
    /// How far the present line is indented.
    line_start: usize,
}

impl<'a> Renderer<'a> {
    fn step(&mut self, op: &Op<'a>) {
        match *op {
            Op::Text(text) => self.text(text),
            Op::Space => self.space(1),
            Op::Pad(n) => {
                if self.is_broken() {
                    self.space(n);
                }
            }
            Op::Line(line) => self.line(line),
            Op::Hard => self.line_break(),
            Op::Blank if self.breaks > 0 => self.breaks = 2,
            Op::Blank => self.blank_wanted = true,
            Op::Open(group) => self.open(group),
            Op::OpenAfter(group, earlier) => {
                self.measures.broken[group.0] |= self.measures.broken[earlier.0];
                self.open(group);
            }
            Op::Close => {
                self.broken.pop();
            }
            Op::Indent(n) => self.indents.push(self.indent() + n),
            Op::IndentIfBroken(n) => {
                let more = if self.is_broken() { n } else { 0 };
                self.indents.push(self.indent() + more);
            }
            Op::Align => self.indents.push(self.column + self.spaces),
            Op::AsLine => self.indents.push(self.line_start),
            Op::Dedent => {
                self.indents.pop();
            }
            Op::Trailing(text) if self.trailing.is_some() || self.breaks > 0 => self.comment(text),
            Op::Trailing(text) => self.trailing = Some(text),
            Op::Comment(text) => self.comment(text),
        }
    }

    fn is_broken(&self) -> bool {
        self.broken.last().copied().unwrap_or(true)
    }

    fn indent(&self) -> usize {
        self.indents.last().copied().unwrap_or(0)
    }

    /// From here on `measures.broken` says of the group what has been decided.
    fn open(&mut self, group: GroupId) {
        let fits = self.column + self.spaces + self.measures.group_width[group.0] <= LINE_WIDTH;
        let broken = self.is_broken() && (self.measures.broken[group.0] || !fits);
        self.measures.broken[group.0] = broken;
        self.broken.push(broken);
    }

    fn text(&mut self, text: &str) {
        if self.breaks > 0 {
            self.out.extend(std::iter::repeat_n('\n', self.breaks));
            self.out.extend(std::iter::repeat_n(' ', self.column));
            self.breaks = 0;
        }
        self.out.extend(std::iter::repeat_n(' ', self.spaces));
        self.out.push_str(text);
        self.column += self.spaces + width(text);
        self.spaces = 0;
    }

    /// Blanks at the start of a line count too: they are what aligns the alternatives of a type.
    fn space(&mut self, n: usize) {
        self.spaces += n;
    }

    fn line(&mut self, line: Line) {
        let breaks = self.is_broken()
            && match line {
                Line::Space | Line::Nothing => true,
                Line::Fill(fill) => {
                    let end = self.column + self.spaces + self.measures.fill_width[fill.0];
                    self.trailing.is_some() || end > LINE_WIDTH
                }
            };
        if breaks {
            self.line_break();
        } else {
            self.space(line.flat_width());
        }
    }

    fn line_break(&mut self) {
        if let Some(comment) = self.trailing.take() {
            self.spaces = 1;
            self.text(comment);
        }
        self.spaces = 0;
        self.column = self.indent();
        self.line_start = self.column;
        if !self.out.is_empty() {
            self.breaks = self.breaks.max(if self.blank_wanted { 2 } else { 1 });
        }
        self.blank_wanted = false;
    }

    fn comment(&mut self, text: &str) {
        self.line_break();
        for line in text.lines() {
            self.text(line.trim());
            self.line_break();
        }
    }

    fn finish(mut self) -> String {
        if let Some(comment) = self.trailing.take() {
            self.spaces = 1;
            self.text(comment);
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }
}
