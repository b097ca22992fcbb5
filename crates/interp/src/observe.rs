//! Looking on while a program runs.

use crate::value::Value;
use norn_base::Span;
use norn_ir::nest::{IfaceId, ObserveKind};

/// A value that the program shows.
pub struct Observation<'a> {
    pub kind: ObserveKind,
    /// What the user calls it.
    pub tag: &'a str,
    pub ty: IfaceId,
    pub columns: Vec<Value>,
    /// In the user's program, not in the library.
    pub span: Span,
}

/// Is notified of the values that a program shows, in the order in which it computes them.
pub type Observer = Box<dyn FnMut(Observation) + Send>;
