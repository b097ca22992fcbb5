//! Failures of running programs as people read them.
//!
//! ```text
//! error: Index 10 is out of bounds for a dimension of length 3.
//!  --> table.fut:1:38
//!   |
//! 1 | def look (xs: []i32) (i: i64) : i32 = xs[i]
//!   |                                       ^^^^^
//! in `look`, called at table.fut:3:20
//! ```

use crate::Paint;
use norn_base::{Code, Diagnostic, SourceMap, render};
use norn_interp::{Failure, Frame};

/// How many lines at each end of a long trace are shown.
const SHOWN_LINES: usize = 10;

/// The message, the place and the calls that led there, innermost first. Ends in a line break.
pub fn render_failure(sources: &SourceMap, failure: &Failure, paint: Paint) -> String {
    // Failures have no code, since there is no page that could explain them.
    let diagnostic = Diagnostic::error(Code(""), failure.span, failure.message.as_str());
    let message = render::render(sources, &diagnostic, paint).replacen("error[]", "error", 1);
    let mut lines = trace_lines(sources, failure);
    if lines.len() > 2 * SHOWN_LINES {
        lines.splice(SHOWN_LINES..lines.len() - SHOWN_LINES, ["...\n".to_string()]);
    }
    message + &lines.concat()
}

/// A line for each call, or for several that are the same, as recursion makes them.
fn trace_lines(sources: &SourceMap, failure: &Failure) -> Vec<String> {
    let trace = &failure.trace;
    if failure.omitted == 0 {
        return call_lines(sources, trace);
    }
    let (inner, outer) = trace.split_at(trace.len().div_ceil(2));
    let mut lines = call_lines(sources, inner);
    lines.push(format!("... {} more calls ...\n", failure.omitted));
    lines.extend(call_lines(sources, outer));
    lines
}

fn call_lines(sources: &SourceMap, calls: &[Frame]) -> Vec<String> {
    let line = |same: &[Frame]| {
        let times = if same.len() > 1 { format!(", {} times", same.len()) } else { String::new() };
        format!("in `{}`, called at {}{times}\n", same[0].function, sources.place(same[0].call))
    };
    calls.chunk_by(|a, b| a == b).map(line).collect()
}
