//! The lines of source that a diagnostic is about, with its spans marked beneath them.
//!
//! Each file has a block of its own, the primary span's first. Within a block lines stand in
//! order; what lies between them is left out. A span within one line is underlined, its label
//! right of it or, where others are in the way, hanging below. A span over several lines is held
//! together by a bar in a lane of its own, left of the text.

use super::paint::{Ink, Painter, Row};
use super::window::{Window, visible};
use super::within;
use crate::diagnostic::{Diagnostic, Label};
use crate::source::{FileId, SourceFile, SourceMap};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

/// A span of more lines than this is shown by its first two and last two.
const LINES_IN_FULL: usize = 5;

/// Draws the blocks of all files; returns the width of the line numbers.
pub(super) fn draw(painter: &mut Painter, sources: &SourceMap, diagnostic: &Diagnostic, ink: Ink) -> usize {
    let mut blocks: Vec<Block> = Vec::new();
    let primary = (&diagnostic.primary, '^', ink);
    let secondary = diagnostic.secondary.iter().map(|label| (label, '-', Ink::Secondary));
    for (label, glyph, ink) in std::iter::once(primary).chain(secondary) {
        let id = label.span.file;
        let i = blocks.iter().position(|b| b.id == id).unwrap_or_else(|| {
            blocks.push(Block { id, file: sources.file(id), spans: Vec::new() });
            blocks.len() - 1
        });
        let span = MarkedSpan::new(blocks[i].file, label, glyph, ink);
        blocks[i].spans.push(span);
    }

    let last_line = blocks.iter().flat_map(|b| &b.spans).map(|s| s.lines.1).max().unwrap_or(1);
    let margin = last_line.to_string().len();
    for (i, block) in blocks.iter().enumerate() {
        block.draw(painter, margin, if i == 0 { "-->" } else { ":::" });
    }
    margin
}

/// A span of a diagnostic, within the text and on character boundaries.
struct MarkedSpan {
    lo: usize,
    hi: usize,
    /// First and last line.
    lines: (usize, usize),
    glyph: char,
    ink: Ink,
    label: String,
}

impl MarkedSpan {
    fn new(file: &SourceFile, label: &Label, glyph: char, ink: Ink) -> MarkedSpan {
        let text = &file.text;
        let Range { start: lo, end: mut hi } = within(file, label.span);
        // A span that ends with a line break ends on the line that this breaks.
        while hi > lo + 1 && text[..hi].ends_with(['\n', '\r']) {
            hi -= 1;
        }
        let lines = (file.line_col(lo as u32).line, file.line_col(hi as u32).line);
        let label = visible(&label.text.replace('\n', " "));
        MarkedSpan { lo, hi, lines, glyph, ink, label }
    }

    fn is_multi_line(&self) -> bool {
        self.lines.0 != self.lines.1
    }
}

/// The part of an excerpt that lies in one file.
struct Block<'a> {
    id: FileId,
    file: &'a SourceFile,
    /// The most important first.
    spans: Vec<MarkedSpan>,
}

/// What is drawn beneath a line for one span.
struct Mark<'a> {
    span: &'a MarkedSpan,
    lo: usize,
    hi: usize,
    /// The lane of a span over several lines, and which end of it this is.
    end: Option<(usize, End)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

impl Block<'_> {
    fn draw(&self, painter: &mut Painter, margin: usize, arrow: &str) {
        let at = self.file.line_col(self.spans[0].lo as u32);
        painter.text(&format!("{}{arrow} ", " ".repeat(margin)), Ink::Gutter);
        painter.text(&format!("{}:{}:{}", visible(&self.file.name), at.line, at.col), Ink::Plain);
        painter.end_line();

        let lanes: Vec<&MarkedSpan> = self.spans.iter().filter(|s| s.is_multi_line()).collect();
        let mut rows = Rows { painter, margin, lanes: &lanes, open: BTreeSet::new() };
        rows.below(Row::default());
        let mut previous = None;
        for line in self.lines() {
            if previous.is_some_and(|p| p + 1 < line) {
                rows.gap();
            }
            self.draw_line(&mut rows, line);
            previous = Some(line);
        }
    }

    /// The lines to show, in order.
    fn lines(&self) -> BTreeSet<usize> {
        let mut lines = BTreeSet::new();
        for &MarkedSpan { lines: (first, last), .. } in &self.spans {
            if last - first < LINES_IN_FULL {
                lines.extend(first..=last);
            } else {
                lines.extend([first, first + 1, last - 1, last]);
            }
        }
        // A single line between two shown ones takes no more room than the mark of its absence.
        let gaps: Vec<usize> =
            lines.iter().map(|l| l + 1).filter(|l| !lines.contains(l) && lines.contains(&(l + 1))).collect();
        lines.extend(gaps);
        lines
    }

    fn draw_line(&self, rows: &mut Rows, line: usize) {
        let mut range = self.file.line_range(line);
        while self.file.text[range.clone()].ends_with('\r') {
            range.end -= 1;
        }
        let mut marks = self.marks(rows.lanes, line);
        for mark in &mut marks {
            mark.lo = mark.lo.clamp(range.start, range.end);
            mark.hi = mark.hi.clamp(mark.lo, range.end);
        }
        marks.sort_by_key(|m| (m.lo, m.hi));

        // A line too long for one window is shown once for each group of marks that lie together.
        let mut rest = marks.as_slice();
        loop {
            let focus = rest.first().map_or(range.start, |m| m.lo);
            let window = Window::around(&self.file.text, range.clone(), focus);
            rows.source(line, &window.text);
            let count = rest.iter().take_while(|m| window.shows(m.lo)).count();
            let (here, later) = rest.split_at(count);
            draw_marks(rows, &window, here);
            rest = later;
            if rest.is_empty() {
                return;
            }
        }
    }

    fn marks(&self, lanes: &[&MarkedSpan], line: usize) -> Vec<Mark<'_>> {
        let mut marks = Vec::new();
        for span in &self.spans {
            let (lo, hi) = (span.lo, span.hi);
            if !span.is_multi_line() {
                if span.lines.0 == line {
                    marks.push(Mark { span, lo, hi, end: None });
                }
                continue;
            }
            let lane = lanes.iter().position(|s| std::ptr::eq(*s, span)).unwrap_or(0);
            if span.lines.0 == line {
                marks.push(Mark { span, lo, hi: lo, end: Some((lane, End::First)) });
            }
            if span.lines.1 == line {
                marks.push(Mark { span, lo: hi, hi, end: Some((lane, End::Last)) });
            }
        }
        marks
    }
}

/// Draws the rows beneath a line: first what lies within it, then the ends of longer spans.
fn draw_marks(rows: &mut Rows, window: &Window, marks: &[Mark]) {
    let indent = rows.lanes.len() * 2;
    let within: Vec<Underline> = marks
        .iter()
        .filter(|m| m.end.is_none())
        .map(|m| {
            let from = indent + window.column(m.lo);
            Underline { from, to: (indent + window.column(m.hi)).max(from + 1), span: m.span }
        })
        .collect();
    draw_underlines(rows, &within);

    for mark in marks {
        let Some((lane, end)) = mark.end else { continue };
        let column = indent + window.column(mark.lo);
        // The last character of the span, not the one behind it.
        let column = if end == End::Last { column.max(indent + 1) - 1 } else { column };
        let mut row = Row::default();
        rows.close(&mut row, lane, end);
        row.fill(lane * 2 + 1, column, '_', mark.span.ink);
        row.put(column, mark.span.glyph, mark.span.ink);
        if end == End::Last {
            row.end_with(column + 2, &mark.span.label, mark.span.ink);
        }
        rows.below(row);
        if end == End::First {
            rows.open.insert(lane);
        }
    }
}

/// A span within one line, by display columns.
struct Underline<'a> {
    from: usize,
    to: usize,
    span: &'a MarkedSpan,
}

fn draw_underlines(rows: &mut Rows, underlines: &[Underline]) {
    if underlines.is_empty() {
        return;
    }
    let mut row = Row::default();
    // The narrower drawn over the wider, and the primary over one of its own size.
    let mut by_width: Vec<&Underline> = underlines.iter().collect();
    by_width.sort_by_key(|u| (Reverse(u.to - u.from), u.span.glyph == '^'));
    for u in by_width {
        row.fill(u.from, u.to, u.span.glyph, u.span.ink);
    }

    let mut labelled: Vec<&Underline> = underlines.iter().filter(|u| !u.span.label.is_empty()).collect();
    labelled.sort_by_key(|u| (Reverse(u.from), Reverse(u.to)));
    let mut hanging = labelled.as_slice();
    if let Some((rightmost, others)) = labelled.split_first()
        && rightmost.to == row.width()
    {
        row.end_with(rightmost.to + 1, &rightmost.span.label, rightmost.span.ink);
        hanging = others;
    }
    rows.below(row);

    if !hanging.is_empty() {
        rows.below(stems(hanging.iter().copied()));
    }
    for (i, u) in hanging.iter().enumerate() {
        let mut row = stems(hanging[i + 1..].iter().copied().filter(|lower| lower.from < u.from));
        row.end_with(u.from, &u.span.label, u.span.ink);
        rows.below(row);
    }
}

/// A row of lines down to labels that hang lower.
fn stems<'a>(underlines: impl Iterator<Item = &'a Underline<'a>>) -> Row {
    let mut row = Row::default();
    for u in underlines {
        row.put(u.from, '|', u.span.ink);
    }
    row
}

/// Draws rows with their line number and the bars of the spans that are open.
struct Rows<'a> {
    painter: &'a mut Painter,
    margin: usize,
    lanes: &'a [&'a MarkedSpan],
    open: BTreeSet<usize>,
}

impl Rows<'_> {
    fn source(&mut self, line: usize, text: &str) {
        let mut row = Row::default();
        row.end_with(self.lanes.len() * 2, text, Ink::Plain);
        self.frame(&line.to_string(), row);
    }

    fn below(&mut self, row: Row) {
        self.frame("", row);
    }

    fn gap(&mut self) {
        let mut row = Row::default();
        self.bars(&mut row);
        self.painter.text("...", Ink::Gutter);
        if row.width() > 0 {
            self.painter.text(&" ".repeat(self.margin), Ink::Plain);
            row.draw(self.painter);
        }
        self.painter.end_line();
    }

    fn frame(&mut self, number: &str, mut row: Row) {
        self.bars(&mut row);
        self.painter.text(&format!("{number:>0$} |", self.margin), Ink::Gutter);
        self.painter.text(" ", Ink::Plain);
        row.draw(self.painter);
        self.painter.end_line();
    }

    fn bars(&self, row: &mut Row) {
        for &lane in &self.open {
            row.put(lane * 2, '|', self.lanes[lane].ink);
        }
    }

    /// Before the row that ends a span is drawn: its bar reaches that row, and no further.
    fn close(&mut self, row: &mut Row, lane: usize, end: End) {
        if end == End::Last {
            self.open.remove(&lane);
            row.put(lane * 2, '|', self.lanes[lane].ink);
        }
    }
}
