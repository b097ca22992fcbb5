//! Why a run has stopped, in the words of the program.

use norn_ir::failure::{Failure, Frame, message, too_deep};
use norn_ir::imp::{FunId, Prog, Site, SiteKind};
use norn_ir::nest::grids::SHARED;
use norn_ir::nest::print::NOWHERE;
use norn_runtime::cpu::{Stop, Why};
use norn_runtime::show_bytes;

/// Why a call has no result.
#[derive(Clone, PartialEq, Debug)]
pub enum Ended {
    Failed(Failure),
    /// It was asked to.
    Cancelled,
}

/// What has stopped an entry point's function.
pub fn ended(prog: &Prog, function: FunId, has_gpu: bool, mut stop: Stop) -> Ended {
    let span = prog.funs[function.0 as usize].span;
    let site = |number: usize| prog.sites.get(number);
    // What is in many places (`share`) has the place of the call, if it is known.
    let place = |site: &Site| if site.span == NOWHERE { None } else { Some(site.span) };
    let call = stop.trace.first().and_then(|number| site(*number)).map_or(span, |site| site.span);
    stop.trace.retain(|number| !(has_gpu && site(*number).is_some_and(is_made)));
    let calls = stop.trace.len() + stop.omitted;
    let mut trace = frames(prog, &stop.trace);
    let omitted = stop.omitted;
    let (message, span) = match stop.why {
        Why::Cancelled => return Ended::Cancelled,
        Why::Check { site: number, operands } => {
            let site = site(number);
            let text = match site.map(|site| &site.what) {
                Some(SiteKind::Check(kind)) => message(kind, &operands),
                Some(SiteKind::Call(what) | SiteKind::Operator(what)) => {
                    format!("The operation {what} failed.")
                }
                None => "The program failed.".to_string(),
            };
            (text, site.map_or(span, |site| site.span))
        }
        Why::OutOfMemory { site: number, in_thread, bytes, live, limit, on_gpu } => {
            let message = out_of_memory(bytes, live, limit, on_gpu);
            // Nothing but calls needs memory at the site of a call: frames.
            let message = match in_thread.and_then(site).map(|site| &site.what) {
                Some(SiteKind::Call(function)) => format!(
                    "The recursion of `{function}` is too deep for the memory of its threads. {message}"
                ),
                Some(SiteKind::Check(_) | SiteKind::Operator(_)) | None => message,
            };
            (message, site(number).and_then(place).unwrap_or(call))
        }
        // The call that has no room is the place, and none that is active.
        Why::OutOfStack if trace.is_empty() => (too_deep(0), span),
        Why::OutOfStack => (too_deep(calls - 1), trace.remove(0).call),
        Why::Device(trouble) => {
            (trouble.message, trouble.site.and_then(site).and_then(place).unwrap_or(span))
        }
    };
    Ended::Failed(Failure { message, span, trace, omitted })
}

/// The message when so many bytes cannot be allocated.
pub fn out_of_memory(bytes: u64, live: u64, limit: u64, on_gpu: bool) -> String {
    // What wraps around when sizes are multiplied is negative or enormous.
    if bytes > 1 << 60 {
        return "Cannot allocate an array: it would be too large for any memory.".to_string();
    }
    let [bytes, live, limit] = [bytes, live, limit].map(show_bytes);
    let place = if on_gpu { " on the GPU" } else { "" };
    format!("Cannot allocate {bytes}{place}: {live} of at most {limit} are in use.")
}

/// The message for a value that was on a GPU.
pub const LOST: &str = "The GPU was reset, and what was on it is lost.";

/// Why something that is no call cannot be done.
pub fn sentence(stop: &Stop) -> String {
    match &stop.why {
        Why::Device(trouble) => trouble.message.clone(),
        Why::OutOfMemory { bytes, live, limit, on_gpu, .. } => out_of_memory(*bytes, *live, *limit, *on_gpu),
        Why::Check { .. } | Why::OutOfStack | Why::Cancelled => "The program was stopped.".to_string(),
    }
}

/// Whether a site of a program for a GPU is the call of a function that the compiler has made: what a GPU cannot do
/// of another (`place`). Nobody has written it, so it is in no trace.
pub fn is_outlined(site: &Site) -> bool {
    is_call_of(site, "_cpu")
}

/// Whether a site of a program for a GPU is the call of any function that the compiler has made.
pub fn is_made(site: &Site) -> bool {
    is_outlined(site) || is_call_of(site, SHARED)
}

/// Whether it is the call of a function whose name ends like this.
fn is_call_of(site: &Site, end: &str) -> bool {
    match &site.what {
        SiteKind::Call(function) => function.ends_with(end),
        SiteKind::Check(_) | SiteKind::Operator(_) => false,
    }
}

/// Launches leave no trace, only calls.
fn frames(prog: &Prog, sites: &[usize]) -> Vec<Frame> {
    let frame = |number: &usize| {
        let site = prog.sites.get(*number)?;
        match &site.what {
            SiteKind::Call(function) => Some(Frame { function: function.clone(), call: site.span }),
            SiteKind::Check(_) | SiteKind::Operator(_) => None,
        }
    };
    sites.iter().filter_map(frame).collect()
}
