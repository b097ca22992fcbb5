//! Why a run has stopped, in the words of the program.

use norn_ir::failure::{Failure, Frame, message, too_deep};
use norn_ir::imp::{Prog, SiteKind};
use norn_runtime::cpu::{Memory, Stop, Why};
use norn_runtime::show_bytes;

/// Why a call has no result.
#[derive(Clone, PartialEq, Debug)]
pub enum Ended {
    Failed(Failure),
    /// It was asked to.
    Cancelled,
}

/// What has stopped an entry point's function.
pub fn ended(prog: &Prog, function: norn_ir::imp::FunId, memory: &Memory, stop: Stop) -> Ended {
    let span = prog.funs[function.0 as usize].span;
    let site = |number: usize| prog.sites.get(number);
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
        Why::OutOfMemory { site: number, bytes, live } => {
            (out_of_memory(bytes, live, memory.limit()), site(number).map_or(span, |site| site.span))
        }
        // The call that has no room is the place, and none that is active.
        Why::OutOfStack if trace.is_empty() => (too_deep(0), span),
        Why::OutOfStack => (too_deep(calls - 1), trace.remove(0).call),
    };
    Ended::Failed(Failure { message, span, trace, omitted })
}

/// What is said when so many bytes cannot be had.
pub fn out_of_memory(bytes: u64, live: u64, limit: u64) -> String {
    // What wraps around when sizes are multiplied is negative or enormous.
    if bytes > 1 << 60 {
        return "Cannot allocate an array: it would be too large for any memory.".to_string();
    }
    let [bytes, live, limit] = [bytes, live, limit].map(show_bytes);
    format!("Cannot allocate {bytes}: {live} of at most {limit} are in use.")
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
