//! Diagnostics as people read them: message, excerpts of the source, the two types that clash.
//!
//! ```text
//! error[E0301]: The two operands of `+` differ in type.
//!  --> area.fut:2:15
//!   |
//! 1 | def area (w: i32) (h: f32) =
//!   |           - this makes it an i32
//! 2 |   w * 2 + h
//!   |           ^ the right operand
//!   |
//!   = expected: i32
//!   =    found: f32
//!   = help: Convert one of them, for example with `f32.i32`.
//! ```
//!
//! The drawing is our own, not a library's, for three properties: the output for a line of any
//! length is small (a stretch around each span, see `window`), a span that is out of range or cuts
//! a character in two is drawn nonetheless, and nothing from the source reaches the terminal that
//! the terminal would obey. The text does not depend on the width of the terminal.

mod excerpt;
mod paint;
mod window;

pub use paint::Paint;

use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::source::{SourceFile, SourceMap, Span};
use paint::{Ink, Painter};
use std::borrow::Cow;
use std::ops::Range;
use window::visible;

/// How many diagnostics of one severity are shown before the rest is only counted.
const SHOWN_AT_MOST: usize = 100;

/// All diagnostics in their order, the first hundred of each severity in full, and a last line
/// that counts them. Empty if there are none.
pub fn render_all(sources: &SourceMap, diagnostics: &Diagnostics, paint: Paint) -> String {
    let mut out = String::new();
    let (mut errors, mut warnings) = (0, 0);
    for d in diagnostics.iter() {
        let count = match d.severity {
            Severity::Error => &mut errors,
            Severity::Warning => &mut warnings,
        };
        *count += 1;
        if *count <= SHOWN_AT_MOST {
            out.push_str(&render(sources, d, paint));
            out.push('\n');
        }
    }
    for (count, noun) in [(errors, "error"), (warnings, "warning")] {
        if count > SHOWN_AT_MOST {
            out.push_str(&format!("... and {}\n", plural(count - SHOWN_AT_MOST, &format!("more {noun}"))));
        }
    }
    if let Some(line) = summary(errors, warnings) {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// `2 errors, 1 warning`; nothing if there are none.
pub fn summary(errors: usize, warnings: usize) -> Option<String> {
    match (errors, warnings) {
        (0, 0) => None,
        (_, 0) => Some(plural(errors, "error")),
        (0, _) => Some(plural(warnings, "warning")),
        (_, _) => Some(format!("{}, {}", plural(errors, "error"), plural(warnings, "warning"))),
    }
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// One diagnostic, ending in a line break.
pub fn render(sources: &SourceMap, diagnostic: &Diagnostic, paint: Paint) -> String {
    let mut painter = Painter::new(paint);
    let (word, ink) = match diagnostic.severity {
        Severity::Error => ("error", Ink::Error),
        Severity::Warning => ("warning", Ink::Warning),
    };
    painter.text(&format!("{word}[{}]", diagnostic.code.0), ink);
    painter.text(&format!(": {}", indented(&diagnostic.message, 2)), Ink::Bold);
    painter.end_line();

    let margin = excerpt::draw(&mut painter, sources, diagnostic, ink);
    draw_remarks(&mut painter, diagnostic, margin);
    painter.finish()
}

/// The lines below the excerpt; `margin` is the width of the line numbers.
fn draw_remarks(painter: &mut Painter, diagnostic: &Diagnostic, margin: usize) {
    let mut remarks: Vec<(&str, &str)> = Vec::new();
    if let Some((expected, found)) = &diagnostic.expected_found {
        remarks.push(("expected", expected));
        remarks.push(("   found", found));
    }
    remarks.extend(diagnostic.notes.iter().map(|text| ("note", text.as_str())));
    remarks.extend(diagnostic.help.iter().map(|text| ("help", text.as_str())));
    if remarks.is_empty() {
        return;
    }
    let blank = " ".repeat(margin);
    painter.text(&format!("{blank} |"), Ink::Gutter);
    painter.end_line();
    for (word, text) in remarks {
        painter.text(&format!("{blank} = "), Ink::Gutter);
        painter.text(word, Ink::Bold);
        let hang = margin + " = ".len() + word.len() + ": ".len();
        painter.text(&format!(": {}", indented(text, hang)), Ink::Plain);
        painter.end_line();
    }
}

/// The bytes of a span, moved to where text and its characters begin and end. Only a bug of ours
/// makes a span that needs this, and the report of one is not the place to stop.
pub(crate) fn within(file: &SourceFile, span: Span) -> Range<usize> {
    let floor = |at: u32| {
        let at = (at as usize).min(file.text.len());
        (0..=at).rev().find(|&i| file.text.is_char_boundary(i)).unwrap_or(0)
    };
    let lo = floor(span.lo);
    lo..floor(span.hi).max(lo)
}

/// `text` made visible, its second and later lines moved to the right, and the middle of very long
/// lines left out: they contain names and types from the program, which may be of any length.
fn indented(text: &str, by: usize) -> String {
    let mut lines = text.trim_end().split('\n').map(|line| visible(&shortened(line)));
    let mut out = lines.next().unwrap_or_default();
    for line in lines {
        out.push('\n');
        out.push_str(&" ".repeat(by));
        out.push_str(&line);
    }
    out
}

fn shortened(line: &str) -> Cow<'_, str> {
    const HALF: usize = 500;
    let end_of_first = line.char_indices().nth(HALF).map(|(at, _)| at);
    let start_of_last = line.char_indices().rev().nth(HALF - 1).map(|(at, _)| at);
    match (end_of_first, start_of_last) {
        (Some(first), Some(last)) if first < last => {
            Cow::Owned(format!("{} ... {}", &line[..first], &line[last..]))
        }
        _ => Cow::Borrowed(line),
    }
}
