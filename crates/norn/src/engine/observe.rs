//! Looking on while a program runs: the values that `#[trace]` and `#[break]` show.
//!
//! Only the interpreter shows values, so a program with such attributes is interpreted where somebody looks on (see
//! `Options::observe`); it computes the same, in an order that can be followed.

use super::{Engine, show};
use crate::engine::runner::Runner;
use norn_base::{SourceMap, Span};
use norn_interp::{Interp, Observation};
use norn_ir::nest::{ObserveKind, Prog};
use std::time::Duration;

/// How many elements of a value are shown.
const SHOWN_ELEMENTS: usize = 1000;

/// A value that the program shows.
#[derive(Clone, Debug)]
pub struct Shown {
    pub kind: ObserveKind,
    /// What the user calls it.
    pub tag: String,
    pub value: String,
    pub span: Span,
}

impl Engine {
    /// Who is told of the values that the program shows, if it is interpreted.
    pub fn observe(&mut self, mut tell: impl FnMut(Shown) + 'static) {
        let Runner::Interp { interp, .. } = &mut self.runner else { return };
        let types = types_of(interp.prog(), self.paint);
        interp.observe(Box::new(move |observation: Observation| {
            let Observation { kind, tag, ty, columns, span } = observation;
            let item = types.item(ty, columns);
            tell(Shown { kind, tag: tag.to_string(), value: show(&types, &item, SHOWN_ELEMENTS), span });
        }));
    }
}

/// A program that has the types of another and does nothing.
fn types_of(prog: &Prog, paint: crate::Paint) -> Engine {
    let types = Prog { ifaces: prog.ifaces.clone(), datas: prog.datas.clone(), ..Prog::default() };
    Engine {
        backend: super::Backend::Interp,
        runner: Runner::Interp { interp: Box::new(Interp::new(types)), memory_limit: u64::MAX },
        sources: SourceMap::default(),
        paint,
        run_time: Duration::ZERO,
    }
}
