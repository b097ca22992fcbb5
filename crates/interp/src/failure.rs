//! How a program ends that cannot go on: what happened, where, and by which calls.
//!
//! Operations only say what happened (`fail`). The loop over statements adds the place, and each call that
//! is left adds itself.

use norn_base::Span;
use norn_ir::failure::{CheckKind, message};
pub use norn_ir::failure::{Failure, Frame};

/// The most calls that a trace lists.
const TRACE: usize = 64;

/// A failure on its way out. Boxed, so that success costs nothing.
pub(crate) struct Unwinding {
    message: String,
    span: Option<Span>,
    trace: Vec<Frame>,
    omitted: usize,
}

pub(crate) type Outcome<T = ()> = Result<T, Box<Unwinding>>;

#[cold]
pub(crate) fn fail<T>(message: impl Into<String>) -> Outcome<T> {
    Err(Box::new(Unwinding { message: message.into(), span: None, trace: Vec::new(), omitted: 0 }))
}

/// A check does not hold, of these operands.
#[cold]
pub(crate) fn fail_check<T>(kind: CheckKind, operands: &[i64]) -> Outcome<T> {
    let words: Vec<u64> = operands.iter().map(|operand| *operand as u64).collect();
    fail(message(&kind, &words))
}

/// Somebody wants the program to end.
#[cold]
pub(crate) fn cancelled<T>() -> Outcome<T> {
    fail("The program was stopped.")
}

impl Unwinding {
    /// The statement that failed, once it has been found.
    pub(crate) fn place(&self) -> Option<Span> {
        self.span
    }

    pub(crate) fn locate(&mut self, span: Span) {
        self.span = Some(span);
    }

    pub(crate) fn leave_call(&mut self, function: &str, call: Span) {
        if self.trace.len() == TRACE {
            self.trace.remove(TRACE / 2);
            self.omitted += 1;
        }
        self.trace.push(Frame { function: function.to_string(), call });
    }

    /// The failure, at `span` if no statement failed.
    pub(crate) fn finish(self, span: Span) -> Failure {
        Failure {
            message: self.message,
            span: self.span.unwrap_or(span),
            trace: self.trace,
            omitted: self.omitted,
        }
    }
}
