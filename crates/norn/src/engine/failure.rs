//! Failures of running programs as people read them.
//!
//! ```text
//! error: Index 10 is out of bounds for an array of 3 elements.
//!  --> table.fut:1:38
//!   |
//! 1 | def look (xs: []i32) (i: i64) : i32 = xs[i]
//!   |                                       ^^^^^
//! in `look`, called at table.fut:3:20
//! ```

use crate::Paint;
use norn_base::{Code, Diagnostic, SourceMap, render};
use norn_interp::{Failure, Frame};

/// How many calls at each end of a long trace are shown.
const SHOWN_CALLS: usize = 10;

/// The message, the place and the calls that led there, innermost first. Ends in a line break.
pub fn render_failure(sources: &SourceMap, failure: &Failure, paint: Paint) -> String {
    // Failures have no code, since there is no page that could explain them.
    let diagnostic = Diagnostic::error(Code(""), failure.span, failure.message.as_str());
    let mut out = render::render(sources, &diagnostic, paint).replacen("error[]", "error", 1);
    let trace = &failure.trace;
    let (first, last) = match failure.omitted + trace.len().saturating_sub(2 * SHOWN_CALLS) {
        0 => (trace.len(), trace.len()),
        _ => (trace.len().min(SHOWN_CALLS), trace.len().saturating_sub(SHOWN_CALLS)),
    };
    let line = |frame: &Frame| format!("in `{}`, called at {}\n", frame.function, sources.place(frame.call));
    out.extend(trace[..first].iter().map(line));
    if first < last {
        out += &format!("... {} more calls ...\n", failure.omitted + last - first);
    }
    out.extend(trace[last..].iter().map(line));
    out
}
